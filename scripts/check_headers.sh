#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header by itself, without the precompiled ones, so that each includes what it uses.
#   scripts/check_headers.sh [TEXT]      only those whose path has TEXT, such as engine/door
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
case ${1:-} in
-h | --help) help_of "$0"; exit 0 ;;
-*) fail "check_headers.sh does not know $1; see --help." ;;
esac
"$accrue_root/scripts/setup.sh" --preset tidy --no-build
build=$accrue_root/build/tidy
ninja --quiet -C "$build" accrue_revision

# The commands of CMake's own check, whose target would build the libraries below each room first.
# shellcheck disable=SC2016
commands='
import json, re, sys
for entry in json.load(open(sys.argv[1])):
    header = entry["file"].rpartition("_verify_interface_header_sets/")[2].removesuffix(".cxx")
    if header != entry["file"] and header.endswith(".h") and sys.argv[2] in header:
        command = re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"])
        print(f"{command} || {{ echo {header} does not stand alone; exit 1; }}", end="\0")
'
checked=$(mktemp)
trap 'rm -f "$checked"' EXIT
python3 -c "$commands" "$build/compile_commands.json" "${1:-}" >"$checked"
[ -s "$checked" ] || fail "There is no public header with ${1:-} in its path."
cd "$build"
xargs -0 -P "$(build_jobs)" -n 1 bash -c <"$checked" || fail "Headers that do not stand alone are named above."
say "Headers that stand alone: $(tr -cd '\0' <"$checked" | wc -c)."
