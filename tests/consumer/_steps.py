# _steps.py: what the consumer tests share: tools, an installation, and the consumer's program.
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.environ["SUPPLE_SOURCE_DIR"]
BUILD = os.environ["SUPPLE_BINARY_DIR"]
SCRATCH = os.environ["SUPPLE_SCRATCH"]
HERE = os.path.join(ROOT, "tests", "consumer")
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wdouble-promotion", "-Wpedantic", "-Werror"]


def environment(**more):
    """The environment without the make that may have started the tests."""
    kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return {**kept, **more}


def run(*arguments, cwd=None, **more):
    """The output; ends the test where the program fails."""
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          text=True, encoding="utf-8", cwd=cwd, env=environment(**more), timeout=280)
    if done.returncode:
        print(" ".join(arguments))
        print(done.stdout)
        sys.exit("%s fails with %d" % (arguments[0], done.returncode))
    return done.stdout


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            print("needs %s: skipped" % tool)
            sys.exit(77)


def check(condition, text):
    if not condition:
        sys.exit("wrong: " + text)


def empty_folder(name):
    path = os.path.join(SCRATCH, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def cached(name):
    """A variable of this build's CMake cache."""
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        match = re.search(r"(?m)^%s:\w+=(.*)$" % re.escape(name), file.read())
    return match.group(1) if match else ""


def version():
    with open(os.path.join(ROOT, "include", "supple", "base.h"), encoding="utf-8") as file:
        return re.search(r'SUPPLE_VERSION_TEXT "([\d.]+)"', file.read()).group(1)


def install_and_move():
    """This build installed under one prefix, then moved to another, which is returned."""
    if cached("SUPPLE_INSTALL") == "OFF":
        print("this build offers no installation: skipped")
        sys.exit(77)
    first, second = os.path.join(SCRATCH, "first"), os.path.join(SCRATCH, "moved here")
    for path in (first, second):
        shutil.rmtree(path, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", first)
    os.rename(first, second)
    return second


def find(folder, name):
    """The one file of that name below the folder."""
    found = [os.path.join(path, name) for path, _, names in os.walk(folder) if name in names]
    check(len(found) == 1, "%s is in %s" % (name, found or "no place"))
    return found[0]


def library_path(prefix):
    """The environment in which a shared library below a prefix is found."""
    folders = {path for path, _, names in os.walk(prefix) if any(n.startswith("libsupple.") for n in names)}
    joined = os.pathsep.join(sorted(folders))
    return {"LD_LIBRARY_PATH": joined, "DYLD_LIBRARY_PATH": joined}


def check_consumer(program, prefix=None):
    output = run(program, **(library_path(prefix) if prefix else {}))
    check(output == "supple %s: consumed\n" % version(), "%s says %r" % (program, output))


def by_cmake(folder, *settings, prefix=None):
    """Configures, builds and runs the consumer's project; returns its build folder."""
    build = empty_folder(folder)
    compiler = cached("CMAKE_C_COMPILER")
    # The path is no default of ours to search: a package of the machine must not be found instead.
    run("cmake", "-S", HERE, "-B", build, "-DCMAKE_C_COMPILER=" + compiler, "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        *settings)
    run("cmake", "--build", build, "--parallel", "2")
    for name in ("consumer-c", "consumer-cpp"):
        check_consumer(os.path.join(build, name), prefix)
    return build


def by_pkg_config(folder, prefix):
    """Compiles, links and runs the consumer with what pkg-config says, as C11 and as C++17."""
    build = empty_folder(folder)
    where = {"PKG_CONFIG_LIBDIR": os.path.dirname(find(prefix, "supple.pc"))}
    check(run("pkg-config", "--modversion", "supple", **where).strip() == version(), "the version of supple.pc")

    flags = shlex.split(run("pkg-config", "--cflags", "supple", **where))
    libraries = shlex.split(run("pkg-config", "--libs", "supple", **where))
    for compiler, standard, source in (("cc", "c11", "consumer.c"), ("c++", "c++17", "consumer.cpp")):
        program = os.path.join(build, source + ".out")
        run(compiler, "-std=" + standard, *WARNINGS, *flags, os.path.join(HERE, source), "-o", program, *libraries)
        check_consumer(program, prefix)
