# test_render_studio.py: what surfaces look like: materials, textures, alpha, heat maps, wires, sections.
import base64
import copy
import os
import struct
import zlib

from _cli import check, main, run, scratch, tube, write_gltf
from _picture import is_covered, render, skip_without_gl

PLAIN = ("--background", "none", "--no-labels", "--turn", "0", "--tilt", "0", "--size", "64x64")


def png(width, height, pixels):
    """RGBA pixels, rows from the top, as PNG."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + bytes(sum(pixels[y * width:(y + 1) * width], ())) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def square(material=None, image=None, sampler=None, colors=None):
    """One square of 2 by 2 that faces the camera, not skinned; its texture's upper left corner is at (-1, 1)."""
    streams = [("POSITION", "VEC3", [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), ("NORMAL", "VEC3", [0, 0, 1] * 4),
               ("TEXCOORD_0", "VEC2", [0, 1, 1, 1, 1, 0, 0, 0])] + ([("COLOR_0", "VEC4", colors)] if colors else [])
    data, accessors, attributes = b"", [], {}
    for name, kind, values in streams:
        attributes[name] = len(accessors)
        accessors.append({"bufferView": 0, "byteOffset": len(data), "componentType": 5126, "count": 4, "type": kind})
        data += struct.pack("<%df" % len(values), *values)
    accessors[0].update(min=[-1, -1, 0], max=[1, 1, 0])
    accessors.append({"bufferView": 0, "byteOffset": len(data), "componentType": 5123, "count": 6, "type": "SCALAR"})
    data += struct.pack("<6H", 0, 1, 2, 0, 2, 3)
    primitive = {"attributes": attributes, "indices": len(accessors) - 1}
    gltf = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "scene": 0, "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [primitive]}], "accessors": accessors,
            "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
            "buffers": [{"byteLength": len(data),
                         "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    if material is not None:
        gltf["materials"] = [copy.deepcopy(material)]
        primitive["material"] = 0
    if image is not None:
        gltf["images"] = [{"uri": "data:image/png;base64," + base64.b64encode(image).decode()}]
        gltf["samplers"] = [sampler or {"magFilter": 9728}]
        gltf["textures"] = [{"source": 0, "sampler": 0}]
        gltf["materials"][0].setdefault("pbrMetallicRoughness", {})["baseColorTexture"] = {"index": 0}
    return gltf


UNLIT = {"extensions": {"KHR_materials_unlit": {}}}
QUARTERS = png(2, 2, [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 0)])


def near(pixel, wanted, by=6):
    return all(abs(a - b) <= by for a, b in zip(pixel, wanted))


def test_colours_are_gamma_correct():
    half = 0.21404  # linear light of sRGB 127.5
    material = dict(UNLIT, pbrMetallicRoughness={"baseColorFactor": [half, half, 1, 1]})
    picture, _ = render(write_gltf("unlit.gltf", square(material)), *PLAIN)
    check(near(picture.at(32, 32), (127, 127, 255, 255), 2), picture.at(32, 32))
    both, _ = render(write_gltf("colors.gltf", square(material, colors=[half, 1, 0, 1] * 4)), *PLAIN)
    check(near(both.at(32, 32), (61, 127, 0, 255), 3), both.at(32, 32))  # 0.21404² as sRGB: 60.9


def test_texture():
    picture, told = render(write_gltf("texture.gltf", square(UNLIT, QUARTERS)), *PLAIN)
    check(told == "", told)
    found = [picture.at(x, y) for x, y in ((20, 20), (44, 20), (20, 44), (44, 44))]
    for pixel, wanted in zip(found, ((255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255))):
        check(near(pixel, wanted), "%r instead of %r" % (pixel, wanted))
    turned = square(UNLIT, QUARTERS)
    turned["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {
        "KHR_texture_transform": {"offset": [0.5, 0]}}
    turned["extensionsUsed"] = ["KHR_texture_transform"]
    picture, _ = render(write_gltf("moved.gltf", turned), *PLAIN)
    check(near(picture.at(20, 20), (0, 255, 0, 255)), "an offset of half: %r" % (picture.at(20, 20),))
    check(near(picture.at(44, 20), (255, 0, 0, 255)), "it repeats: %r" % (picture.at(44, 20),))
    broken, told = render(write_gltf("broken.gltf", square(UNLIT, QUARTERS[:-30])), *PLAIN)
    check("material 0: drawn without its texture: libpng" in told, told)
    check(is_covered(*broken.at(32, 32)), "a broken texture hides the mesh")
    _, told = render(write_gltf("foreign.gltf", square(UNLIT, b"RIFF....WEBP")), *PLAIN)
    check("not PNG or JPEG" in told, told)


def test_alpha():
    for mode, wanted in (("OPAQUE", 255), ("MASK", 0), ("BLEND", 0)):
        picture, _ = render(write_gltf("alpha.gltf", square(dict(UNLIT, alphaMode=mode), QUARTERS)), *PLAIN)
        check(picture.at(44, 44)[3] == wanted, "%s: %r" % (mode, picture.at(44, 44)))
        check(picture.at(20, 20)[3] == 255, "%s: %r" % (mode, picture.at(20, 20)))
    glass = dict(UNLIT, alphaMode="BLEND", pbrMetallicRoughness={"baseColorFactor": [1, 0, 0, 0.5]})
    picture, _ = render(write_gltf("glass.gltf", square(glass)), *PLAIN)
    check(near(picture.at(32, 32), (255, 0, 0, 128), 3), "half transparent: %r" % (picture.at(32, 32),))
    over, _ = render(scratch("glass.gltf"), *PLAIN[2:], "--background", "#00f")
    check(near(over.at(32, 32), (188, 0, 188, 255), 3), "red over blue, half of the light: %r" % (over.at(32, 32),))


def test_sides():
    behind = [*PLAIN[:4], "180", *PLAIN[5:]]
    picture, _ = render(write_gltf("one.gltf", square(UNLIT)), *behind)
    check(picture.count(is_covered) == 0, "the back of a single-sided square shows")
    picture, _ = render(write_gltf("both.gltf", square(dict(UNLIT, doubleSided=True))), *behind)
    check(is_covered(*picture.at(32, 32)), "the back of a double-sided square does not show")
    mirrored = square(UNLIT)
    mirrored["nodes"][0]["scale"] = [-1, 1, 1]
    picture, _ = render(write_gltf("mirrored.gltf", mirrored), *PLAIN)
    check(is_covered(*picture.at(32, 32)), "a mirrored node faces the other way")


def test_heat():
    arm, wide = scratch("arm.glb"), ("--size", "200x120")
    picture, _ = render(arm, "--clip", "twist-180", "--time", "1", "--methods", "lbs,dqs", "--heat", "kept", *PLAIN[:-2],
                        *wide)

    def is_lost(r, g, b, a):
        return a > 127 and r > 1.8 * max(g, 1) and r > 1.8 * max(b, 1)
    check(picture.count(is_lost, 0, 100) > 20, "LBS loses nothing")
    check(picture.count(is_lost, 100, 200) == 0, "DQS loses something")
    picture, _ = render(arm, "--clip", "twist-180", "--time", "1", "--methods", "lbs,dqs", "--heat", "deviation",
                        *PLAIN[:-2], *wide)

    def is_coloured(r, g, b, a):
        return a > 127 and r > b + 40
    check(picture.count(is_coloured, 0, 100) == 0, "the first method is away from itself")
    check(picture.count(is_coloured, 100, 200) > 100, "DQS is nowhere away from LBS")
    bare, _ = render(arm, *PLAIN[:-2], *wide)
    labels, _ = render(arm, "--heat", "kept", *(o for o in PLAIN[:-2] if o != "--no-labels"), *wide)
    check(labels.count(is_covered) > bare.count(is_covered) + 100, "no scale")


def test_wires_and_sections():
    arm = scratch("arm.glb")
    bare, _ = render(arm, *PLAIN[:-1], "128x128")
    wires, _ = render(arm, "--wireframe", *PLAIN[:-1], "128x128")

    def light(picture):
        return sum(sum(picture.at(64, y)[:3]) for y in range(40, 90))
    check(light(wires) < 0.97 * light(bare), "wires are not dark: %d, %d" % (light(wires), light(bare)))
    sections, told = render(arm, "--sections", "lower", *PLAIN[:-1], "128x128")
    check(told == "", told)
    check(sections.count(lambda r, g, b, a: r > 190 and g < 90 and b > 70) > 10, "no section at the joint")
    check(sections.count(lambda r, g, b, a: b > 170 and r < 90) > 40, "no sections around it")
    _, told = render(write_gltf("tube.gltf", tube()), "--sections", "root", *PLAIN)
    check("no section to draw" in told or told == "", told)


def test_scale_first_comes_from_the_cpu():
    path = write_gltf("scaled.gltf", tube(second_scale=[1, 1, 1]))
    one, _ = render(path, "--clip", "turn", "--time", "0.5", "--methods", "dqs", *PLAIN)
    other, _ = render(path, "--clip", "turn", "--time", "0.5", "--methods", "dqs", "--scale", "first", *PLAIN)
    apart = sum(abs(a - b) for y in range(64) for a, b in zip(one.rows[y], other.rows[y]))
    check(one.count(is_covered) > 100 and apart < 64 * 64, "GPU and CPU draw rigid joints %d apart" % apart)


if __name__ == "__main__":
    if os.path.isfile(os.environ.get("SUPPLE_COMMAND", "")):
        os.makedirs(scratch(""), exist_ok=True)
        skip_without_gl()
        run("fixture", "arm", "-o", scratch("arm.glb"))
    main([test_colours_are_gamma_correct, test_texture, test_alpha, test_sides, test_heat, test_wires_and_sections,
          test_scale_first_comes_from_the_cpu])
