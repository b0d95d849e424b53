#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on the C++ sources.
#   scripts/tidy.sh                      all of them
#   scripts/tidy.sh --changed [BASE]     those that differ from BASE, or include, also through headers, a header that does; all
#                                        where .clang-tidy differs. Without BASE: from where this branch left origin's main
#                                        branch; on that branch, or where there is none, from the commit before
#   scripts/tidy.sh --budget SECONDS …   begins no file after so long, and says how many were left out
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

# What differs from a base, new files too; then every source that includes a header that does, also through other headers.
changed() {
    local names known=""
    names=$(git diff --name-only --diff-filter=d "$1" && git ls-files --others --exclude-standard) || return
    if grep -qx '.clang-tidy' <<<"$names"; then
        compiled
        return
    fi
    names=$(grep -E '\.(h|cpp)$' <<<"$names") || return 0
    while [ "$names" != "$known" ]; do
        known=$names
        names=$({ echo "$known"; includers "$known"; } | awk '!seen[$0]++')
    done
    grep -xFf <(compiled) <<<"$names" || true
}

# includers NAMES: the files that include one of the headers among these, by its path or as a neighbour.
includers() {
    local lines
    lines=$(sed -n '/\.h$/{s/.*/#include "&"/p;s|".*/|"|p}' <<<"$1")
    [ -z "$lines" ] || git grep --untracked -lF "$lines" -- '*.h' '*.cpp' || true
}

case ${1:-} in
"" | --all) list=$(compiled) ;;
--changed)
    base=${2:-$(default_base)}
    list=$(changed "$base") || fail "git could not tell what differs from $base; its words are above."
    ;;
-*) fail "tidy.sh does not know $1; its first lines say what it knows." ;;
*) list=$(printf '%s\n' "$@") ;;
esac
[ -n "$list" ] || { say "tidy: no file to look at"; exit 0; }
mapfile -t files <<<"$list"

# What the build writes is part of what is read: the revision's header and moc's output. Ninja would build every library below
# a test program before its moc, so moc's own commands are run, for the files in question.
ninja --quiet -C "$accrue_root/build/tidy" accrue_revision
sed -nE 's/^ *COMMAND = (cd .*moc @.*)/\1/p' "$accrue_root/build/tidy/build.ninja" |
    { grep -F "$(sed -E 's|^(.*/)?([^/]*)\.cpp$|/\2.moc_|' <<<"$list")" || true; } | xargs -r -d '\n' -P "$(build_jobs)" -n 1 bash -c
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
words=""
[ "$left" -eq 0 ] || words="; $left of ${#files[@]} files were left out after $budget s, scripts/tidy.sh looks at all"
if [ -s "$results/faulty" ]; then
    say "tidy: findings in $(wc -l <"$results/faulty") files, above$words"
    exit 1
fi
say "tidy: clean$words"
