# test_plain_files.py: Supple's sources within somebody's program, by one line of a compiler.
import glob
import os

from _steps import HERE, ROOT, check_consumer, empty_folder, need, run

need("cc", "c++")
build = empty_folder("build")
sources = sorted(glob.glob(os.path.join(ROOT, "src", "*", "*.c")))
include = "-I" + os.path.join(ROOT, "include")

program = os.path.join(build, "consumer-c")
run("cc", "-std=c11", include, *sources, os.path.join(HERE, "consumer.c"), "-o", program, "-lm")
check_consumer(program)

# C++ links with the same objects.
run("cc", "-std=c11", include, "-c", *sources, cwd=build)
program = os.path.join(build, "consumer-cpp")
run("c++", "-std=c++17", include, os.path.join(HERE, "consumer.cpp"), *sorted(glob.glob(os.path.join(build, "*.o"))),
    "-o", program, "-lm")
check_consumer(program)
