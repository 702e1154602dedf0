# test_command_compare.py: the command compare: the facts of the fixtures, JSON, the page, exit codes, threads.
import base64
import html.parser
import json
import os
import re
import struct
import subprocess
import sys

COMMAND = os.environ["SUPPLE_COMMAND"]
SCRATCH = os.environ["SUPPLE_SCRATCH"]
HOSTILE = "<script>alert(1)</script>\"'&\u202e\x1b[31m"

# fixture, clip, section under LBS and DQS, section projected, volume: as printed, in %.
FACTS = [
    ("arm", "twist-180", ("0.00", "100.00"), None, ("84.948", "99.904")),
    ("arm", "bend-129", ("43.05", "100.00"), None, ("93.853", "99.962")),
    ("arm", "twist-90-bend-100", ("40.49", "100.00"), ("32.14", "92.81"), ("92.457", "99.952")),
]
# Deformed along whole frames: every time of the clip has one entry.
SERIES = ("section", "section_projected", "radius", "bulge")

failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(str(w) for w in what))


def run(*arguments, expected=0):
    done = subprocess.run([COMMAND, "compare", *arguments], capture_output=True, timeout=250)
    check(done.returncode == expected, "exit", done.returncode, "not", expected, arguments,
          done.stderr.decode(errors="replace"))
    return done.stdout.decode(), done.stderr.decode(errors="replace")


def path_of(name):
    return os.path.join(SCRATCH, name)


def make_fixtures():
    for name in ("arm", "ring"):
        subprocess.run([COMMAND, "fixture", name, "-o", path_of(name + ".glb")], check=True, timeout=60)


def percent(ratio, digits):
    return "%.*f" % (digits, 100 * ratio)


# ---- JSON ----
def strict(text):
    def refuse(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=refuse)


def is_series(values, count):
    return isinstance(values, list) and len(values) == count and all(
        v is None or isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def check_by_method(value, methods, count, where):
    check(list(value) == methods, where, list(value))
    for method in value:
        check(is_series(value[method], count), where, method)


def check_joint(joint, methods, count):
    where = "joint %r" % joint["name"]
    check(list(joint) == ["joint", "name", "status", "at_joint", "worst", "kept", "own_kept"], where, list(joint))
    check(joint["status"] in ("ok", "rigid", "unweighted", "open", "outside", "ambiguous"), where, joint["status"])
    if joint["at_joint"] is not None:
        check(tuple(joint["at_joint"]) == SERIES, where, list(joint["at_joint"]))
        for key in joint["at_joint"]:
            check_by_method(joint["at_joint"][key], methods, count, where + " " + key)
    if joint["worst"] is not None:
        check(list(joint["worst"]) == ["offset", "section"], where)
        offset = joint["worst"]["offset"]
        check(offset is None or min(abs(offset - (-0.6 + 0.15 * k)) for k in range(9)) < 1e-6, where, offset)
        check_by_method(joint["worst"]["section"], methods, count, where + " worst")
    check_by_method(joint["kept"], methods, count, where + " kept")
    check_by_method(joint["own_kept"], methods, count, where + " own_kept")
    for method in methods:
        for kept, own in zip(joint["kept"][method], joint["own_kept"][method]):
            check(own is None or own >= kept, where, "own_kept is of fewer vertices, and so no less", own, kept)


def check_instance(instance, methods, count):
    check(list(instance) == ["node", "skin", "volume", "edges", "flipped", "kept_below", "deviation", "joints"],
          list(instance))
    if instance["volume"] is not None:
        check_by_method(instance["volume"], methods, count, "volume")
    for method in methods:
        check(list(instance["edges"][method]) == ["mean", "min", "max"], "edges")
        for key in instance["edges"][method]:
            check(is_series(instance["edges"][method][key], count), "edges", key)
    check_by_method(instance["flipped"], methods, count, "flipped")
    check_by_method(instance["kept_below"], methods, count, "kept_below")
    check(list(instance["deviation"]) == methods[1:], "deviation", list(instance["deviation"]))
    for method in methods[1:]:
        check(list(instance["deviation"][method]) == ["max", "rms", "max_metres"], "deviation")
        for key in instance["deviation"][method]:
            check(is_series(instance["deviation"][method][key], count), "deviation", key)
    for joint in instance["joints"]:
        check_joint(joint, methods, count)


def check_schema(data, methods):
    check([k for k in data] == ["file", "methods", "threshold", "clips"], list(data))
    check(data["methods"] == methods, data["methods"])
    check(data["threshold"] == 0.75, data["threshold"])
    for clip in data["clips"]:
        check([k for k in clip if k != "poses"] == ["clip", "times", "instances"], list(clip))
        check(is_series(clip["times"], len(clip["times"])) and len(clip["times"]) > 0, clip["clip"])
        for instance in clip["instances"]:
            check_instance(instance, methods, len(clip["times"]))


def compare_json(*arguments):
    data = strict(run("--json", *arguments)[0])
    check_schema(data, data["methods"])
    return data


# ---- the facts ----
def check_arm(data):
    for _, name, section, projected, volume in FACTS:
        clip = next(c for c in data["clips"] if c["clip"] == name)
        instance = clip["instances"][0]
        joint = next(j for j in instance["joints"] if j["at_joint"])
        for which, method in enumerate(("lbs", "dqs")):
            got = percent(joint["at_joint"]["section"][method][-1], 2)
            check(got == section[which], "arm", name, method, "section", got)
            got = percent(instance["volume"][method][-1], 3)
            check(got == volume[which], "arm", name, method, "volume", got)
            if projected:
                got = percent(joint["at_joint"]["section_projected"][method][-1], 2)
                check(got == projected[which], "arm", name, method, "projected", got)
            check(joint["at_joint"]["section"][method][0] is not None
                  and abs(joint["at_joint"]["section"][method][0] - 1) < 1e-6, "arm", name, "at rest")


def check_ring(data):
    instance = data["clips"][0]["instances"][0]
    check(data["clips"][0]["clip"] == "twist-180", data["clips"][0]["clip"])
    check(instance["volume"] is None, "the ring is open")
    joint = next(j for j in instance["joints"] if j["at_joint"])
    for method, radius, edge in (("lbs", "0.0", 0.95007), ("dqs", "100.0", 1.05119)):
        got = percent(joint["at_joint"]["radius"][method][-1], 1)
        check(got == radius, "ring", method, "radius", got)
        got = instance["edges"][method]["mean"][-1]
        check(abs(got - edge) < 2e-5, "ring", method, "mean edge", got)


def check_facts():
    arm = compare_json(path_of("arm.glb"))
    check([c["clip"] for c in arm["clips"]] == ["twist-180", "bend-129", "twist-90-bend-100"], "clips of the arm")
    check_arm(arm)
    check_ring(compare_json(path_of("ring.glb")))


def check_choices():
    arm = path_of("arm.glb")
    data = compare_json(arm, "--clip", "bend-129", "--frames", "4")
    check([c["clip"] for c in data["clips"]] == ["bend-129"] and len(data["clips"][0]["times"]) == 4, "--frames")
    data = compare_json(arm, "--clip", "#0", "--time", "0.5")
    check(data["clips"][0]["times"] == [0.5], "--time", data["clips"][0]["times"])
    data = compare_json(arm, "--methods", "dqs", "--clip", "#0")
    check(data["methods"] == ["dqs"] and data["clips"][0]["instances"][0]["deviation"] == {}, "--methods dqs")
    data = compare_json(arm, "--pose", "#1:twist=180")
    joint = next(j for j in data["clips"][0]["instances"][0]["joints"] if j["at_joint"])
    check(percent(joint["at_joint"]["section"]["lbs"][0], 2) == "0.00", "--pose")
    data = compare_json(arm, "--motion", "rom")
    check(all(c["poses"] == ["twist 90°", "twist −90°", "twist 180°", "bend 90°", "bend 120°"] for c in data["clips"]),
          "--motion rom")


# ---- files of our own ----
def glb(document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def write_tube(path, clips):
    """A square tube of three rings on two joints of hostile names; with a clip that twists it, or without."""
    corners = [(0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)]
    positions = [(x, y, z) for y in (0, 1, 2) for x, z in corners]
    faces = []
    for ring in (0, 4):
        for i in range(4):
            a, b = ring + i, ring + (i + 1) % 4
            faces += [a, b, a + 4, b, b + 4, a + 4]
    faces += [0, 2, 1, 0, 3, 2, 8, 9, 10, 8, 10, 11]
    weights = [(1, 0, 0, 0)] * 4 + [(0.5, 0.5, 0, 0)] * 4 + [(0, 1, 0, 0)] * 4
    parts = [
        (b"".join(struct.pack("<3f", *p) for p in positions), 5126, 12, "VEC3"),
        (struct.pack("<%dH" % len(faces), *faces), 5123, len(faces), "SCALAR"),
        (b"".join(struct.pack("<4B", 0, 1, 0, 0) for _ in positions), 5121, 12, "VEC4"),
        (b"".join(struct.pack("<4f", *w) for w in weights), 5126, 12, "VEC4"),
        (struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
         + struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1), 5126, 2, "MAT4"),
        (struct.pack("<2f", 0, 1), 5126, 2, "SCALAR"),
        (struct.pack("<8f", 0, 0, 0, 1, 0, 1, 0, 0), 5126, 2, "VEC4"),
    ]
    binary, views, accessors = b"", [], []
    for data, component, count, kind in parts:
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": count, "type": kind})
        binary += data + b"\0" * (-len(data) % 4)
    accessors[0].update(min=[-0.5, 0, -0.5], max=[0.5, 2, 0.5])
    accessors[5].update(min=[0], max=[1])
    document = {
        "asset": {"version": "2.0", "generator": HOSTILE},
        "buffers": [{"byteLength": len(binary)}], "bufferViews": views, "accessors": accessors,
        "meshes": [{"name": HOSTILE, "primitives": [
            {"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1}]}],
        "nodes": [{"name": HOSTILE + "a", "children": [1]}, {"name": HOSTILE + "b", "translation": [0, 1, 0]},
                  {"name": HOSTILE, "mesh": 0, "skin": 0}],
        "skins": [{"name": HOSTILE, "joints": [0, 1], "inverseBindMatrices": 4}],
        "scenes": [{"nodes": [0, 2]}], "scene": 0,
    }
    if clips:
        document["animations"] = [{"name": HOSTILE, "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
                                   "samplers": [{"input": 5, "output": 6}]}]
    with open(path, "wb") as file:
        file.write(glb(document, binary))


# ---- the page ----
class Page(html.parser.HTMLParser):
    """Which elements and attributes stand in a page, and whether they nest."""
    EMPTY = {"meta", "br", "img"}
    ALLOWED = set("html head meta title style body header main footer nav section article div p span h1 h2 h3 a b br em"
                  " strong bdi table caption thead tbody tr th td dl dt dd ul li code svg desc path circle text"
                  " tspan figure img".split())

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.text, self.counts, self.ids, self.links = [], [], "", {}, set(), set()
        self.feed(text)
        self.close()
        self.problems += ["open: " + " ".join(self.open)] if self.open else []
        self.problems += ["no target for " + link for link in self.links - self.ids]

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in self.ALLOWED:
            self.problems.append("<%s>" % tag)
        for name, value in attributes:
            if tag == "img" and name == "src" and value.startswith("data:image/png;base64,"):
                continue
            if name in ("src", "style") or name.startswith("on") or name == "href" and not value.startswith("#"):
                self.problems.append("%s=%s" % (name, value))
            if name == "id":
                self.ids.add("#" + value)
            if name == "href":
                self.links.add(value)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append("</%s>" % tag)

    def handle_data(self, data):
        self.text += data


def check_page(text, what):
    pictures = re.findall(r'src="data:image/png;base64,([A-Za-z0-9+/]+=*)"', text)
    for picture in pictures:
        check(base64.b64decode(picture).startswith(b"\x89PNG\r\n\x1a\n"), what, "a picture is not PNG")
    text = re.sub(r' src="data:image/png;base64,[A-Za-z0-9+/=]*"', "", text)
    for word in ("http", "src=", "<link", "<script", "url(", "@import", "\x1b"):
        check(word not in text, what, "has", word)
    page = Page(text)
    check(not page.problems, what, page.problems[:5])
    return page


def check_pages():
    tube, report = path_of("tube.glb"), path_of("tube.html")
    write_tube(tube, True)
    table, _ = run(tube, "-o", report)
    check("2 of 2 joints collapse under LBS (cross-section kept < 75 %)" in table, table)
    check("\x1b" not in table and "script" in table, "the table", repr(table))
    with open(report, encoding="utf-8") as file:
        text = file.read()
    page = check_page(text, "the page of a hostile file")
    check("2 of 2 joints collapse under linear blend skinning" in page.text, "the sentence")
    check("<script>alert(1)</script>\"'&" in page.text, "the name is shown as it is")
    check(text.count("class=\"outline\"") >= 1, "no section is drawn")
    to_stdout, _ = run(tube, "-o", "-")
    check(to_stdout == text, "-o - is another page")
    run(path_of("arm.glb"), "-o", path_of("arm.html"))
    with open(path_of("arm.html"), encoding="utf-8") as file:
        page = check_page(file.read(), "the page of the arm")
    check(page.counts.get("svg", 0) >= 10, "pictures", page.counts.get("svg"))
    check("lower keeps 0.0\u202f% of its cross-section" in page.text or "upper keeps 0.0\u202f% of its cross-section"
          in page.text, "the sentence of the arm")
    check(os.path.getsize(path_of("arm.html")) < 300000, "size of the page")


def check_without_clips():
    tube = path_of("still.glb")
    write_tube(tube, False)
    data = compare_json(tube)
    check(len(data["clips"]) == 1 and data["clips"][0]["clip"] == HOSTILE + "b", "falls back to a range of motion")
    joint = data["clips"][0]["instances"][0]["joints"][1]
    kept = joint["kept"]
    # A half turn leaves nothing of the middle ring; a quarter turn half of the area.
    check(abs(kept["lbs"][2]) < 1e-5 and abs(kept["lbs"][0] - 0.5) < 1e-5 and abs(kept["dqs"][2] - 1) < 1e-5, kept)
    page = check_page(run(tube, "-o", "-")[0], "the page of a range of motion")
    check("at twist 180° of" in page.text, "the sentence of a range of motion")
    _, message = run(tube, "--motion", "clips", expected=1)
    check("no clips" in message, message)


def check_exit_codes():
    arm = path_of("arm.glb")
    run(arm)
    run(arm, "--fail-under", "90")  # judges dqs, which keeps 100 %
    _, message = run(arm, "--fail-under", "90", "--methods", "dqs,lbs", expected=1)
    check("0.0 %" in message and "under LBS" in message, message)
    run(arm, "--fail-under", "90", "--methods", "lbs", expected=1)
    run(arm, "--fail-under", "0", "--methods", "lbs")
    run(path_of("none.glb"), expected=1)
    run(arm, "--clip", "twist", expected=2)
    run(arm, "--threshold", "0", expected=2)
    run(arm, "--methods", "lbs,xyz", expected=2)
    run(arm, "--json", "-o", "-", expected=2)
    run(arm, "-o", path_of("x.json"), expected=2)
    run(arm, "--motion", "rom", "--frames", "4", expected=2)
    run(expected=2)
    table, _ = run(arm, "--threshold", "10")
    check("kept < 10 %" in table, table)


def check_threads():
    for arguments in (("--json",), ("-o", "-"), ()):
        outputs = {run(path_of("arm.glb"), "--frames", "7", "--threads", n, *arguments)[0] for n in ("1", "3")}
        check(len(outputs) == 1, "threads change the output of", arguments)


def main():
    make_fixtures()
    check_facts()
    check_choices()
    check_pages()
    check_without_clips()
    check_exit_codes()
    check_threads()
    for failure in failures:
        print(failure)
    print("%d failures" % len(failures))
    return 1 if failures else 0


sys.exit(main())
