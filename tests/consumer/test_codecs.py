# test_codecs.py: libsupple-codecs installed, moved, and found by CMake and by pkg-config.
import os
import shlex
import shutil
import sys

from _steps import HERE, WARNINGS, cached, check_consumer, empty_folder, find, install_and_move, need, run

need("cmake", "cc", "c++")
if cached("SUPPLE_BUILD_CODECS") == "OFF":
    print("this build has no codecs: skipped")
    sys.exit(77)
prefix = install_and_move()
build = empty_folder("by-cmake")
run("cmake", "-S", os.path.join(HERE, "codecs"), "-B", build, "-DCMAKE_C_COMPILER=" + cached("CMAKE_C_COMPILER"),
    "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", "-DCMAKE_PREFIX_PATH=" + prefix)
run("cmake", "--build", build)
check_consumer(os.path.join(build, "codecs-consumer"), prefix)
if shutil.which("pkg-config"):
    where = {"PKG_CONFIG_LIBDIR": os.path.dirname(find(prefix, "supple-codecs.pc"))}
    flags = shlex.split(run("pkg-config", "--cflags", "supple-codecs", **where))
    libraries = shlex.split(run("pkg-config", "--libs", "supple-codecs", **where))
    program = os.path.join(empty_folder("by-pkg-config"), "codecs-consumer")
    run("cc", "-std=c11", *WARNINGS, *flags, os.path.join(HERE, "codecs", "codecs_consumer.c"), "-o", program, *libraries)
    check_consumer(program, prefix)
