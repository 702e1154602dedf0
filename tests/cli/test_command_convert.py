# test_command_convert.py: `supple convert`: usage, --dry-run, files that are whole or absent.
import json
import os
import stat
import struct
import zipfile

import _usd
from _cli import check, expect, main, run, scratch, tube, write_gltf, write_plain
from test_usd_material import inside, png, shaders, textured

TEXTURED = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}


def folder(name):
    path = scratch(name)
    os.makedirs(path, exist_ok=True)
    for entry in os.listdir(path):
        os.remove(os.path.join(path, entry))
    return path


def test_usage():
    path = write_gltf("tube.gltf", tube())
    expect(2, "say -o OUT.usda", "convert", path)
    expect(2, "the ending must be .usda or .usdz", "convert", path, "-o", scratch("out.fbx"))
    expect(2, "--rest does not go with --clip", "convert", path, "-o", scratch("usage.usda"), "--rest", "--clip", "turn")
    expect(2, "did you mean 'turn'", "convert", path, "-o", scratch("usage.usda"), "--clip", "tunr")
    expect(2, "--fps", "convert", path, "-o", scratch("usage.usda"), "--fps", "0")
    expect(2, "one of lbs|dqs", "convert", path, "-o", scratch("usage.usda"), "--method", "cor")
    expect(1, "cannot", "convert", scratch("absent.glb"), "-o", scratch("usage.usda"))
    expect(1, "cannot write", "convert", path, "-o", scratch("no/such/folder/usage.usda"))
    check(not os.path.exists(scratch("usage.usda")), "nothing was written")


def test_same_output():
    path = write_gltf("tube.gltf", tube())
    expect(0, "", "convert", path, "-o", scratch("tube.usda"))
    with open(scratch("tube.usda"), "rb") as file:
        data = file.read()
    check(expect(0, "", "convert", path, "-o", "-").out == data, "on stdout the same")
    with open(path, "rb") as file:
        again = expect(0, "", "convert", "-", "-o", scratch("tube.usda"), stdin=file.read())
    with open(scratch("tube.usda"), "rb") as file:
        check(file.read() == data and again.code == 0, "from stdin the same")
    expect(0, "", "convert", write_plain("plain.gltf"), "-o", scratch("plain.usda"))
    check(len(_usd.load(scratch("plain.usda")).root.all("Mesh")) == 2, "a file without skins")
    expect(0, "", "convert", path, "-o", scratch("TUBE.USDA"))


def read_package(path):
    """[(name, bytes)]: stored, and each one's data at a multiple of 64 bytes."""
    entries = []
    with zipfile.ZipFile(path) as package, open(path, "rb") as raw:
        check(package.testzip() is None, "checksums")
        for info in package.infolist():
            check(info.compress_type == zipfile.ZIP_STORED and info.compress_size == info.file_size, "stored")
            raw.seek(info.header_offset)
            head = raw.read(30)
            signature, _, flags, method, _, date, crc, packed, size, name, extra = struct.unpack("<IHHHHHIIIHH", head)
            check(signature == 0x04034b50 and method == 0 and not flags & ~0x800, "%s: no data descriptor" % info.filename)
            check((crc, packed, size) == (info.CRC, info.file_size, info.file_size), "the local header says the same")
            check((info.header_offset + 30 + name + extra) % 64 == 0, "%s at a multiple of 64" % info.filename)
            raw.seek(info.header_offset + 30 + name)
            padding = raw.read(extra)
            check(not extra or struct.unpack_from("<H", padding, 2)[0] == extra - 4, "a well-formed extra field")
            check(raw.read(info.file_size) == package.read(info), "its bytes")
            entries.append((info.filename, package.read(info)))
    return entries


def test_package():
    out = folder("package")
    images = [inside(5), {"uri": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="}, inside(7)]
    gltf = textured(TEXTURED, images)
    gltf["textures"] = [{"source": i} for i in range(3)]
    gltf["materials"] = [{"name": "m%d" % i, "pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(3)]
    path = write_gltf("package.gltf", gltf)
    place = os.path.join(out, "My out.usdz")
    done = expect(0, "image 1 (image/webp) is neither PNG nor JPEG", "convert", path, "-o", place)
    check(os.listdir(out) == ["My out.usdz"], "one file: %s" % os.listdir(out))
    entries = read_package(place)
    check([name for name, _ in entries] == ["My_out.usda", "My_out-image_0.png", "My_out-image_2.png"],
          "the text, then the images: %s" % [name for name, _ in entries])
    check([data for _, data in entries[1:]] == [png(5), png(7)], "images as they were")
    stage = _usd.Stage(entries[0][1].decode())
    used = [m.children["BaseColor"].get("inputs:file") if "BaseColor" in m.children else None for m in stage.root.all("Material")]
    check(used == ["My_out-image_0.png", None, "My_out-image_2.png"], "named so in the text: %s" % used)
    again = folder("beside")
    expect(0, "", "convert", path, "-o", os.path.join(again, "My out.usda"))
    check(sorted(os.listdir(again))[1:] == ["My_out-image_0.png", "My_out-image_1.webp", "My_out-image_2.png"], "a .usda has all")
    with open(place, "rb") as file:
        whole = file.read()
    run("convert", path, "-o", place)
    with open(place, "rb") as file:
        check(file.read() == whole, "the same each time")
    done = run("convert", path, "-o", place, "--dry-run")
    check(done.code == 0 and done.out.decode() == "would write %s\n" % place, "what would be: %s" % done.out)


def test_package_beside_source():
    """Image files that lie beside the asset go in, too; what is named JPEG and is PNG gets the ending of what it is."""
    with open(scratch("own image.jpg"), "wb") as file:
        file.write(png(9))
    path = write_gltf("packed.gltf", textured(TEXTURED, [{"uri": "own%20image.jpg"}]))
    expect(0, "", "convert", path, "-o", scratch("packed.usdz"))
    entries = read_package(scratch("packed.usdz"))
    check([name for name, _ in entries] == ["packed.usda", "packed-own_image.png"] and entries[1][1] == png(9), "packed")
    check(shaders(_usd.Stage(entries[0][1].decode()))["BaseColor"].get("inputs:file") == "packed-own_image.png", "and used")


def test_dry_run():
    out = folder("dry")
    path = write_gltf("dry.gltf", textured(TEXTURED, [inside(5)]))
    done = expect(0, "", "convert", path, "-o", os.path.join(out, "a.usda"), "--dry-run")
    check(os.listdir(out) == [], "nothing is written")
    lines = done.out.decode().splitlines()
    check(len(lines) == 2 and lines[0].endswith(" bytes") and "a-image_0.png" in lines[0] and
          lines[1].endswith("a.usda"), "what would be: %s" % lines)


def test_all_or_none():
    """Where one file cannot take its place, no other does."""
    out = folder("whole")
    path = write_gltf("whole.gltf", textured(TEXTURED, [inside(5)]))
    expect(0, "", "convert", path, "-o", os.path.join(out, "a.usda"))
    before = {}
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as file:
            before[name] = file.read()
    check(sorted(before) == ["a-image_0.png", "a.usda"], "both files: %s" % sorted(before))
    for name in ("b.usda", "b.usdz"):
        if os.geteuid() == 0 or os.name != "posix":
            import resource
            limits = (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
            done = run("convert", path, "-o", os.path.join(out, name),
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))
            check(done.code == 1 and "cannot write" in done.err, "a full disk: %d %s" % (done.code, done.err))
        else:
            os.chmod(out, stat.S_IRUSR | stat.S_IXUSR)
            expect(1, "cannot write", "convert", path, "-o", os.path.join(out, name))
            os.chmod(out, stat.S_IRWXU)
    check(sorted(os.listdir(out)) == sorted(before), "nothing new, nothing left behind: %s" % sorted(os.listdir(out)))


def test_notes():
    gltf = tube(lambda streams: streams["weights"].__setitem__(slice(0, 4), [2, 0, 0, 0]))
    expect(0, "do not sum to 1", "convert", write_gltf("sums.gltf", gltf), "-o", scratch("sums.usda"))
    done = expect(0, "vertices are up to", "convert", write_gltf("tube.gltf", tube()), "-o", scratch("tube.usda"), "-v")
    check("of the size" in done.err, "with -v also what is lost by rounding: " + done.err)


def test_locale():
    path = write_gltf("tube.gltf", tube())
    plain = expect(0, "", "convert", path, "-o", "-").out
    environment = dict(os.environ, LC_ALL="de_DE.UTF-8")
    check(expect(0, "", "convert", path, "-o", "-", env=environment).out == plain, "whatever the locale")


if __name__ == "__main__":
    main([test_usage, test_same_output, test_package, test_package_beside_source, test_dry_run, test_all_or_none, test_notes, test_locale])
