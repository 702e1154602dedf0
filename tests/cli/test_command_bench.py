# test_command_bench.py: `supple bench` tells right bits, prints what is recorded, and times.
import json
import os
import subprocess
import sys

ROOT = os.environ["SUPPLE_SOURCE_DIR"]
COMMAND = os.environ["SUPPLE_COMMAND"]
problems = []


def run(*arguments):
    done = subprocess.run([COMMAND, "bench", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def expect(fine, what):
    if not fine:
        problems.append(what)


def check_verify():
    status, out, err = run("--verify")
    lines = out.splitlines()
    expect(status == 0, "--verify exits with %d: %s" % (status, err))
    expect(len(lines) > 90, "--verify prints %d lines" % len(lines))
    expect(all(line.startswith("ok ") for line in lines[:-1]), "--verify: not every row is ok")
    expect("%d of %d rows are right" % (len(lines) - 1, len(lines) - 1) in lines[-1], "the closing line: " + lines[-1])
    status, out, _ = run("--verify", "--json")
    data = json.loads(out)
    expect(status == 0 and data["verified"] is True and data["machine"] and data["compiler"], "--verify --json")
    expect(len(data["golden"]) == len(lines) - 1, "--json has as many rows as the text")
    isas = set(data["golden"][0]) - {"row", "ok", "expected"}
    expect({"best", "scalar"} <= isas, "instruction sets %s" % isas)
    for row in data["golden"]:
        expect(row["ok"] is True and row["best"] == row["expected"] and len(row["expected"]) == 16, "row %s" % row)
        expect(set(row) - {"row", "ok", "expected"} in ({"best"}, isas), "row %s" % row)
        expect(all(row[isa] == row["expected"] for isa in isas & set(row)), "row %s" % row)


def check_print():
    status, out, _ = run("--verify", "--print")
    with open(os.path.join(ROOT, "cli", "golden_values.h"), encoding="utf-8") as file:
        expect(status == 0 and out == file.read(), "--print is not cli/golden_values.h")


def check_times():
    table = os.path.join(os.environ["SUPPLE_SCRATCH"], "figures.csv")
    os.makedirs(os.path.dirname(table), exist_ok=True)
    status, out, err = run("--quick", "--json", "--csv", table)
    expect(status == 0, "--quick --json exits with %d: %s" % (status, err))
    data = json.loads(out)
    keys = ("contestant method isa mesh vertices influences streams normals scale pose input threads ns"
            " copy_share").split()
    expect(list(data) == ["machine", "compiler", "rows"] and data["machine"] and data["compiler"], "what is measured where")
    words = {"contestant": "supple plain", "method": "lbs dqs", "streams": "p pn pnt", "scale": "rigid common affine",
             "pose": "small large", "input": "compiled user", "isa": "scalar sse2 avx2 avx512 neon wasm"}
    for row in data["rows"]:
        expect(list(row) == keys, "keys %s" % list(row))
        expect(all(row[key] in words[key].split() for key in words), "row %s" % row)
        expect(row["normals"] in (("linear", "unit", "cofactor") if row["streams"] != "p" else (None,)), "row %s" % row)
        expect(row["ns"] > 0 and row["copy_share"] > 0 and row["threads"] in (1, 2), "row %s" % row)
    for key in set(words) - {"isa"}: # all of them were timed
        expect({row[key] for row in data["rows"]} == set(words[key].split()), "%s of the rows" % key)
    meshes = {row["mesh"] for row in data["rows"]}
    expect({"coherent", "shuffled", "shuffled, sorted", "random", "1-4 influences", "8 influences"} <= meshes,
           "meshes %s" % meshes)
    with open(table, encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect(lines[0] == "# machine: " + data["machine"] and lines[1] == "# compiler: " + data["compiler"], "csv: where")
    expect(lines[3].split(",") == keys and len(lines) == 4 + len(data["rows"]), "csv: names and %d lines" % len(lines))


def check_usage():
    status, out, err = run("absent.glb")
    expect(status == 1 and not out and "absent.glb" in err, "a file that is absent: %d %s" % (status, err))
    for arguments in (["--print"], ["--verify", "--print", "--json"], ["--verify", "file.glb"], ["--nonsense"],
                      ["--verify", "--quick"], ["--goals", "--json"]):
        status, out, err = run(*arguments)
        expect(status == 2 and not out and err.startswith("supple bench: "), "%s: %d %s" % (arguments, status, err))


check_verify()
check_print()
check_times()
check_usage()
for problem in problems:
    print(problem)
print("%d problems" % len(problems))
sys.exit(1 if problems else 0)
