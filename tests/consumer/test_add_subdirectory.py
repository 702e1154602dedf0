# test_add_subdirectory.py: Supple within somebody's CMake project.
from _steps import ROOT, by_cmake, need

need("cmake", "cc", "c++")
by_cmake("build", "-DSUPPLE_DIR_TO_ADD=" + ROOT)
