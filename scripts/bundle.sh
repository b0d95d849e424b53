#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the command line and the engine into one archive for a machine that has Python's torch 2.11.0+cu130 and perhaps a
# GPU, but neither Qt nor Debian's packages. There: unpack it, then ./accrue selftest.
#   scripts/bundle.sh [ARCHIVE]        default: build/accrue-VERSION-linux-ARCHITECTURE.tar.gz
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
build=$accrue_root/build/release
largest=60000000

"$accrue_root/scripts/setup.sh" --run-only accrue accrue_engine
version=$(sed -n 's/^project(accrue VERSION \([0-9.]*\).*/\1/p' "$accrue_root/CMakeLists.txt")
name=accrue-$version-linux-$(uname -m)
archive=${1:-$accrue_root/build/$name.tar.gz}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/bin" "$folder/lib" "$folder/spare" "$folder/licences"
strip -o "$folder/bin/accrue" "$build/bin/accrue"
strip -o "$folder/bin/libaccrue_engine.so" "$build/bin/libaccrue_engine.so"
chmod 755 "$folder/bin/"*

# The build's own folders stand in both files as places to search; on another machine they mean nothing.
printf 'file(RPATH_REMOVE FILE "%s")\n' "$folder/bin/accrue" "$folder/bin/libaccrue_engine.so" >"$work/forget.cmake"
cmake -P "$work/forget.cmake"

# licence_of PACKAGE: its licence travels with what it brought.
licence_of() {
    cp -L "/usr/share/doc/$1/copyright" "$folder/licences/$1" 2>/dev/null ||
        fail "The licence of $1 was not found in /usr/share/doc/$1/copyright, and its code may not be passed on without it."
}
# These are compiled into the two.
for package in libsqlitecpp-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libxxhash-dev; do
    licence_of "$package"
done
# Debian 12 knows some of its libraries below /lib and some below /usr/lib, which are one folder.
package_of() {
    local path
    path=$(readlink -f "$1")
    { dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null | cut -d: -f1
}

# Everything that the two need and that neither glibc nor torch's folders bring is carried along. Not libcurl, which is opened
# only to fetch data sets: a TLS library of last year's is worse than none, and nearly every machine has its own.
needed_by() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
path_of() { ldd "$1" | awk -v name="$2" '$1 == name && $3 ~ /^\// {print $3; exit}'; }
carry() {
    local original=$1 library path
    for library in $(needed_by "$original"); do
        case $library in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) continue ;;
        libtorch* | libc10* | libgomp-* | libcublas* | libcuda* | libcudnn* | libcufft* | libcupti* | libcurand* | libcusolver* | libcusparse* | libnccl* | libnv*) continue ;;
        esac
        if [ -e "$folder/lib/$library" ] || [ -e "$folder/spare/$library" ]; then continue; fi
        path=$(path_of "$original" "$library")
        [ -n "$path" ] || fail "$library, which $(basename "$original") needs, was not found on this machine."
        case $library in
        # Newer ones of the machine are preferred: torch may need them.
        libstdc++.* | libgcc_s.*) cp -L "$path" "$folder/spare/$library" ;;
        *) cp -L "$path" "$folder/lib/$library" ;;
        esac
        licence_of "$(package_of "$path")"
        carry "$path"
    done
}
carry "$build/bin/accrue"
carry "$build/bin/libaccrue_engine.so"

# The text that the licence of the C++ library refers to.
cp -L /usr/share/common-licenses/GPL-3 "$folder/licences/GPL-3"
cp "$accrue_root/LICENSE" "$accrue_root/THIRD_PARTY.md" "$folder/"
cat >"$folder/accrue" <<'LAUNCHER'
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts Accrue's command line with the torch of this machine's Python; another Python: ACCRUE_PYTHON=/path/to/python3 ./accrue …
here=$(dirname "$(readlink -f "$0")")
python=${ACCRUE_PYTHON:-python3}

# Two lines: torch's folder and version, with the CUDA it was built for. Importing torch would take seconds.
torch=$("$python" -c '
import importlib.util, os, runpy
found = importlib.util.find_spec("torch")
if found:
    folder = os.path.dirname(found.origin)
    print(folder)
    print(runpy.run_path(os.path.join(folder, "version.py"))["__version__"])' 2>/dev/null)
version=$(printf '%s\n' "$torch" | sed -n 2p)
torch=$(printf '%s\n' "$torch" | sed -n 1p)

libraries=$here/lib
case $version in
2.11.0+cu130)
    libraries=$libraries:$torch/lib
    for folder in "$(dirname "$torch")"/nvidia/*/lib; do
        [ -d "$folder" ] && libraries=$libraries:$folder
    done
    ;;
"") echo "accrue: $python has no torch, so nothing can be trained here; install torch 2.11.0+cu130 for it, or name another Python with ACCRUE_PYTHON." >&2 ;;
*) echo "accrue: $python has torch $version, and this build needs torch 2.11.0+cu130 to train; name another Python with ACCRUE_PYTHON." >&2 ;;
esac
libraries=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The C++ library that is carried along serves only where this machine's is older than the build's.
LD_LIBRARY_PATH=$libraries "$here/bin/accrue" --version >/dev/null 2>&1 || libraries=$libraries:$here/spare
LD_LIBRARY_PATH=$libraries exec "$here/bin/accrue" "$@"
LAUNCHER
chmod 755 "$folder/accrue"

mkdir -p "$(dirname "$archive")"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$work/archive" "$name"
size=$(stat -c %s "$work/archive")
[ "$size" -le "$largest" ] || fail "The archive would have $size bytes; at most $largest are allowed. Its parts: $(du -k "$folder"/*/* | sort -n | tail -5 | tr '\n\t' '; ')"
mv "$work/archive" "$archive"
chmod 644 "$archive"
echo "$archive: $((size / 1000)) kB; glibc $(getconf GNU_LIBC_VERSION | cut -d' ' -f2) or newer, torch 2.11.0+cu130"
