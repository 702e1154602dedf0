# test_usd_material.py: materials as UsdPreviewSurface, and their images as files.
import base64
import math
import os
import struct
import zlib

import _usd
from _cli import check, close, expect, main, run, scratch, tube, write_gltf


def png(value):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes([0, value, value, value]))) + chunk(b"IEND", b""))


def textured(material, images, texture=None, coords=True):
    gltf = tube()
    primitive = gltf["meshes"][0]["primitives"][0]
    if coords:
        data = struct.pack("<24f", *[c / 24 for c in range(24)])
        gltf["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                                base64.b64encode(data).decode()})
        gltf["bufferViews"].append({"buffer": 1, "byteLength": len(data)})
        gltf["accessors"].append({"bufferView": 1, "componentType": 5126, "count": 12, "type": "VEC2"})
        primitive["attributes"]["TEXCOORD_0"] = len(gltf["accessors"]) - 1
    primitive["material"] = 0
    gltf["materials"] = [material]
    if images:
        gltf["images"] = images
        gltf["textures"] = [texture or {"source": 0}]
    return gltf


def shaders(stage):
    return {s.path.rpartition("/")[2]: s for s in stage.root.all("Shader")}


def inside(value, name=""):
    image = {"uri": "data:image/png;base64," + base64.b64encode(png(value)).decode()}
    return dict(image, name=name) if name else image


def test_plain():
    material = {"name": "skin & bone", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 0.5],
                                                                "metallicFactor": 0.125, "roughnessFactor": 0.75},
                "emissiveFactor": [1, 0.5, 0], "alphaMode": "BLEND"}
    out = scratch("plain.usda")
    expect(0, "", "convert", write_gltf("plain.gltf", textured(material, None)), "-o", out)
    stage = _usd.load(out)
    bound = stage.find(stage.root.all("Mesh")[0].get("material:binding"))
    check(bound.path == "/plain/Materials/skin_bone" and bound.meta["displayName"] == "skin & bone", "names")
    surface = shaders(stage)["Surface"]
    check(bound.properties["outputs:surface"].connection == (surface.path, "outputs:surface"), "surface")
    check(surface.get("info:id") == "UsdPreviewSurface" and surface.get("inputs:useSpecularWorkflow") == 0, "workflow")
    check((surface.get("inputs:diffuseColor"), surface.get("inputs:opacity")) == ([0.5, 0.25, 1], 0.5), "colour")
    check((surface.get("inputs:metallic"), surface.get("inputs:roughness")) == (0.125, 0.75), "metal, roughness")
    check(surface.get("inputs:emissiveColor") == [1, 0.5, 0], "emissive")
    check(stage.root.all("Mesh")[0].get("primvars:displayColor") == [[0.5, 0.25, 1]], "display colour")
    material.update(alphaMode="MASK", alphaCutoff=0.25)
    expect(0, "", "convert", write_gltf("plain.gltf", textured(material, None)), "-o", out)
    check(shaders(_usd.load(out))["Surface"].get("inputs:opacityThreshold") == 0.25, "cut-off")
    material["alphaMode"] = "OPAQUE"
    expect(0, "", "convert", write_gltf("plain.gltf", textured(material, None)), "-o", out)
    check(shaders(_usd.load(out))["Surface"].get("inputs:opacity") is None, "opaque")


def test_texture():
    material = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 1, 1], "baseColorTexture": {
        "index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.25, 0.125], "rotation": 0.5, "scale": [2, 3]}}}},
        "alphaMode": "MASK"}
    gltf = textured(material, [inside(7, "A face!")], {"source": 0, "sampler": 0})
    gltf["samplers"] = [{"wrapS": 33071, "wrapT": 33648}]
    gltf["extensionsUsed"] = ["KHR_texture_transform"]
    os.makedirs(scratch("elsewhere"), exist_ok=True)
    out = scratch("elsewhere/My out.usda")
    expect(0, "", "convert", write_gltf("textured.gltf", gltf), "-o", out)
    stage = _usd.load(out)
    found = shaders(stage)
    texture = found["BaseColor"]
    check(texture.get("inputs:file") == "My_out-A_face.png", "a file named after both: %s" % texture.get("inputs:file"))
    with open(scratch("elsewhere/My_out-A_face.png"), "rb") as file:
        check(file.read() == png(7), "its bytes")
    check(sorted(os.listdir(scratch("elsewhere"))) == ["My out.usda", "My_out-A_face.png"], "and no others")
    check((texture.get("inputs:wrapS"), texture.get("inputs:wrapT")) == ("clamp", "mirror"), "wrap modes")
    check(texture.get("inputs:scale") == [1, 0.5, 1, 1], "factor")
    surface = found["Surface"]
    check(surface.properties["inputs:diffuseColor"].connection == (texture.path, "outputs:rgb"), "colour")
    check(surface.properties["inputs:opacity"].connection == (texture.path, "outputs:a"), "alpha")
    check(texture.properties["inputs:st"].connection == (found["Transform"].path, "outputs:result"), "moved")
    check(found["Transform"].properties["inputs:in"].connection == (found["Coordinates"].path, "outputs:result"), "read")
    check(found["Coordinates"].get("inputs:varname") == "st", "from st")
    # what USD makes of st = (u, 1 - v), against the extension's matrices, with v turned over again
    move = found["Transform"]
    angle = math.radians(move.get("inputs:rotation"))
    for u, v in ((0, 0), (0.3, 0.8), (1, 0.25)):
        x, y = u * move.get("inputs:scale")[0], (1 - v) * move.get("inputs:scale")[1]
        s = math.cos(angle) * x - math.sin(angle) * y + move.get("inputs:translation")[0]
        t = math.sin(angle) * x + math.cos(angle) * y + move.get("inputs:translation")[1]
        # three's and the extension's: scale, turn by (cos, sin; -sin, cos), move
        wanted_u = math.cos(0.5) * 2 * u + math.sin(0.5) * 3 * v + 0.25
        wanted_v = -math.sin(0.5) * 2 * u + math.cos(0.5) * 3 * v + 0.125
        check(close([s, 1 - t], [wanted_u, wanted_v]), "(%g, %g): %g, %g" % (u, v, s, 1 - t))


def test_image_files():
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    with open(scratch("own image.png"), "wb") as file:
        file.write(png(9))
    path = write_gltf("files.gltf", textured(material, [{"uri": "own%20image.png"}]))
    expect(0, "", "convert", path, "-o", scratch("files.usda"))
    check(shaders(_usd.load(scratch("files.usda")))["BaseColor"].get("inputs:file") == "own image.png", "used as it is")
    os.makedirs(scratch("copied"), exist_ok=True)
    expect(0, "", "convert", path, "-o", scratch("copied/files.usda"))
    name = shaders(_usd.load(scratch("copied/files.usda")))["BaseColor"].get("inputs:file")
    check(name == "files-own_image.png", "copied: %s" % name)
    with open(scratch("copied/" + name), "rb") as file:
        check(file.read() == png(9), "as it is")
    path = write_gltf("missing.gltf", textured(material, [{"uri": "nowhere.png"}]))
    done = expect(0, "image 0 (nowhere.png) could not be read", "convert", path, "-o", scratch("copied/missing.usda"))
    check("BaseColor" not in shaders(_usd.load(scratch("copied/missing.usda"))), "the colour alone: " + done.err)
    path = write_gltf("stdout.gltf", textured(material, [inside(3)]))
    done = expect(0, "is not written beside stdout", "convert", path, "-o", "-")
    check(done.out.startswith(b"#usda 1.0\n") and b"@stdout-image_0.png@" in done.out, "on stdout")


def test_others():
    material = {"extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {"baseColorFactor": [0.5, 1, 0, 1]}}
    gltf = textured(material, None)
    gltf["extensionsUsed"] = ["KHR_materials_unlit"]
    expect(0, "", "convert", write_gltf("unlit.gltf", gltf), "-o", scratch("unlit.usda"))
    surface = shaders(_usd.load(scratch("unlit.usda")))["Surface"]
    check(surface.get("inputs:emissiveColor") == [0.5, 1, 0] and surface.get("inputs:diffuseColor") == [0, 0, 0], "unlit shines")
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}
    gltf = textured(material, [inside(1)])
    gltf["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = \
        gltf["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]
    expect(0, "other texture coordinates than TEXCOORD_0", "convert", write_gltf("second.gltf", gltf), "-o",
           scratch("second.usda"))


if __name__ == "__main__":
    main([test_plain, test_texture, test_image_files, test_others])
