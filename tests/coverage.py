# coverage.py: line coverage of the library, held against docs/coverage.md. `sh dev coverage` runs it.
#
#   coverage.py report [--update] COVERAGE.json   after gcovr --json; --update rewrites the list of lines
#   coverage.py selftest
#
# The list has a heading for each source, below it paragraphs that say why, and after each the lines they speak of,
# indented by four spaces. A line is known by its text, so that edits elsewhere in the file do not move it.
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "docs", "coverage.md")
LEAST = 95.0  # per cent of the lines of src
UNEXPLAINED = "Not explained yet."
# What a machine needs to run these; elsewhere nothing can cover them.
NEEDS = {"avx2": r"_avx2\.[ch]$", "avx512f": r"_avx512\.[ch]$"}


def features():
    """Those of NEEDS that this processor has. Where the question does not compile, it is not an x86."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "features")
        tests = "".join('if (__builtin_cpu_supports("%s")) puts("%s");' % (name, name) for name in NEEDS)
        source = "#include <stdio.h>\nint main(void) { %s return 0; }\n" % tests
        built = subprocess.run(["cc", "-x", "c", "-o", program, "-"], input=source, text=True, capture_output=True)
        if built.returncode:
            return set()
        return set(subprocess.run([program], check=True, capture_output=True, text=True).stdout.split())


def read_report(path, present):
    """{file: {line: count}} of the sources that this machine can run, and the names of the others."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    files, excluded = {}, []
    for entry in data["files"]:
        name = entry["file"]
        lines = collections.Counter()
        for line in entry["lines"]:
            if not line.get("gcovr/noncode"):
                lines[line["line_number"]] += line["count"]
        if any(re.search(pattern, name) and feature not in present for feature, pattern in NEEDS.items()):
            excluded.append(name)
        elif lines:
            files[name] = dict(lines)
    return files, sorted(excluded)


def text_of(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return [" ".join(line.split()) for line in file.read().split("\n")]


def uncovered_of(files, root):
    """{file: [(number, text)]}"""
    uncovered = {}
    for name in sorted(files):
        text = text_of(root, name)
        lines = [(n, text[n - 1]) for n, count in sorted(files[name].items()) if count == 0]
        if lines:
            uncovered[name] = lines
    return uncovered


def read_list(text):
    """The head of the page, and {file: [(why, [line])]}."""
    parts = re.split(r"(?m)^## (src/\S+)\n", text)
    listed = {}
    for name, body in zip(parts[1::2], parts[2::2]):
        groups = listed.setdefault(name, [])
        for block in re.split(r"\n\s*\n", body.strip("\n")):
            if block.startswith("    "):
                if not groups:
                    groups.append((UNEXPLAINED, []))
                groups[-1][1].extend(" ".join(line.split()) for line in block.split("\n"))
            elif block.strip():
                groups.append((block.strip(), []))
    return parts[0], listed


def write_list(head, listed):
    text = head.rstrip("\n") + "\n"
    for name in sorted(listed):
        text += "\n## %s\n" % name
        for why, lines in listed[name]:
            text += "\n%s\n\n%s" % (why, "".join("    %s\n" % line for line in lines))
    return text


def match(uncovered, listed):
    """Three lists of (file, number, text): what is listed without a reason, what is not listed, and what is listed
    but gone or covered (without number)."""
    unexplained, missing, stale = [], [], []
    for name in sorted(set(uncovered) | set(listed)):
        known = collections.Counter()
        open_lines = collections.Counter()
        for why, lines in listed.get(name, []):
            known.update(lines)
            if why == UNEXPLAINED:
                open_lines.update(lines)
        for number, text in uncovered.get(name, []):
            if known[text] <= 0:
                missing.append((name, number, text))
            elif open_lines[text] > 0:
                unexplained.append((name, number, text))
                open_lines[text] -= 1
            known[text] -= 1
        stale += [(name, None, text) for text, left in known.items() for _ in range(max(left, 0))]
    return unexplained, missing, stale


def updated(uncovered, listed):
    """The list without what is gone, and with what is new under UNEXPLAINED."""
    result = {}
    for name in sorted(set(uncovered) | set(listed)):
        left = collections.Counter(text for _, text in uncovered.get(name, []))
        groups = []
        for why, lines in listed.get(name, []):
            kept = []
            for line in lines:
                if left[line] > 0:
                    left[line] -= 1
                    kept.append(line)
            if kept:
                groups.append((why, kept))
        new = []
        for _, text in uncovered.get(name, []):
            if left[text] > 0:
                left[text] -= 1
                new.append(text)
        if new and groups and groups[-1][0] == UNEXPLAINED:
            groups[-1] = (UNEXPLAINED, groups[-1][1] + new)
        elif new:
            groups.append((UNEXPLAINED, new))
        if groups:
            result[name] = groups
    return result


def print_table(files):
    print("%-34s %6s %9s %9s" % ("source", "lines", "uncovered", "covered"))
    total = covered = 0
    for name in sorted(files):
        count, hit = len(files[name]), sum(1 for n in files[name].values() if n > 0)
        print("%-34s %6d %9d %7.1f %%" % (name, count, count - hit, 100.0 * hit / count))
        total, covered = total + count, covered + hit
    share = 100.0 * covered / total if total else 0.0
    print("%-34s %6d %9d %7.1f %%" % ("all", total, total - covered, share))
    return share


def not_compiled(files, excluded):
    """Kernels of other processors: sources without a line in this build."""
    found = []
    for folder in ("src/kernels", "src/simd"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            path = "%s/%s" % (folder, name)
            if re.search(r"(kernels|vf)_\w+\.[ch]$", name) and path not in files and path not in excluded:
                found.append(path)
    return found


def report(path, update):
    files, excluded = read_report(path, features())
    uncovered = uncovered_of(files, ROOT)
    share = print_table(files)
    for name in not_compiled(files, excluded):
        print("not compiled for this machine: %s" % name)
    for name in excluded:
        print("left out, since this machine cannot run it: %s" % name)
    with open(LIST, encoding="utf-8") as file:
        head, listed = read_list(file.read())
    # What this machine cannot run can be neither right nor wrong here.
    elsewhere = {name: groups for name, groups in listed.items() if name in excluded}
    listed = {name: groups for name, groups in listed.items() if name not in excluded}
    if update:
        listed = updated(uncovered, listed)
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(write_list(head, {**listed, **elsewhere}))
    unexplained, missing, stale = match(uncovered, listed)
    print("\nlines that no test runs:")
    wrong = {(name, number): "not in docs/coverage.md" for name, number, _ in missing}
    wrong.update({(name, number): "not explained" for name, number, _ in unexplained})
    for name, lines in uncovered.items():
        for number, text in lines:
            note = wrong.get((name, number))
            print("%s:%d: %s%s" % (name, number, text, "  <-- %s" % note if note else ""))
    for name, _, text in stale:
        print("docs/coverage.md: %s: covered or gone, may leave the list: %s" % (name, text))
    if missing or unexplained:
        print("%d lines are neither tested nor explained in docs/coverage.md; `sh dev coverage --update` lists them"
              % (len(missing) + len(unexplained)))
    if share < LEAST:
        print("%.2f %% of the lines are covered; at least %.0f %% must be" % (share, LEAST))
    return 1 if missing or unexplained or share < LEAST else 0


def selftest():
    page = "# Head\n\nText.\n\n## src/a.c\n\nWhy\nnot.\n\n    x = 1;\n    x = 1;\n\n" + UNEXPLAINED + "\n\n    y();\n"
    head, listed = read_list(page)
    assert listed == {"src/a.c": [("Why\nnot.", ["x = 1;", "x = 1;"]), (UNEXPLAINED, ["y();"])]}, listed
    assert write_list(head, listed) == page, write_list(head, listed)
    found = {"src/a.c": [(1, "x = 1;"), (5, "y();"), (7, "z();")], "src/b.c": [(2, "w();")]}
    unexplained, missing, stale = match(found, listed)
    assert unexplained == [("src/a.c", 5, "y();")], unexplained
    assert missing == [("src/a.c", 7, "z();"), ("src/b.c", 2, "w();")], missing
    assert stale == [("src/a.c", None, "x = 1;")], stale
    new = updated(found, listed)
    assert new == {"src/a.c": [("Why\nnot.", ["x = 1;"]), (UNEXPLAINED, ["y();", "z();"])],
                   "src/b.c": [(UNEXPLAINED, ["w();"])]}, new
    assert match(found, new)[1:] == ([], [])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "coverage.json")
        line = {"line_number": 3, "count": 0, "gcovr/noncode": False}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"files": [{"file": "src/a.c", "lines": [line, {**line, "count": 2}]},
                                 {"file": "src/kernels/kernels_avx512.c", "lines": [line]}]}, file)
        assert read_report(path, {"avx2"}) == ({"src/a.c": {3: 2}}, ["src/kernels/kernels_avx512.c"])
        assert "src/kernels/kernels_avx512.c" in read_report(path, {"avx512f"})[0]


def main():
    arguments = sys.argv[1:]
    if arguments == ["selftest"]:
        return selftest()
    if len(arguments) >= 2 and arguments[0] == "report" and arguments[1:-1] in ([], ["--update"]):
        return report(arguments[-1], "--update" in arguments)
    print("usage: coverage.py report [--update] COVERAGE.json | selftest", file=sys.stderr)
    return 2


sys.exit(main())
