# test_pkg_config.py: Supple installed, moved, and found by pkg-config.
from _steps import by_pkg_config, install_and_move, need

need("cmake", "pkg-config", "cc", "c++")
by_pkg_config("build", install_and_move())
