#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests on kernels of other processors than this one: LibTorch and oneDNN are told to use no newer instructions. With
# the release build; prints a row of docs/measurements.md each, and exits with 1 where a test failed.
#   scripts/test_processors.sh numeric    tests labelled numeric: 3 × 3 instruction sets, on one core and on two; less the
#                                         three on two cores that whole runs too
#   scripts/test_processors.sh whole      the whole suite: three of them on two cores
#   scripts/test_processors.sh load       the whole suite once under a load of four times the cores
#   Further arguments go to ctest, such as: numeric -R tst_session
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

what=${1:-numeric}
[ $# -eq 0 ] || shift
case $what in
-h | --help) help_of "$0"; exit 0 ;;
numeric | whole | load) ;;
*) fail "test_processors.sh knows numeric, whole and load, not $what; see --help." ;;
esac
"$accrue_root/scripts/setup.sh"
log=$accrue_root/build/release/test_processors.log
: >"$log"
work=$(mktemp -d)
load=()
tests_a_core=1
trap 'rm -rf "$work"; [ ${#load[@]} -eq 0 ] || kill "${load[@]}" 2>/dev/null || true' EXIT

# row CORES ATEN ONEDNN CTEST-ARGUMENT...: one call of the tests, on these cores (0 or 0-1, say) and with as many threads.
row() {
    local cores=$1 aten=$2 onednn=$3 began=$SECONDS count output
    shift 3
    count=$(taskset -c "$cores" nproc)
    output=$(mktemp -p "$work")
    ATEN_CPU_CAPABILITY=$aten ONEDNN_MAX_CPU_ISA=$onednn ACCRUE_JOBS=$((count * tests_a_core)) OMP_NUM_THREADS=$count \
        taskset -c "$cores" "$accrue_root/scripts/test.sh" "$@" >"$output" 2>&1 || touch "$work/failed"
    printf '| %s | %s | %s | %s | %s | %s s | %s |\n' "$aten" "$onednn" "$count" "${#load[@]}" \
        "$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)/\1 of \2/p' "$output")" \
        "$((SECONDS - began))" "$(sed -nE 's/^\s+[0-9]+ - (\S+) \(.*/\1/p' "$output" | paste -sd ' ')"
    { echo "== $cores $aten $onednn $*"; cat "$output"; } >>"$log"
    rm "$output"
}

# numeric CTEST-ARGUMENT...: the instruction sets, those on one core side by side on both.
numeric() {
    local set sets=({default,avx2,avx512}" "{SSE41,AVX2,AVX512_CORE}) core=0
    for set in "${sets[@]}"; do
        # shellcheck disable=SC2086
        row $core $set -L numeric "$@" &
        core=$((1 - core))
        [ $core -eq 1 ] || wait
    done
    wait
    for set in "${sets[@]}"; do
        # shellcheck disable=SC2086
        case $set in
        "default SSE41" | "avx2 AVX2" | "avx512 AVX512_CORE") ;;
        *) row 0-1 $set -L numeric "$@" ;;
        esac
    done
}

# As many busy loops as four times the cores, until the trap ends them.
burden() {
    local count=$((4 * $(nproc)))
    for _ in $(seq "$count"); do
        (while :; do :; done) &
        load+=($!)
    done
}

echo "| ATEN_CPU_CAPABILITY | ONEDNN_MAX_CPU_ISA | Cores | Busy loops | Failed | Took | Which |"
echo "|---|---|--:|--:|--:|--:|---|"
case $what in
numeric) numeric "$@" ;;
whole)
    row 0-1 default SSE41 "$@"
    row 0-1 avx2 AVX2 "$@"
    row 0-1 avx512 AVX512_CORE "$@"
    ;;
load)
    burden
    tests_a_core=2 # together a third of a core; one alone would get a fifth
    row 0-1 avx2 AVX2 --timeout 3600 "$@"
    ;;
esac
say "The whole output is in $log."
[ ! -e "$work/failed" ]
