# test_command_view.py: `supple view`: usage, what is in the page, files taken in, refusals, output whole or absent.
import base64
import json
import os
import re
import struct

from _cli import CORPUS, check, expect, main, run, scratch, tube, write_gltf, write_plain

CARRIER = re.compile(rb'<script type="application/octet-stream" id="supple-asset" data-name="([^"]*)">([A-Za-z0-9+/=]*)</script>')
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def carried(page):
    """Name, JSON and binary of the asset in a page."""
    found = CARRIER.findall(page)
    check(len(found) == 1, "one asset in the page, not %d" % len(found))
    name, text = found[0]
    glb = base64.b64decode(text, validate=True)
    magic, version, length, size, kind = struct.unpack_from("<4sIIII", glb)
    check(magic == b"glTF" and version == 2 and length == len(glb) and kind == 0x4E4F534A, "a whole .glb")
    return name.decode(), json.loads(glb[20:20 + size]), glb[28 + size:]


def view(path):
    out = scratch("page.html")
    done = run("view", path, "-o", out)
    check(done.code == 0, "view %s: %s" % (path, done.err))
    with open(out, "rb") as file:
        return file.read(), done.err


def test_usage():
    path = write_gltf("tube.gltf", tube())
    expect(2, "-o PAGE.html is missing", "view", path)
    expect(2, "an argument is missing", "view", "-o", scratch("usage.html"))
    expect(1, "cannot", "view", scratch("absent.glb"), "-o", scratch("usage.html"))
    expect(1, "no skinned mesh", "view", write_plain("plain.gltf"), "-o", scratch("usage.html"))
    expect(1, "cannot write", "view", path, "-o", scratch("no/such/folder/usage.html"))
    expect(1, "--limit-file-bytes", "view", path, "-o", scratch("usage.html"), "--limit-file-bytes", "100")
    check(not os.path.exists(scratch("usage.html")), "nothing was written")


def test_page():
    path = write_gltf("tube.gltf", tube())
    page, told = view(path)
    check(told == "", "in silence: %s" % told)
    name, gltf, binary = carried(page)
    check(name == "tube.gltf" and b"<title>tube.gltf in Supple" in page, "its name is in the page")
    check("uri" not in gltf["buffers"][0] and len(binary) >= gltf["buffers"][0]["byteLength"], "one buffer, inside")
    check(gltf["nodes"] == tube()["nodes"] and gltf["skins"] == tube()["skins"], "the rest as it was")
    check(len(page) <= 2000000 + os.path.getsize(path) * 4 // 3, "at most 2 MB more: %d" % len(page))
    check(not re.search(rb'(?:src|href)="(?!data:)', page), "no other file is asked for")
    check(run("view", path, "-o", "-").out == page, "on stdout the same")
    with open(path, "rb") as file:
        name, again, _ = carried(run("view", "-", "-o", "-", stdin=file.read()).out)
    check(name == "stdin" and again == gltf, "from stdin the same")


def test_name():
    """A name is text, never markup."""
    path = write_gltf("a \"<b>&'.gltf", tube())
    page, _ = view(path)
    name, _, _ = carried(page)
    check(name == "a &quot;&lt;b&gt;&amp;'.gltf" or name == "a &quot;&lt;b&gt;&amp;&#39;.gltf", "escaped: %s" % name)
    check(b"<b>&" not in page, "nor in the title")


def with_image(uri, name):
    gltf = tube()
    gltf["images"] = [{"uri": uri}]
    gltf["textures"] = [{"source": 0}]
    return write_gltf(name, gltf)


def test_images():
    with open(scratch("skin 1.png"), "wb") as file:
        file.write(PNG)
    page, told = view(with_image("skin%201.png", "image.gltf"))
    _, gltf, binary = carried(page)
    image = gltf["images"][0]
    where = gltf["bufferViews"][image["bufferView"]]
    at = where.get("byteOffset", 0)
    check(binary[at:at + where["byteLength"]] == PNG and "uri" not in image and told == "", "the image is inside")
    done = run("view", with_image("absent.png", "absent.gltf"), "-o", scratch("page.html"))
    check("absent.png" in done.err, "an image that is not there is told of: %s" % done.err)


def test_basis():
    """What decodes KTX2 textures is in the page where there are some, and there alone."""
    decoder = b"function suppleBasis"
    gltf = tube()
    gltf["images"] = [{"uri": "data:image/ktx2;base64,AAAA", "mimeType": "image/ktx2"}]
    page, _ = view(write_gltf("unused.gltf", gltf))
    check(decoder not in page and b"Binomial" not in page, "no texture uses it")
    gltf["extensionsUsed"] = ["KHR_texture_basisu"]
    gltf["textures"] = [{}, {"extensions": {"KHR_texture_basisu": {"source": 0}}}]
    path = write_gltf("basis.gltf", gltf)
    page, told = view(path)
    check(page.count(decoder) == 1 and page.index(decoder) < page.index(b'id="supple-asset"'), "before the asset")
    check(b"Binomial" in page and b"Apache License" in page, "whose it is, and under which licence")
    check(told == "", "in silence: %s" % told)
    check(len(page) <= 2000000 + os.path.getsize(path) * 4 // 3, "at most 2 MB more: %d" % len(page))
    check(carried(page)[1]["textures"] == gltf["textures"], "the asset is whole")
    check(not re.search(rb'(?:src|href)="(?!data:)', page), "no other file is asked for")


def test_compressed():
    path = os.path.join(CORPUS, "assets", "derived", "Fox-meshopt.glb")
    if not os.path.isfile(path):
        return
    done = run("view", path, "-o", scratch("page.html"))
    if "meshopt" in done.err:
        return  # a build without that codec
    with open(scratch("page.html"), "rb") as file:
        _, gltf, _ = carried(file.read())
    check("meshopt" not in json.dumps(gltf.get("extensionsRequired", [])), "decompressed")


if __name__ == "__main__":
    main([test_usage, test_page, test_name, test_images, test_basis, test_compressed])
