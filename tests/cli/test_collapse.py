# test_collapse.py: the joints that `compare` says collapse on real characters, confirmed from the files alone.
#
# Everything that `compare --json` says of a joint at its worst time is worked out again here in double precision:
# the file is read and posed, vertices are deformed by the formulas, and kept comes from finite differences of the
# deformation (all in _rig.py); the bind pose is cut anew. Sections, edges and volume are also taken from what
# `supple skin` prints, so that the whole way from file to figure is walked twice. (In a range of motion the joint
# matrices are those that `supple joints` prints.)
import json
import math
import os
import subprocess
import sys

from _rig import (THRESHOLD, File, Instance, Moment, add, apply, cross, dot, from_columns, size, sub, times, turn,
                  unit)

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
CORPUS = os.environ.get("SUPPLE_CORPUS", "")
OFFSETS = [round(-0.6 + 0.15 * k, 2) for k in range(9)]
problems = []
counted = {"joints": 0, "collapsing": 0, "numbers": 0, "unclear": 0, "ties": 0}


def check(fine, *what):
    if not fine:
        problems.append(" ".join(str(w) for w in what))
        print("FAIL", problems[-1])


def near(ours, theirs, tolerance, *what):
    counted["numbers"] += 1
    if ours is None or theirs is None:
        check(ours is None and theirs is None, *what, "ours", ours, "theirs", theirs)
    else:
        check(abs(ours - theirs) <= tolerance, *what, "ours", ours, "theirs", theirs)


# ---- sections ----

def plane_of(i, joint, k):
    """(origin, axis) of cut k around a joint in the bind pose."""
    before, after = unit(i.incoming[joint]), unit(i.outgoing[joint])
    length, axis = (size(i.incoming[joint]), before) if k < 4 else (size(i.outgoing[joint]), after)
    if k == 4:
        axis = unit(add(before, after)) if size(add(before, after)) > 1e-3 else after
    return add(i.heads[joint], times(axis, OFFSETS[k] * length)), axis


def loops_of(i, origin, axis):
    """Closed loops of the cut, each a list of (source a, source b, share)."""
    sides = [dot(sub(i.points[v], origin), axis) for v in i.first]
    links = {}
    for t in i.triangles:
        w = [i.welded[v] for v in t]
        ends = [(min(a, b), max(a, b)) for a, b in ((w[0], w[1]), (w[1], w[2]), (w[2], w[0]))
                if (sides[a] >= 0) != (sides[b] >= 0)]
        if ends and ends[1] not in links.setdefault(ends[0], []):
            links[ends[0]].append(ends[1])
            links.setdefault(ends[1], []).append(ends[0])
    if any(len(l) > 2 for l in links.values()):
        return None # no surface: which pieces belong together is a matter of taste
    loops, seen = [], set()
    for start in links:
        loop, before, at = [], None, start
        while at is not None and at not in seen:
            seen.add(at)
            loop.append(at)
            at, before = next((e for e in links[at] if e != before and e not in seen), None), at
        if len(loop) > 2 and len(links[loop[0]]) == 2 and loop[0] in links[loop[-1]]:
            loops.append([(i.first[a], i.first[b], sides[a] / (sides[a] - sides[b])) for a, b in loop])
    return loops


def places(loop, points):
    return [add(times(points[a], 1 - t), times(points[b], t)) for a, b, t in loop]


def vector_area(ring):
    middle = times((sum(p[0] for p in ring), sum(p[1] for p in ring), sum(p[2] for p in ring)), 1 / len(ring))
    total = (0, 0, 0)
    for k in range(len(ring)):
        total = add(total, times(cross(sub(ring[k - 1], middle), sub(ring[k], middle)), 0.5))
    return total


def winds(ring, origin, axis):
    """How often the ring goes around, by adding up angles."""
    x = unit(cross(axis, (1, 0, 0) if abs(axis[0]) < 0.7 else (0, 1, 0)))
    y = cross(axis, x)
    angles = [math.atan2(dot(sub(p, origin), y), dot(sub(p, origin), x)) for p in ring]
    whole = 2 * math.pi
    return round(sum(math.remainder(b - a, whole) for a, b in zip(angles, angles[1:] + angles[:1])) / whole)


def own_joints(i, joint):
    """The joint, the ends of its two bones, those passed over between, and helpers that lie on the bones."""
    own, k = {joint}, joint
    while k is not None and k != i.above[joint]:
        own.add(k)
        k = i.parents[k]
    k = i.below[joint]
    while k is not None and k != joint:
        own.add(k)
        k = i.parents[k]
    if i.above[joint] is not None:
        own.add(i.above[joint])
    for k in range(len(i.joints)):
        if i.parents[k] == joint:
            start, bone = i.heads[joint], i.outgoing[joint]
        elif i.above[joint] is not None and i.parents[k] == i.above[joint]:
            start, bone = sub(i.heads[joint], i.incoming[joint]), i.incoming[joint]
        else:
            continue
        d, length = sub(i.heads[k], start), size(bone)
        along = dot(d, unit(bone))
        off = size(sub(d, times(unit(bone), along)))
        if -0.05 * length <= along <= 1.05 * length and off <= 0.1 * length:
            own.add(k)
    return own


def own_share(i, loop, own):
    weight = lambda v: sum(w for j, w in i.influences[v] if j in own)
    ring, total, all_of_it = places(loop, i.points), 0, 0
    for k, (a, b, t) in enumerate(loop):
        length = size(sub(ring[k], ring[k - 1])) + size(sub(ring[k], ring[(k + 1) % len(ring)]))
        total += length * ((1 - t) * weight(a) + t * weight(b))
        all_of_it += length
    return total / all_of_it if all_of_it else 0


def sections_of(i, joint):
    """For each offset the loop, None where there is none; and what became of the cuts. Unclear cuts: None, None."""
    found, seen = [], set()
    own = own_joints(i, joint)
    for k in range(9):
        origin, axis = plane_of(i, joint, k)
        best, loops = None, loops_of(i, origin, axis)
        if loops is None:
            return None, None
        for loop in loops:
            seen.add("closed")
            ring = places(loop, i.points)
            if not winds(ring, origin, axis):
                continue
            seen.add("enclosing")
            share, area = own_share(i, loop, own), size(vector_area(ring))
            if share >= 0.8 and area > 1e-10 * i.diagonal ** 2 and (
                    best is None or share > best[0] + 1e-9 or share > best[0] - 1e-9 and area > best[1]):
                best = (share, area, loop)
        found.append(best[2] if best else None)
    return found, ("ok" if any(found) else "ambiguous" if "enclosing" in seen else "outside" if seen else "open")


def status_of(i, joint):
    named = [v for v in i.influences if any(j == joint for j, _ in v)]
    if not named:
        return "unweighted"
    if all(len(v) == 1 for v in named):
        return "rigid"
    if i.outgoing[joint] is None:
        return "outside"
    return sections_of(i, joint)[1]


def reach(ring, origin, axis):
    distances = []
    for p in ring:
        d = sub(p, origin)
        distances.append(size(sub(d, times(axis, dot(d, axis)))))
    return min(distances), max(distances)


def measure_joint(i, moment, joint, sections, points):
    """(smallest section and its offset, at_joint) of posed points."""
    worst, offset, at = None, None, None
    for k, loop in enumerate(sections):
        if not loop:
            continue
        scale = sum(i.scales[a] * (1 - t) + i.scales[b] * t for a, b, t in loop) / len(loop)
        before, after = places(loop, moment.rest), places(loop, points)
        area = size(vector_area(before)) * scale ** 2
        section = size(vector_area(after)) / area
        if worst is None or section < worst:
            worst, offset = section, OFFSETS[k]
        if k != 4:
            continue
        origin, axis = plane_of(i, joint, k)
        up = i.above[joint] if i.above[joint] is not None else joint
        into = unit(turn(moment.palette[up], unit(i.incoming[joint])))
        out = unit(turn(moment.palette[joint], unit(i.outgoing[joint])))
        bisector = unit(add(into, out)) if size(add(into, out)) > 1e-3 else out
        rest = reach(before, origin, axis)
        posed = reach(after, apply(moment.palette[joint], origin), bisector)
        flat = abs(dot(vector_area(before), axis)) * scale ** 2
        at = {"section": section, "section_projected": abs(dot(vector_area(after), bisector)) / flat,
              "radius": posed[0] / (rest[0] * scale), "bulge": posed[1] / (rest[1] * scale)}
    return worst, offset, at


# ---- against the command ----

def ask(*arguments):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, timeout=120)
    check(done.returncode == 0, arguments, done.stderr.decode(errors="replace"))
    return json.loads(done.stdout) if done.stdout else {}


RANGE = ["twist=90", "twist=-90", "twist=180", "bend=90", "bend=120"]


class Asset:
    def __init__(self, name, range_of_motion=False):
        self.path = os.path.join(CORPUS, "assets", name)
        self.name = os.path.basename(name)
        self.file = File(self.path)
        self.range = range_of_motion
        self.report = ask("compare", "--json", self.path, *(["--motion", "rom"] if range_of_motion else []))
        self.instances, self.moments, self.posed, self.sections = {}, {}, {}, {}

    def instance(self, node):
        if node not in self.instances:
            self.instances[node] = Instance(self.file, node)
        return self.instances[node]

    def arguments(self, clip, t):
        """What poses the command as the report's frame was posed."""
        shown = self.report["clips"][clip]
        if not self.range:
            return ["--clip", "#%d" % clip, "--time", repr(shown["times"][t])]
        return ["--pose", "%s:%s" % (shown["clip"], RANGE[t])]

    def moment(self, clip, t, node):
        """Our own palette; in a range of motion the turned joint's comes from the command."""
        if (clip, t, node) not in self.moments:
            i, moved = self.instance(node), {}
            if self.range:
                skin = self.file.nodes[node]["skin"]
                told = ask("joints", self.path, "--json", *self.arguments(clip, t))["skins"][skin]
                palette = [from_columns(j["matrix"]) for j in told["joints"]]
            else:
                moved = self.file.sample(clip, self.report["clips"][clip]["times"][t])
                palette = i.palette(self.file.worlds(moved))
            self.moments[clip, t, node] = Moment(i, palette, i.morphed(moved))
        return self.moments[clip, t, node]

    def skin(self, clip, t, node, method):
        """The node's vertices, from the command."""
        if (clip, t, method) not in self.posed:
            self.posed[clip, t, method] = ask("skin", self.path, "--json", "--method", method,
                                              *self.arguments(clip, t))["primitives"]
        points = []
        for p in self.posed[clip, t, method]:
            if p["node"] == node:
                flat = p["positions"]
                points += [tuple(flat[k:k + 3]) for k in range(0, len(flat), 3)]
        return points

    def section(self, node, joint):
        if (node, joint) not in self.sections:
            self.sections[node, joint] = sections_of(self.instance(node), joint)
        return self.sections[node, joint]


def keeps(joint, method, t):
    """The smaller of own_kept and the worst section; None where neither exists."""
    numbers = [joint["own_kept"][method][t], joint["worst"]["section"][method][t] if joint["worst"] else None]
    return min((n for n in numbers if n is not None), default=None)


def candidates(asset):
    """(keeps, clip, time, instance, joint, method) of every joint where it keeps least, worst first."""
    least = {}
    for c, clip in enumerate(asset.report["clips"]):
        for n, instance in enumerate(clip["instances"]):
            for joint in instance["joints"]:
                for method in ("lbs", "dqs"):
                    for t in range(len(clip["times"])):
                        value, key = keeps(joint, method, t), (n, joint["joint"], method)
                        if value is not None and (key not in least or value < least[key][0]):
                            least[key] = (value, c, t, n, joint["joint"], method)
    return sorted(least.values())


def confirm_own(moment, method, joint, told, where):
    """Our own_kept, held against the command's; of ties, as the command decided."""
    possible, sure = moment.own_kept(method, joint)
    if possible == sure:
        near(possible, told, 1e-4, where, "own_kept")
        return possible
    counted["ties"] += 1
    check(told is None and sure is None or told is not None and told >= possible - 1e-4 and
          (sure is None or told <= sure + 1e-4), where, "own_kept", told, "not in", possible, sure)
    return told


def confirm(asset, chosen):
    value, c, t, n, j, method = chosen
    clip = asset.report["clips"][c]
    said = clip["instances"][n]
    joint, node = said["joints"][j], said["node"]
    where = "%s %s %s %g %s" % (asset.name, joint["name"], clip["clip"], clip["times"][t], method)
    i, moment = asset.instance(node), asset.moment(c, t, node)
    points = asset.skin(c, t, node, method)
    off = max(size(sub(p, moment.place(method, v, r))) for p, v, r in zip(points, i.influences, moment.rest))
    check(off < 1e-5 * i.diagonal * max(i.scales), where, "vertices are off by", off)
    kept = moment.kept(method, j)
    near(kept, joint["kept"][method][t], 1e-4, where, "kept")
    own = confirm_own(moment, method, j, joint["own_kept"][method][t], where)
    sections, status = asset.section(node, j)
    worst = None
    if sections is not None and joint["status"] in ("ok", "ambiguous", "outside", "open"):
        check(status == joint["status"], where, "status", status, joint["status"])
        worst, offset, at = measure_joint(i, moment, j, sections, points)
        near(worst, joint["worst"]["section"][method][t] if joint["worst"] else None, 1e-4, where, "worst")
        for key in at or {}:
            if joint["at_joint"] is None:
                check(False, where, "no section at the joint, and we found one")
            else:
                near(at[key], joint["at_joint"][key][method][t], 2e-4 * max(1, at[key]), where, key)
    ours = min(x for x in (own, worst) if x is not None)
    counted["joints"] += 1
    counted["unclear"] += sections is None
    counted["collapsing"] += ours < THRESHOLD
    if abs(value - THRESHOLD) > 1e-4 and sections is not None:
        check((ours < THRESHOLD) == (value < THRESHOLD), where, "collapses, or does not:", ours, value)


def confirm_instance(asset, chosen):
    _, c, t, n, _, _ = chosen
    said = asset.report["clips"][c]["instances"][n]
    where = "%s %s" % (asset.name, asset.report["clips"][c]["clip"])
    i, moment = asset.instance(said["node"]), asset.moment(c, t, said["node"])
    for method in ("lbs", "dqs"):
        points = asset.skin(c, t, said["node"], method)
        for key, value in moment.edges(points).items():
            near(value, said["edges"][method][key][t], 1e-4 * max(1, value), where, "edges", method, key)
        if len(i.points) < 1000:
            near(moment.kept_below(method), said["kept_below"][method][t], 1e-4, where, "kept_below", method)
        if any(i.shells):
            near(moment.volume(points), said["volume"][method][t] if said["volume"] else None, 1e-4,
                 where, "volume", method)
        else:
            check(said["volume"] is None, where, "volume of no closed shell", said["volume"])


# file, range of motion, how many of the worst joints under each method, and what must be found of some: joint,
# method, whether it collapses. Those that do were looked at in pictures, and are as the comments say.
ASSETS = [
    ("khronos/Fox/glTF-Binary/Fox.glb", False, 8, [  # paws bent back by 166°; knees and elbows by 90°
        ("b_LeftHand_011", "lbs", True), ("b_LeftLeg02_016", "lbs", True), ("b_RightForeArm_07", "lbs", True),
        ("b_RightLeg02_020", "dqs", False)]),
    ("khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb", False, 4, [
        ("arm_joint_R_1", "lbs", True), ("leg_joint_L_2", "lbs", False)]),  # the armpit of a lowered arm
    ("khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb", True, 5, [
        ("torso_joint_3", "lbs", True)]),  # the chest twisted by 180°: a sandglass
    ("derived/RiggedFigure-blender-8infl.glb", False, 4, [("arm_joint_R_2", "lbs", True)]),
    ("quaternius/Character.glb", False, 5, [  # the crease of a raised thigh, sharp under LBS, round under DQS
        ("UpperLeg.L", "lbs", True), ("UpperLeg.L", "dqs", False)]),
    ("quaternius/Manta_ray.glb", True, 4, [  # one ring of long triangles turned by 180°: no weights can help
        ("Spine4", "lbs", True), ("Spine4", "dqs", True)]),
    ("threejs-models/RobotExpressive.glb", False, 4, [("Index.R", "lbs", True), ("Index.R", "dqs", False)]),
    ("raylib/greenman.glb", False, 6, [("body_up", "dqs", False)]),
    ("derived/TwistTube.glb", False, 3, [("b", "lbs", True), ("b", "dqs", False)]),  # candy wrapper; round
    ("vrm/cryptovoxels.vrm", True, 5, [  # candy wrapper; flat and wrung, since weights differ around the arm
        ("Right elbow", "lbs", True), ("Right elbow", "dqs", True)]),
    ("blender-io/03_skinned_cylinder.gltf", True, 4, [  # to a point; hour-glass between rings far apart
        ("Joint_Three", "lbs", True), ("Joint_Three", "dqs", True)]),
]


def choose(asset, count, seen):
    """The worst of each method, those on either side of the threshold, and those seen in pictures."""
    all_of_them, chosen = candidates(asset), []
    for method in ("lbs", "dqs"):
        mine = [x for x in all_of_them if x[5] == method]
        edge = next((k for k, x in enumerate(mine) if x[0] >= THRESHOLD), len(mine))
        chosen += [x for x in mine[:count] + mine[max(0, edge - 1):edge + 1] if x not in chosen]
    for name, method, collapses in seen:
        found = [x for x in all_of_them if x[5] == method and name_of(asset, x) == name]
        check(found and (found[0][0] < THRESHOLD) == collapses, asset.name, name, method,
              "should collapse" if collapses else "should not collapse", found[:1])
        chosen += [x for x in found[:1] if x not in chosen]
    return chosen


def name_of(asset, candidate):
    _, c, _, n, j, _ = candidate
    return asset.report["clips"][c]["instances"][n]["joints"][j]["name"]


def confirm_statuses(asset, statuses):
    """Of each instance the first two joints of each status."""
    for said in asset.report["clips"][0]["instances"]:
        i, seen = asset.instance(said["node"]), {}
        for joint in said["joints"]:
            seen.setdefault(joint["status"], []).append(joint["joint"])
        for status, joints in seen.items():
            for j in joints[:2]:
                ours = status_of(i, j)
                check(ours in (status, None), asset.name, said["joints"][j]["name"], "status", status, "ours", ours)
                if ours:
                    statuses[status] = statuses.get(status, 0) + 1


def main():
    if not CORPUS or not os.path.isdir(os.path.join(CORPUS, "assets")):
        print("skipped: no corpus of real assets")
        sys.exit(77)
    if not COMMAND or not os.path.isfile(COMMAND):
        print("skipped: the command was not built")
        sys.exit(77)
    statuses, names = {}, set()
    for name, range_of_motion, count, seen in ASSETS:
        before = counted["collapsing"]
        asset = Asset(name, range_of_motion)
        chosen = choose(asset, count, seen)
        for one in chosen:
            confirm(asset, one)
        confirm_instance(asset, chosen[0])
        confirm_statuses(asset, statuses)
        if counted["collapsing"] > before:
            names.add(name)
    check(len(names) >= 8, "joints collapse on", len(names), "characters only")
    for status in ("ok", "rigid", "unweighted", "open", "outside", "ambiguous"):
        check(statuses.get(status), "no joint was", status)
    print("%(joints)d joints measured anew, %(collapsing)d of them collapse; %(numbers)d numbers; sections of "
          "%(unclear)d left out, whose cuts branch; %(ties)d where joints turn alike" % counted)
    check(2 * counted["unclear"] < counted["joints"], "too few sections were measured")
    print("%d characters; statuses %s; %d problems" % (len(names), statuses, len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
