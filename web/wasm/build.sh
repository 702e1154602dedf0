#!/bin/sh
# build.sh: the library and its interface as WebAssembly: OUT/supple.wasm (scalar), OUT/supple-simd.wasm.
#
# usage: sh web/wasm/build.sh OUT     needs clang-16, lld-16, wasi-libc, libclang-rt-16-dev-wasm32 (Debian's names)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
out=${1:?usage: sh web/wasm/build.sh OUT}
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
compiler=${WASM_CC:-clang-16}
# What JavaScript calls: functions marked WEB_EXPORT, whose definitions may break after their type.
exports=$(cat "$root"/web/wasm/*.c | tr '\n' ' ' | grep -oE 'WEB_EXPORT [^(]*\(' | sed -E 's/.*[ *]([a-z0-9_]+)\($/-Wl,--export=\1/' | tr '\n' ' ')
common="--target=wasm32-wasi -std=c11 -fvisibility=hidden -ffunction-sections -fdata-sections -I$root/include"

# compile NAME FLAGS…: objects in OUT/objects/NAME, two at a time, and only what changed.
compile() {
  name=$1
  shift
  mkdir -p "$out/objects/$name"
  for source in "$root"/src/*/*.c "$root"/web/wasm/*.c; do
    object=$out/objects/$name/$(basename "$source").o
    printf '%s\n%s\n' "$source" "$object"
  done | xargs -n 2 -P 2 sh -c '
    compiler=$1; flags=$2; source=$3; object=$4
    # Speed where vertices are counted in millions, size elsewhere.
    case $source in */kernels/* | */deform/* | */mesh/*) flags="$flags -O3" ;; *) flags="$flags -Os" ;; esac
    # Word splitting is meant: several flags.
    exec $compiler $flags -c "$source" -o "$object"' sh "$compiler" "$common $*"
  # Word splitting is meant: one export a word.
  # shellcheck disable=SC2086
  "$compiler" --target=wasm32-wasi -O3 -mexec-model=reactor -Wl,--gc-sections,--strip-debug \
    -Wl,-z,stack-size=262144 $exports "$out/objects/$name"/*.o -o "$out/$name.wasm"
}

compile supple
compile supple-simd -msimd128
rm -rf "$out/objects"
