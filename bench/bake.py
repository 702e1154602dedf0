# bake.py: how fast `supple bake` writes, against the disk's plain sequential speed in the same run.
#
#   python3 bench/bake.py COMMAND [FOLDER] [FRAMES]
#
# Bakes the fixture "figure" (about 30,000 vertices), 1,000 frames unless told, and writes as many bytes from memory
# to a plain file, by turns; both end when the bytes are on the disk (fsync). Prints the best of each, the ratio of
# speeds, and the most memory that the command took. Nothing here is a test: disks of shared machines vary.
import os
import resource
import subprocess
import sys
import time

ROUNDS = 5
BLOCK = 1 << 20


def sync(path):
    handle = os.open(path, os.O_RDWR)
    os.fsync(handle)
    os.close(handle)


def write_plain(path, size, block):
    begin = time.perf_counter()
    with open(path, "wb", buffering=0) as file:
        left = size
        while left:
            left -= file.write(block[:left] if left < BLOCK else block)
        os.fsync(file.fileno())
    return time.perf_counter() - begin


def bake(command, asset, path, frames):
    begin = time.perf_counter()
    subprocess.run([command, "bake", asset, "-o", path, "--frames", str(frames)], check=True)
    sync(path)
    return time.perf_counter() - begin


def measure(command, folder, ending, frames, asset):
    out, plain = os.path.join(folder, "bench-baked." + ending), os.path.join(folder, "bench-plain.bin")
    block = os.urandom(BLOCK)
    bake(command, asset, out, frames)  # warms up, and says how many bytes there are
    size = os.path.getsize(out)
    times = {"bake": [], "plain": []}
    for _ in range(ROUNDS):
        for name, work in (("plain", lambda: write_plain(plain, size, block)), ("bake", lambda: bake(command, asset, out, frames))):
            for path in (out, plain):
                if os.path.exists(path):
                    os.remove(path)
            os.sync()
            times[name].append(work())
    for path in (out, plain):
        if os.path.exists(path):
            os.remove(path)
    best = {name: min(found) for name, found in times.items()}
    megabytes = size / 1e6
    print("%-4s %7.0f MB  plain %6.0f MB/s  bake %6.0f MB/s  %3.0f %%" % (
        ending, megabytes, megabytes / best["plain"], megabytes / best["bake"], 100 * best["plain"] / best["bake"]))


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python3 bench/bake.py COMMAND [FOLDER] [FRAMES]")
    command = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else "."
    frames = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    asset = os.path.join(folder, "bench-figure.glb")
    subprocess.run([command, "fixture", "figure", "-o", asset], check=True)
    for ending in ("pc2", "npz", "glb"):
        measure(command, folder, ending, frames, asset)
    os.remove(asset)
    print("most memory of a run: %.0f MB" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))


main()
