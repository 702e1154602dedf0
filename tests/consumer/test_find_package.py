# test_find_package.py: Supple installed, moved, and found by CMake.
from _steps import by_cmake, check, find, install_and_move, need

need("cmake", "cc", "c++")
prefix = install_and_move()
by_cmake("build", "-DCMAKE_PREFIX_PATH=" + prefix, prefix=prefix)
with open(find(prefix, "supple-config.cmake"), encoding="utf-8") as file:
    check("/first" not in file.read(), "supple-config.cmake names the prefix of its installation")
