#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header by itself, without the precompiled ones, so that each includes what it uses.
#   scripts/check_headers.sh [TEXT]      only those whose path has TEXT, such as engine/door
#   scripts/check_headers.sh --rest      those that the release build, which must be there, has not compiled by themselves already:
#                                        as the first lines of their own source, without a precompiled header
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
rest=""
case ${1:-} in
--rest) rest=$accrue_root/build/release/compile_commands.json; shift ;;
-h | --help) help_of "$0"; exit 0 ;;
-*) fail "check_headers.sh does not know $1; see --help." ;;
esac
"$accrue_root/scripts/setup.sh" --preset tidy --no-build
build=$accrue_root/build/tidy
ninja --quiet -C "$build" accrue_revision

# The commands of CMake's own check, whose target would build the libraries below each room first.
# shellcheck disable=SC2016
commands='
import json, os, re, sys
database, text, built, root = sys.argv[1:]

# Whether a source of the build compiles the header first; the style has it so, and a precompiled header would come before it.
def is_built(header):
    path = os.path.join(root, header)
    source = path.removesuffix(".h") + ".cpp"
    if "cmake_pch" in sources.get(source, "cmake_pch"):
        return False
    first = re.search(r"^#include [<\"](.+)[>\"]", open(source).read(), re.MULTILINE)
    return first is not None and first[1] == header

sources = {entry["file"]: entry["command"] for entry in json.load(open(built))} if built else {}
for entry in json.load(open(database)):
    header = entry["file"].rpartition("_verify_interface_header_sets/")[2].removesuffix(".cxx")
    if header != entry["file"] and header.endswith(".h") and text in header and not is_built(header):
        command = re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"])
        print(f"{command} || {{ echo {header} does not stand alone; exit 1; }}", end="\0")
'
checked=$(mktemp)
trap 'rm -f "$checked"' EXIT
python3 -c "$commands" "$build/compile_commands.json" "${1:-}" "$rest" "$accrue_root" >"$checked"
[ -s "$checked" ] || fail "There is no public header with ${1:-} in its path."
cd "$build"
xargs -0 -P "$(build_jobs)" -n 1 bash -c <"$checked" || fail "Headers that do not stand alone are named above."
say "Headers that stand alone: $(tr -cd '\0' <"$checked" | wc -c)."
