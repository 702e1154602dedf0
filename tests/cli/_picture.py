# _picture.py: what the tests of pictures share: reading PNG (8 bits, RGB or RGBA, not interlaced), and asking of pixels.
import struct
import sys
import zlib

from _cli import run, scratch


class Picture:
    def __init__(self, data):
        assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
        at, packed = 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], kind
            if kind == b"IHDR":
                self.width, self.height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
                assert depth == 8 and color in (2, 6) and not interlaced, (depth, color, interlaced)
                self.channels = 3 if color == 2 else 4
            elif kind == b"IDAT":
                packed += body
            at += 12 + size
        self.rows = unfilter(zlib.decompress(packed), self.width * self.channels, self.channels, self.height)

    def at(self, x, y):
        """(r, g, b, a) at x, y of the upper left corner."""
        pixel = tuple(self.rows[y][x * self.channels:(x + 1) * self.channels])
        return pixel if self.channels == 4 else pixel + (255,)

    def across(self, left, right, y, seen):
        """How many pixels of a row, from left to right, satisfy seen(r, g, b, a)."""
        return sum(1 for x in range(left, right) if seen(*self.at(x, y)))

    def count(self, seen, left=0, right=None):
        return sum(self.across(left, self.width if right is None else right, y, seen) for y in range(self.height))


def unfilter(data, stride, step, height):
    rows, before, at = [], bytearray(stride), 0
    for _ in range(height):
        kind, row = data[at], bytearray(data[at + 1:at + 1 + stride])
        at += 1 + stride
        for i in range(stride):
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            if kind == 1:
                row[i] = (row[i] + a) & 255
            elif kind == 2:
                row[i] = (row[i] + b) & 255
            elif kind == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(row)
        before = row
    return rows


def render(*arguments, name="picture.png"):
    """Draws, and returns the picture and what was said on stderr; fails unless all is well."""
    done = run("render", *arguments, "-o", scratch(name))
    if done.code:
        raise AssertionError("render %s: exit %d: %s" % (" ".join(arguments), done.code, done.err))
    with open(scratch(name), "rb") as file:
        return Picture(file.read()), done.err


def is_covered(r, g, b, a):
    return a > 127


def skip_without_gl():
    """Ends the test as skipped where nothing can be drawn here."""
    run("fixture", "ring", "-o", scratch("probe.glb"))
    done = run("render", scratch("probe.glb"), "--size", "8x8", "-o", scratch("probe.png"))
    if done.code == 1 and "cannot draw" in done.err:
        print("skipped: %s" % done.err.strip())
        sys.exit(77)
