# test_shared.py: the shared library: its name, its symbols, and both ways of finding it.
import os
import re
import shutil
import sys

from _steps import ROOT, by_cmake, by_pkg_config, cached, check, empty_folder, find, need, run, version

need("cmake", "cc", "c++", "nm")
build, prefix = empty_folder("library"), os.path.join(empty_folder("installed"), "prefix")
run("cmake", "-S", ROOT, "-B", build, "-DCMAKE_C_COMPILER=" + cached("CMAKE_C_COMPILER"), "-DCMAKE_BUILD_TYPE=Debug",
    "-DBUILD_SHARED_LIBS=ON", "-DSUPPLE_WERROR=ON", "-DSUPPLE_BUILD_COMMAND=OFF", "-DSUPPLE_BUILD_TESTS=OFF",
    "-DSUPPLE_BUILD_BENCH=OFF", "-DSUPPLE_BUILD_EXAMPLES=OFF", "-DCMAKE_INSTALL_PREFIX=/opt/elsewhere")
run("cmake", "--build", build, "--parallel", "2")
run("cmake", "--install", build, "--prefix", prefix)
moved = prefix + " moved"
os.rename(prefix, moved)
prefix = moved

by_cmake("by-cmake", "-DCMAKE_PREFIX_PATH=" + prefix, prefix=prefix)
if shutil.which("pkg-config"):
    by_pkg_config("by-pkg-config", prefix)

if sys.platform.startswith("linux"):
    library = find(prefix, "libsupple.so." + version())
    minor = ".".join(version().split(".")[:2])  # 0.x promises no ABI from one minor version to the next
    link = os.path.join(os.path.dirname(library), "libsupple.so." + minor)
    check(os.path.realpath(link) == os.path.realpath(library), "%s is no link to the library" % link)
    if shutil.which("readelf"):
        dynamic = run("readelf", "-d", library)
        check(re.search(r"SONAME.*\[libsupple\.so\.%s\]" % re.escape(minor), dynamic), "SONAME: " + dynamic)
        needed = set(re.findall(r"NEEDED.*\[(.*?)\]", dynamic))
        check(all(re.match(r"(libc|libm|ld-\w[\w-]*)\.", name) for name in needed), "it needs %s" % sorted(needed))
    # Every symbol, by nm itself and by the check of the house.
    names = {line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", library).split("\n") if line}
    check(names and all(re.match(r"supple_[a-z]", name) for name in names),
          "exported: %s" % sorted(n for n in names if not n.startswith("supple_")))
    print(run(sys.executable, "-B", os.path.join(ROOT, "tests", "house", "test_symbols.py"), SUPPLE_LIBRARY=library))
