# test_matrix.py: the same bits from every compiler, at every level of optimisation, for every machine.
#
# The golden rows are built and run by the compilers that are here and compared with cli/golden_values.h. With
# SUPPLE_ALL set also for other machines (arm64, 32-bit arm, WebAssembly, Windows), and the whole command is
# built for those that have one. What is not here is left out, and said so.
import glob
import multiprocessing.pool
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ["SUPPLE_SOURCE_DIR"]
SCRATCH = os.environ["SUPPLE_SCRATCH"]
ALL = os.environ.get("SUPPLE_ALL", "") not in ("", "0")
WARNINGS = "-Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Werror".split()
QUICK_LAYERS = "base math rig mesh kernels deform".split()  # what the golden rows need
MAIN = r"""
#include "golden.h"
#include <stdio.h>
int main(void) {
  for (uint32_t row = 0; row < cli_golden_count(); row++) {
    for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++) {
      char name[CLI_GOLDEN_NAME];
      uint64_t hash;
      const cli_golden_way way = {.isa = (supple_isa)isa};
      if (!supple_isa_available(way.isa) || (isa > 0 && !cli_golden_is_deformation(row))) continue;
      cli_golden_name(row, name);
      const supple_result result = cli_golden_compute(row, &way, &hash);
      if (result) return printf("%s: %s\n", name, supple_result_text(result)), 1;
      printf("%08lx%08lx %s %s\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu),
             supple_isa_text(way.isa), name);
    }
  }
  return 0;
}
"""
RUN_WASM = r"""
import { WASI } from 'node:wasi';
import { readFileSync } from 'node:fs';
const wasi = new WASI({ version: 'preview1', args: ['golden'] });
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
process.exitCode = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
"""
left_out = []
ran = {}  # the instruction sets of each target


def recorded():
    with open(os.path.join(ROOT, "cli", "golden_values.h"), encoding="utf-8") as file:
        rows = re.findall(r'^\{"([^"]+)", 0x([0-9a-f]{16})u\},$', file.read(), re.M)
    return {name: value for name, value in rows}


def run(arguments, **keywords):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          timeout=600, **keywords)
    return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


def compare(output, expected):
    """What is wrong with lines of "HASH ISA ROW"; in passing which instruction sets there were."""
    missing, wrong = dict(expected), []
    for line in output.splitlines():
        value, isa, name = line.split(" ", 2)
        missing.pop(name, None)
        if expected.get(name) != value:
            wrong.append("%s by %s" % (name, isa))
    wrong += ["%s is missing" % name for name in missing]
    return "%d results differ: %s" % (len(wrong), ", ".join(wrong[:6])) if wrong else ""


def instruction_sets(output):
    return ", ".join(sorted({line.split(" ", 2)[1] for line in output.splitlines()} - {"best"}))


def find(*names):
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return None


class Machine:
    """Where programs run: a command put before them, and the end of their names."""

    def __init__(self, prefix=(), suffix="", environment=None, flags=()):
        self.prefix, self.suffix, self.flags = list(prefix), suffix, list(flags)
        self.environment = dict(os.environ, **(environment or {}))
        self.runs = True


def windows():
    wine = find("wine64", "/usr/lib/wine/wine64", "wine")
    prefix = os.path.join(SCRATCH, "wine")
    machine = Machine([wine] if wine else [], ".exe", {"WINEPREFIX": prefix, "WINEDEBUG": "-all"},
                      ["-Wno-float-conversion"])  # isfinite() and signbit() are macros that warn there
    machine.runs = False
    if wine:
        try:
            status, output = run([wine, "cmd", "/c", "echo here"], env=machine.environment)
            machine.runs = status == 0 and "here" in output
        except (OSError, subprocess.TimeoutExpired):
            pass
    if not machine.runs:
        left_out.append("wine does not run here: programs for Windows are built only")
    return machine


def sources(layers=("*",)):
    found = []
    for layer in layers:
        found += sorted(glob.glob(os.path.join(ROOT, "src", layer, "*.c")))
    return found


def build(name, compiler, flags, machine, files):
    program = os.path.join(SCRATCH, name + machine.suffix)
    if os.path.exists(program):
        os.remove(program)
    command = [compiler, *flags, *WARNINGS, *machine.flags, "-I" + os.path.join(ROOT, "include"),
               "-iquote", os.path.join(ROOT, "cli")]
    if machine.suffix == ".wasm":
        # A linking clang that is told to optimise runs binaryen's wasm-opt where that is installed, and takes what that
        # makes of it: compiled first, linked without.
        folder = os.path.join(SCRATCH, name + "-objects")
        os.makedirs(folder, exist_ok=True)
        status, output = run([*command, "-c", *files], cwd=folder)
        objects = sorted(glob.glob(os.path.join(folder, "*.o")))
        if status == 0:
            status, output = run([compiler, *(flag for flag in flags if flag.startswith("--target")), *objects, "-lm",
                                  "-o", program])
    else:
        status, output = run([*command, *files, "-lm", "-o", program])
    if status != 0:
        return None, "does not build without warnings:\n" + "\n".join(output.splitlines()[:30])
    return program, ""


def golden_target(name, compiler, flags, machine, layers=("*",)):
    def check(expected):
        files = sources(layers) + sorted(glob.glob(os.path.join(ROOT, "cli", "golden*.c")))
        program, problem = build(name, compiler, flags, machine, files + [os.path.join(SCRATCH, "main.c")])
        if problem or not machine.runs:
            return problem
        status, output = run([*machine.prefix, program], env=machine.environment)
        if status != 0:
            return "exit %d: %s" % (status, output[-500:])
        ran[name] = instruction_sets(output)
        return compare(output, expected)
    return name, check


def check_command(program, machine):
    """Its bits are right, and it reads what it wrote to a path that is not ASCII."""
    status, output = run([*machine.prefix, program, "bench", "--verify"], env=machine.environment)
    if status != 0:
        return "bench --verify: exit %d: %s" % (status, output[-500:])
    place = program + ".files"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for fixture in ("ring", "arm"):  # the second replaces the first
        status, output = run([*machine.prefix, program, "fixture", fixture, "-o", "h\u00e9 \u6f22.glb"],
                             env=machine.environment, cwd=place)
        if status != 0 or os.listdir(place) != ["h\u00e9 \u6f22.glb"]:
            return "fixture: exit %d: %s %s" % (status, output[-500:], os.listdir(place))
    status, output = run([*machine.prefix, program, "compare", "--json", "h\u00e9 \u6f22.glb"], env=machine.environment,
                         cwd=place)
    if status != 0 or '"twist-180"' not in output:
        return "compare: exit %d: %s" % (status, output[:500])
    return ""


def command_target(name, compiler, flags, machine, resources=None):
    def check(_):
        files = sources() + sorted(glob.glob(os.path.join(ROOT, "cli", "*.c")))
        if resources:
            compiled = os.path.join(SCRATCH, name + ".res.o")
            status, output = run([resources, "-O", "coff", "-I", os.path.join(ROOT, "cli"),
                                  os.path.join(ROOT, "cli", "windows.rc"), compiled])
            if status != 0:
                return output
            files.append(compiled)
        program, problem = build(name, compiler, flags, machine, files)
        return problem or (check_command(program, machine) if machine.runs else "")
    return name, check


def quick_targets():
    here, found = Machine(), []
    for compiler in ("gcc", "clang"):
        if not find(compiler):
            left_out.append(compiler + " is not here")
            continue
        for level in ("-O0", "-O2", "-O3"):
            found.append(golden_target(compiler + level, compiler, ["-std=c11", level], here, QUICK_LAYERS))
        found.append(golden_target(compiler + "-native", compiler, ["-O3", "-march=native"], here, QUICK_LAYERS))
    if find("cc"):
        found.append(golden_target("cc", "cc", [], here))
    return found


def emulated(targets, architecture, compiler, root, levels, whole):
    emulator = find("qemu-" + architecture)
    if not find(compiler) or not emulator:
        left_out.append("%s or qemu-%s is not here" % (compiler, architecture))
        return
    machine = Machine([emulator, "-L", root])
    for level in levels:
        targets.append(golden_target(architecture + "".join(level), compiler, list(level), machine))
    if whole:
        targets.append(command_target(architecture + "-supple", compiler, ["-std=c11", "-O2", "-pthread"], machine))


def all_targets():
    here, found = Machine(), []
    for compiler in ("gcc", "clang", "clang-16"):
        if find(compiler):
            found.append(command_target(compiler + "-supple", compiler, ["-std=c11", "-O2", "-pthread"], here))
        else:
            left_out.append(compiler + " is not here")
    if find("clang-16"):
        found.append(golden_target("clang-16-native", "clang-16", ["-O3", "-march=native"], here))
    emulated(found, "aarch64", "aarch64-linux-gnu-gcc", "/usr/aarch64-linux-gnu",
             [("-O0",), ("-O3",), ("-std=c11", "-O2"), ("-O3", "-march=armv8.5-a")], True)
    emulated(found, "arm", "arm-linux-gnueabihf-gcc", "/usr/arm-linux-gnueabihf",
             [("-O3",), ("-O3", "-mfpu=neon-vfpv4")], False)
    if find("clang-16") and find("wasm-ld-16") and find("node"):
        machine = Machine([find("node"), "--no-warnings", os.path.join(SCRATCH, "run_wasm.mjs")], ".wasm")
        for level in (["-O0"], ["-O3"], ["-O3", "-msimd128"]):
            found.append(golden_target("wasm32" + "".join(level), "clang-16", ["--target=wasm32-wasi", *level], machine))
    else:
        left_out.append("clang-16, wasm-ld-16 or node is not here: no WebAssembly")
    mingw = "x86_64-w64-mingw32-"
    if find(mingw + "gcc"):
        machine = windows()
        for level in ("-O0", "-O3"):
            found.append(golden_target("windows" + level, mingw + "gcc", [level], machine))
        found.append(command_target("windows-supple", mingw + "gcc", ["-std=c11", "-O2"], machine, mingw + "windres"))
    else:
        left_out.append(mingw + "gcc is not here")
    return found


def prove(expected):
    """It must be able to fail."""
    lines = ["%s best %s" % (value, name) for name, value in expected.items()]
    wrong = ["%016x%s" % (int(lines[0][:16], 16) ^ 1, lines[0][16:])] + lines[1:]
    proofs = [(lines, True), (wrong, False), (lines[1:], False), (lines + ["0" * 16 + " best more"], False)]
    return all((compare("\n".join(text), expected) == "") == right for text, right in proofs)


def main():
    os.makedirs(SCRATCH, exist_ok=True)
    for name, text in (("main.c", MAIN), ("run_wasm.mjs", RUN_WASM)):
        with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
            file.write(text)
    expected = recorded()
    if len(expected) < 90 or not prove(expected):
        print("the check itself is wrong: %d rows recorded" % len(expected))
        return 1
    targets = quick_targets() + (all_targets() if ALL else [])
    failures = 0
    with multiprocessing.pool.ThreadPool(os.cpu_count() or 1) as pool:
        for name, problem in pool.imap(lambda target: (target[0], target[1](expected)), targets):
            failures += problem != ""
            print("%-28s %s" % (name, problem or "fine" + (": " + ran[name] if name in ran else "")), flush=True)
    if ALL:
        server = find("wineserver", "/usr/lib/wine/wineserver64")
        if server:  # of this scratch folder alone
            subprocess.run([server, "-k"], env=dict(os.environ, WINEPREFIX=os.path.join(SCRATCH, "wine")))
    for reason in left_out:
        print("left out:", reason)
    print("%d builds, %d problems" % (len(targets), failures))
    return 1 if failures or not targets else 0


sys.exit(main())
