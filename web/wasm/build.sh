#!/bin/sh
# build.sh: the library and its interface as WebAssembly: OUT/supple-simd.wasm and OUT/supple.wasm (without SIMD128), which
# load, pose, deform and measure; OUT/supple-tools.wasm, which checks and repairs and is fetched when that is wanted.
#
# usage: sh web/wasm/build.sh OUT     needs clang-16, lld-16, wasi-libc, libclang-rt-16-dev-wasm32 (Debian's names)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
out=${1:?usage: sh web/wasm/build.sh OUT}
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
compiler=${WASM_CC:-clang-16}
common="--target=wasm32-wasi -std=c11 -fvisibility=hidden -ffunction-sections -fdata-sections -I$root/include"

# Functions marked WEB_EXPORT in the files given, as options of the linker.
exports_of() {
  cat "$@" | tr '\n' ' ' | grep -oE 'WEB_EXPORT [^(]*\(' | sed -E 's/.*[ *]([a-z0-9_]+)\($/-Wl,--export=\1/' | tr '\n' ' '
}

# objects NAME FLAGS…: the library and the interface in OUT/objects/NAME, two at a time.
objects() {
  name=$1
  shift
  mkdir -p "$out/objects/$name"
  for source in "$root"/src/*/*.c "$root"/web/wasm/*.c; do
    case $source in */shader/*) continue ;; esac
    printf '%s\n%s\n' "$source" "$out/objects/$name/$(basename "$source").o"
  done | xargs -n 2 -P 2 sh -c '
    compiler=$1; flags=$2; source=$3; object=$4
    # Speed where vertices are counted in millions, size elsewhere; the flags given win.
    case $source in */kernels/* | */deform/* | */mesh/*) flags="-O3 $flags" ;; *) flags="-Os $flags" ;; esac
    # Word splitting is meant: several flags.
    exec $compiler $flags -c "$source" -o "$object"' sh "$compiler" "$common $*"
}

# link NAME OBJECTS EXPORTS: what is not reached from the exports is left out.
link() {
  # No -O for the driver: with one it runs binaryen's wasm-opt where that is installed, and the result would depend on it.
  # Word splitting is meant: one export a word.
  # shellcheck disable=SC2086
  "$compiler" --target=wasm32-wasi -mexec-model=reactor -Wl,-O2,--gc-sections,--strip-all -Wl,-z,stack-size=262144 $3 \
    "$out/objects/$2"/*.o -o "$out/$1.wasm"
}

objects scalar
objects simd -msimd128
# What every engine has that runs the package's JavaScript (private methods: 2021).
objects small -Oz -DSUPPLEI_SMALL -mbulk-memory -mnontrapping-fptoint
core=$(cd "$root/web/wasm" && exports_of web_host.c web_asset.c web_pose.c web_skinned.c web_mesh.c web_measure.c)
tools=$(cd "$root/web/wasm" && exports_of web_host.c web_check.c)
link supple scalar "$core"
link supple-simd simd "$core"
link supple-tools small "$tools"
rm -rf "$out/objects"
