#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the command line and the engine into one archive for a machine that has Python's torch 2.11.0+cu130 and perhaps a
# GPU, but neither Qt nor Debian's packages. There: unpack it, then ./accrue selftest.
#   scripts/bundle.sh [--tests] [ARCHIVE]        default: build/accrue-VERSION-linux-ARCHITECTURE[-tests].tar.gz
#   --tests: with the test programs that have rows for a GPU (./accrue-tests), what they need of Qt, and gpu_first.py
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

with_tests=0
archive=
while [ $# -gt 0 ]; do
    case $1 in
    --tests) with_tests=1 ;;
    -h | --help) help_of "$0"; exit 0 ;;
    -*) fail "bundle.sh does not know $1; see --help." ;;
    *) [ -z "$archive" ] || fail "bundle.sh writes one archive, and was given $archive and $1."; archive=$1 ;;
    esac
    shift
done

# The tests need Qt. Without them a build that is there serves as well; otherwise none with Qt is begun.
preset=release
[ "$with_tests" = 1 ] || [ -f "$accrue_root/build/release/build.ninja" ] || preset=headless
build=$accrue_root/build/$preset
"$accrue_root/scripts/setup.sh" --preset "$preset" --run-only accrue accrue_engine
version=$(sed -n 's/^project(accrue VERSION \([0-9.]*\).*/\1/p' "$accrue_root/CMakeLists.txt")
name=accrue-$version-linux-$(uname -m)
# With the tests, too: they and Qt take half of it, and what takes the other half was not meant to be packed (LibTorch, CUDA).
largest=60000000
tests=()
if [ "$with_tests" = 1 ]; then
    # The one list of them is ctest's.
    mapfile -t tests < <(ctest --test-dir "$build" -N -L '^gpu$' | sed -n 's/^ *Test *#[0-9]*: *//p')
    [ ${#tests[@]} -gt 0 ] || fail "ctest names no test with the label gpu in $build, so there is none to pack."
    "$accrue_root/scripts/setup.sh" --run-only "${tests[@]}"
fi
[ -n "$archive" ] || archive=$accrue_root/build/$name$([ "$with_tests" = 0 ] || echo -tests).tar.gz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/bin" "$folder/lib" "$folder/spare" "$folder/licences"

# pack FILE FOLDER: one of ours, without symbols and without the build's own folders, which stand in it as places to search:
# on another machine they mean nothing.
pack() {
    local packed
    packed=$2/$(basename "$1")
    strip -o "$packed" "$1"
    chmod 755 "$packed"
    printf 'file(RPATH_REMOVE FILE "%s")\n' "$packed" >"$work/forget.cmake"
    cmake -P "$work/forget.cmake" >/dev/null
}

# licence_of PACKAGE: its licence travels with what it brought.
licence_of() {
    cp -L "/usr/share/doc/$1/copyright" "$folder/licences/$1" 2>/dev/null ||
        fail "The licence of $1 was not found in /usr/share/doc/$1/copyright, and its code may not be passed on without it."
}
# Debian 12 knows some of its libraries below /lib and some below /usr/lib, which are one folder.
package_of() {
    local path
    path=$(readlink -f "$1")
    { dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null | cut -d: -f1
}

# carry FILE FOLDER: everything that the file needs and that neither glibc nor torch's folders bring is carried along. Not
# libcurl, which is opened only to download data sets: a TLS library of last year's is worse than none, and nearly every machine
# has its own.
needed_by() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
path_of() { ldd "$1" | awk -v name="$2" '$1 == name && $3 ~ /^\// {print $3; exit}'; }
is_carried() { [ -n "$(find "$folder" -name "$1" -print -quit)" ]; }
carry() {
    local original=$1 into=$2 library path
    for library in $(needed_by "$original"); do
        case $library in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) continue ;;
        libtorch* | libc10* | libgomp* | libcublas* | libcuda* | libcudnn* | libcufft* | libcupti* | libcurand* | libcusolver* | libcusparse* | libnccl* | libnv*) continue ;;
        esac
        if is_carried "$library"; then continue; fi
        path=$(path_of "$original" "$library")
        [ -n "$path" ] || fail "$library, which $(basename "$original") needs, was not found on this machine."
        case $library in
        # Newer ones of the machine are preferred: torch may need them.
        libstdc++.* | libgcc_s.*) cp -L "$path" "$folder/spare/$library" ;;
        *) cp -L "$path" "$into/$library" ;;
        esac
        licence_of "$(package_of "$path")"
        carry "$path" "$into"
    done
}

pack_programs() {
    local file package
    for file in accrue libaccrue_engine.so libaccrue_cuda.so; do
        pack "$build/bin/$file" "$folder/bin"
        carry "$build/bin/$file" "$folder/lib"
    done
    # These are compiled into the three.
    for package in libsqlitecpp-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libxxhash-dev; do
        licence_of "$package"
    done
    cp "$accrue_root/LICENSE" "$accrue_root/THIRD_PARTY.md" "$folder/"
    cmake -D "ACCRUE=$build/bin/accrue" -D "SHARE=$folder/share" -P "$accrue_root/scripts/cmake/write_shell_files.cmake"
    cp "$accrue_root/scripts/bundled/libraries.sh" "$folder/lib/"
    install -m 755 "$accrue_root/scripts/bundled/accrue" "$folder/"
}

pack_tests() {
    local test
    mkdir -p "$folder/tests/lib" "$folder/tests/data"
    for test in "${tests[@]}"; do
        pack "$build/tests/$test" "$folder/tests"
        carry "$build/tests/$test" "$folder/tests/lib"
    done
    licence_of librapidcheck-dev
    cp "$accrue_root/tests/data/references.json" "$folder/tests/data/"
    install -m 755 "$accrue_root/scripts/bundled/accrue-tests" "$accrue_root/scripts/gpu_first.py" "$folder/"
    cp "$accrue_root"/scripts/gpu_figures.py "$accrue_root"/scripts/gpu_peer.py "$accrue_root"/scripts/count_kernels.c "$folder/"
}

# The texts that these licences refer to.
complete_licences() {
    local text
    for text in $(grep -ohE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$folder"/licences/* | sort -u); do
        [ ! -e "$text" ] || cp -L "$text" "$folder/licences/"
    done
}

elf_files() { find "$@" -type f -exec sh -c 'readelf -h "$1" >/dev/null 2>&1' sh {} \; -print; }
# newest_needed NAME FOLDER...: the highest version of NAME ("GLIBC") that what lies there asks of the machine's library.
newest_needed() {
    local symbols=$1
    shift
    elf_files "$@" | xargs -d '\n' objdump -T | sed -n "s/.*\*UND\*.*\b${symbols}_\([0-9.]*\).*/\1/p" | sort -V | tail -n 1
}

pack_programs
[ "$with_tests" = 0 ] || pack_tests
complete_licences
while IFS= read -r file; do
    ! readelf -d "$file" | grep -E '\((RPATH|RUNPATH)\)' >&2 || fail "$(basename "$file") names folders of this machine as places to search; see the line above."
done < <(elf_files "$folder")
own=("$folder"/bin "$folder"/lib)
[ "$with_tests" = 0 ] || own+=("$folder/tests")

mkdir -p "$(dirname "$archive")"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$work/archive" "$name"
size=$(stat -c %s "$work/archive")
[ "$size" -le "$largest" ] || fail "The archive would have $size bytes; at most $largest are allowed. Its parts: $(du -k "$folder"/*/* | sort -n | tail -5 | tr '\n\t' '; ')"
mv "$work/archive" "$archive"
chmod 644 "$archive"
if_spare="glibc $(newest_needed GLIBC "$folder/spare") where the C++ library is older than GLIBCXX_$(newest_needed GLIBCXX "${own[@]}")"
echo "$archive: $((size / 1000)) kB; glibc $(newest_needed GLIBC "${own[@]}") or newer ($if_spare), torch 2.11.0+cu130"
