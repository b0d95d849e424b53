#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks text files: no trailing whitespace, a final newline, no conflict marks, none over 1 MB, a licence line in sources, and
# no tr() of its own outside a class, where lupdate does not find the context.
#   scripts/check_text.sh [FILE...]        without files, all that git tracks; of the fuzz targets' seeds, the size only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
files=("$@")
if [ $# -eq 0 ]; then
    mapfile -d '' -t files < <(git ls-files -z)
    wait $! || exit 2
fi
[ ${#files[@]} -gt 0 ] || { echo "check_text: no file to look at"; exit 2; }

found=0
complain() {
    echo "$1"
    found=1
}

# complain_of PATTERN WORDS: at the first line of $file that has it.
complain_of() {
    local line
    line=$(grep -m 1 -nE "$1" "$file" | cut -d: -f1) || true
    [ -z "$line" ] || complain "$file:$line: $2"
}

for file in "${files[@]}"; do
    if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
    [ "$(stat -c %s "$file")" -le 1000000 ] || complain "$file: larger than 1 MB"
    grep -qI . "$file" || continue
    case $file in
    tests/fuzz/corpus/*) continue ;; # any bytes, as they were found
    LICENSE | *.md | *.svg) ;;
    *) complain_of '[[:space:]]+$' "whitespace at the end of the line" ;;
    esac
    complain_of '^(<<<<<<<|>>>>>>>) ' "a conflict mark"
    [ -z "$(tail -c 1 "$file")" ] || complain "$file: no newline at the end"
    case $file in
    *.cpp) complain_of '^(static )?QString tr\(' "a free tr(): use Q_DECLARE_TR_FUNCTIONS" ;;
    esac
    case $file in
    tests/data/*.checkpoints/*) ;; # as Accrue wrote them: their digest covers every byte, a licence line would break it
    *.h | *.cpp | *.cu | *.in | *.cmake | *.py | *.sh | *.toml | *.qss | */CMakeLists.txt | CMakeLists.txt | .ci/run)
        head -n 2 "$file" | grep 'SPDX-License-Identifier: Apache-2.0' >/dev/null || complain "$file:1: no SPDX-License-Identifier line"
        ;;
    esac
done
exit "$found"
