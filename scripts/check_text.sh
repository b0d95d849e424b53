#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks text files: no trailing whitespace, a final newline, no conflict marks, none over 1 MB, a licence line in sources.
#   scripts/check_text.sh [FILE...]        without files, all that git tracks
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || mapfile -t files < <(git ls-files)
[ $# -eq 0 ] || files=("$@")

found=0
complain() {
    echo "$1"
    found=1
}

for file in "${files[@]}"; do
    if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
    [ "$(stat -c %s "$file")" -le 1000000 ] || complain "$file: larger than 1 MB"
    grep -qI . "$file" || continue
    case $file in
    LICENSE | *.md | *.svg) ;;
    *) line=$(grep -nE '[[:space:]]+$' "$file" | head -1 | cut -d: -f1) && [ -n "$line" ] && complain "$file:$line: whitespace at the end of the line" ;;
    esac
    line=$(grep -nE '^(<<<<<<<|>>>>>>>) ' "$file" | head -1 | cut -d: -f1) && [ -n "$line" ] && complain "$file:$line: a conflict mark"
    [ -z "$(tail -c 1 "$file")" ] || complain "$file: no newline at the end"
    case $file in
    *.h | *.cpp | *.cu | *.cmake | *.py | *.sh | */CMakeLists.txt | CMakeLists.txt)
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || complain "$file:1: no SPDX-License-Identifier line"
        ;;
    esac
done
exit "$found"
