#!/bin/sh
# test_plain_build.sh: the library builds by one plain line of each compiler here, and each public header
# stands alone, as C11 and as C++17.
set -u
source_dir=${SUPPLE_SOURCE_DIR:?}
scratch=${SUPPLE_SCRATCH:?}
cd "$source_dir" || exit 1
status=0
tried=0

include=$(cd include && pwd)
sources=$(for file in src/*/*.c; do printf '%s ' "$source_dir/$file"; done)
for compiler in cc gcc clang; do
  command -v "$compiler" >/dev/null 2>&1 || continue
  [ "$compiler" = cc ] || [ "$(readlink -f "$(command -v cc)")" != "$(readlink -f "$(command -v "$compiler")")" ] || continue
  tried=$((tried + 1))
  rm -rf "$scratch/$compiler"
  mkdir -p "$scratch/$compiler"
  # The line of the documentation, from an empty folder, since -c writes where it is run. A warning that the
  # compiler gives unasked counts as a failure.
  # shellcheck disable=SC2086
  (cd "$scratch/$compiler" && "$compiler" -std=c11 -I"$include" -c $sources) >"$scratch/$compiler.log" 2>&1
  if [ $? -ne 0 ] || [ -s "$scratch/$compiler.log" ]; then
    echo "$compiler -std=c11 -Iinclude -c src/*/*.c:"
    head -n 40 "$scratch/$compiler.log"
    status=1
  fi
done

# header COMPILER LANGUAGE FILE: the header alone, twice over, with every warning an error.
header() {
  command -v "$1" >/dev/null 2>&1 || return 0
  tried=$((tried + 1))
  printf '#include <supple/%s>\n#include <supple/%s>\nint main(void) { return 0; }\n' "$3" "$3" >"$scratch/header.$2"
  "$1" -x "$2" -std="$4" -I"$include" -Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Wpedantic -Werror \
    -c "$scratch/header.$2" -o "$scratch/header.o" || {
    echo "include/supple/$3 does not stand alone: $1 -std=$4"
    status=1
  }
}

for file in include/supple/*.h; do
  name=${file##*/}
  for compiler in gcc clang; do header "$compiler" c "$name" c11; done
  for compiler in g++ clang++; do header "$compiler" c++ "$name" c++17; done
done

# It must be able to fail.
printf 'int unused_result(void) { int x; }\n' >"$scratch/wrong.c"
if cc -std=c11 -Wall -Werror -c "$scratch/wrong.c" -o "$scratch/wrong.o" 2>/dev/null; then
  echo "the compiler takes everything"
  status=1
fi
echo "$tried builds"
[ $tried -gt 0 ] || exit 77
exit $status
