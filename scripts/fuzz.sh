#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the targets of tests/fuzz with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and runs them.
#   scripts/fuzz.sh [--ci] [--seconds N] [TARGET...]      without names, every target
#   --seconds: of each target, 120 if left out
#   --ci: 30 s each, from the seeds alone and with the same random numbers each time; otherwise what is found is kept in build/fuzz/corpus and continued from
# Exit 1 where an input crashes, hangs for 10 s, leaks or takes 2 GB: it lies in build/fuzz/crashes.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

seconds=120
keeps=1
random=0 # libFuzzer's -seed; 0: by the clock
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --ci) seconds=30 keeps=0 random=1 ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    -h | --help) help_of "$0"; exit 0 ;;
    -*) fail "fuzz.sh does not know $1; see --help." ;;
    *) targets+=("$1") ;;
    esac
    shift
done

seeds=$accrue_root/tests/fuzz/corpus
mapfile -t known < <(cd "$seeds" && printf '%s\n' *)
[ ${#targets[@]} -gt 0 ] || targets=("${known[@]}")
for target in "${targets[@]}"; do
    [ -d "$seeds/$target" ] || fail "There is no fuzz target $target; there are ${known[*]}."
done
"$accrue_root/scripts/setup.sh" --preset fuzz "${targets[@]/#/fuzz_}"

build=$accrue_root/build/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
corpora=$build/corpus
[ "$keeps" = 1 ] || corpora=$work
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
live_in "$work/home"

# fuzz TARGET: its last line says how much was tried; its words are shown where it found something.
fuzz() {
    local target=$1 output=$work/$1.log
    mkdir -p "$corpora/$target" "$build/crashes"
    if "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -seed="$random" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/crashes/$target-" "$corpora/$target" "$seeds/$target" >"$output" 2>&1; then
        awk -v target="$target" -v seconds="$seconds" '/stat::number_of_executed_units/ {print target ": " $2 " inputs in " seconds " s, nothing found"}' "$output"
    else
        grep -vE '^#[0-9]+' "$output" | tail -n 60
        echo "$target: an input is wrong; $(grep -o "Test unit written to .*" "$output" || echo "see above")"
        return 1
    fi
}
export -f fuzz
export seconds random build work corpora seeds
# One process a target, as many at once as there are cores.
# shellcheck disable=SC2016
printf '%s\n' "${targets[@]}" | xargs -P "$(build_jobs)" -I{} bash -c 'fuzz "$1"' fuzz {} || exit 1
