#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on the C++ sources.
#   scripts/tidy.sh                      all of them
#   scripts/tidy.sh --changed [BASE]     those that differ from BASE, or include a header that does. Without BASE: from where
#                                        this branch left origin's main branch; where there is none, from the commit before
#   scripts/tidy.sh --budget SECONDS …   begins no file after so long and says how many were left out
#   scripts/tidy.sh FILE...              these
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
cd "$accrue_root"

budget=86400
[ "${1:-}" != --budget ] || { budget=${2:?--budget needs seconds}; shift 2; }
"$accrue_root/scripts/setup.sh" --preset tidy --no-build
database=$accrue_root/build/tidy/compile_commands.json

default_base() {
    local branch
    for branch in origin/HEAD origin/main; do
        if git rev-parse -q --verify "$branch" >/dev/null && ! git merge-base --is-ancestor HEAD "$branch"; then
            git merge-base HEAD "$branch" && return
        fi
    done
    git rev-parse -q --verify HEAD~1 || git hash-object -t tree /dev/null
}

compiled() { python3 -c 'import json, os, sys; print("\n".join(sorted({os.path.relpath(entry["file"]) for entry in json.load(open(sys.argv[1])) if entry["file"].endswith(".cpp") and not os.path.relpath(entry["file"]).startswith("build/")})))' "$database"; }

# Sources that differ from a base, and those that name a header that differs.
changed() {
    local headers
    git diff --name-only --diff-filter=d "$1" -- '*.cpp'
    headers=$(git diff --name-only --diff-filter=d "$1" -- '*.h' | sed 's/.*/#include "&"/')
    [ -z "$headers" ] || git grep -lF "$headers" -- '*.cpp' || true
}

case ${1:-} in
"" | --all) mapfile -t files < <(compiled) ;;
--changed)
    base=${2:-$(default_base)}
    mapfile -t files < <(changed "$base" | sort -u | grep -xFf <(compiled) || true)
    ;;
-*) fail "tidy.sh does not know $1; its first lines say what it knows." ;;
*) files=("$@") ;;
esac
[ ${#files[@]} -gt 0 ] || { say "tidy: no file to look at"; exit 0; }

# What the build writes is part of what is read: the revision's header and moc's output. Its targets would build every library
# below first, so moc is run as they run it.
ninja -C "$accrue_root/build/tidy" accrue_revision >/dev/null
find "$accrue_root/build/tidy" -name AutogenInfo.json -print0 |
    xargs -0 -P "$(build_jobs)" -I{} cmake -E cmake_autogen {} Release >/dev/null

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
deadline=$(($(date +%s) + budget))
export database deadline results
say "tidy: ${#files[@]} files, $(build_jobs) at once"
# shellcheck disable=SC2016
printf '%s\n' "${files[@]}" | xargs -P "$(build_jobs)" -I{} bash -c '
    if [ "$(date +%s)" -ge "$deadline" ]; then echo "$1" >>"$results/left-out"; exit 0; fi
    if output=$(clang-tidy-14 --quiet -p "$(dirname "$database")" --extra-arg=-Wno-unknown-warning-option "$1" 2>/dev/null); then exit 0; fi
    printf "%s\n" "$output"
    echo "$1" >>"$results/faulty"
' tidy {}
touch "$results/left-out"
left=$(wc -l <"$results/left-out")
[ "$left" -eq 0 ] || say "tidy: $left of ${#files[@]} files were left out after $budget s; scripts/tidy.sh looks at all"
if [ -s "$results/faulty" ]; then
    say "tidy: findings in $(wc -l <"$results/faulty") files, above"
    exit 1
fi
say "tidy: clean"
