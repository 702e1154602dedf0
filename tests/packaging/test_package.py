# test_package.py: the Debian package: what it says, what it holds, and that both command and library work from it.
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ["SUPPLE_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "tests", "consumer"))
from _steps import BUILD, by_cmake, by_pkg_config, cached, check, empty_folder, find, need, run, version  # noqa: E402

need("dpkg-deb", "cpack", "cc", "c++")
if not os.environ.get("SUPPLE_COMMAND") or not os.path.exists(os.path.join(BUILD, "CPackConfig.cmake")):
    print("this build has no command or no packages: skipped")
    sys.exit(77)

folder = empty_folder("package")
run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-G", "DEB", "-B", folder)
packages = [name for name in os.listdir(folder) if name.endswith(".deb")]
check(len(packages) == 1 and packages[0].startswith("supple_%s_" % version()), "packages: %s" % packages)
package = os.path.join(folder, packages[0])

fields = dict(re.findall(r"(?m)^ (\w[\w-]*): (.*)$", run("dpkg-deb", "-I", package)))
check(fields.get("Package") == "supple" and fields.get("Version") == version(), "fields: %s" % fields)
check(re.search(r"\blibc6\b", fields.get("Depends", "")), "it depends on %s" % fields.get("Depends"))
check(fields.get("Maintainer") and fields.get("Description"), "fields: %s" % fields)

listing = run("dpkg-deb", "-c", package)
paths = {line.split()[5][1:] for line in listing.split("\n") if line}
owners = {line.split()[1] for line in listing.split("\n") if line}
check(owners == {"root/root"}, "owners: %s" % owners)
wanted = ["/usr/bin/supple", "/usr/share/doc/supple/copyright", "/usr/share/doc/supple/README.md", "/usr/share/doc/supple/changelog"]
wanted += ["/usr/include/supple/" + name for name in os.listdir(os.path.join(ROOT, "include", "supple"))]
wanted += ["/usr/share/doc/supple/examples/" + name for name in os.listdir(os.path.join(ROOT, "examples"))
           if name.endswith(".c")]
wanted += ["/usr/share/bash-completion/completions/supple", "/usr/share/zsh/vendor-completions/_supple",
           "/usr/share/fish/vendor_completions.d/supple.fish"]
if shutil.which("scdoc"):
    wanted += ["/usr/share/man/man1/" + name for name in os.listdir(os.path.join(BUILD, "manual", "man1"))
               if name.endswith(".1")]
    check("/usr/share/man/man1/supple-compare.1" in wanted, "the manual pages were not made")
for path in wanted:
    check(path in paths or path + ".gz" in paths, "the package lacks %s:\n%s" % (path, listing))
for name in ("supple.pc", "supple-config.cmake", "supple-config-version.cmake"):
    check(any(path.endswith("/" + name) for path in paths), "the package lacks " + name)
strange = [path for path in paths if not path.startswith("/usr/") and path not in ("/", "/usr") or "scd" in path]
check(not strange, "the package holds %s" % strange)

# Unpacked anywhere, everything works.
root = empty_folder("root")
run("dpkg-deb", "-x", package, root)
command = os.path.join(root, "usr", "bin", "supple")
libraries = {"LD_LIBRARY_PATH": os.path.dirname(find(root, "supple.pc")) + "/.."}
check(run(command, "--version", **libraries).startswith("supple %s\n" % version()), "the version of the command")
arm = os.path.join(folder, "arm.glb")
run(command, "fixture", "arm", "-o", arm, **libraries)
table = run(command, "compare", arm, **libraries)
check(re.search(r"lower.*0\.0", table), "supple compare prints\n" + table)
prefix = os.path.join(root, "usr")
by_cmake("by-cmake", "-DCMAKE_PREFIX_PATH=" + prefix, prefix=prefix)
if shutil.which("pkg-config"):
    by_pkg_config("by-pkg-config", prefix)

# No path of the machine that built it.
text = subprocess.run(["grep", "-rlF", "--", ROOT, root], capture_output=True, text=True).stdout
check(cached("CMAKE_BUILD_TYPE") == "Debug" or not text, "the path of the sources is in:\n" + text)
print("%s: %d paths" % (packages[0], len(paths)))
