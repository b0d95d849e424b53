#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests on kernels of other processors than this one: LibTorch and oneDNN are told to use no newer instructions. With
# the release build; prints a row of docs/measurements.md each, and exits with 1 where a test failed.
#   scripts/test_processors.sh numeric    tests labelled numeric: 3 × 3 instruction sets, on one core and on two
#   scripts/test_processors.sh whole      the whole suite: three of them, and once under a load of four times the cores
#   Further arguments go to ctest, such as: numeric -R tst_session
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

what=${1:-numeric}
[ $# -eq 0 ] || shift
case $what in
-h | --help) help_of "$0"; exit 0 ;;
numeric | whole) ;;
*) fail "test_processors.sh knows numeric and whole, not $what; see --help." ;;
esac
"$accrue_root/scripts/setup.sh"
log=$accrue_root/build/release/test_processors.log
: >"$log"
failed=0
load=()
trap '[ ${#load[@]} -eq 0 ] || kill "${load[@]}" 2>/dev/null || true' EXIT

# row CORES ATEN ONEDNN CTEST-ARGUMENT...: one call of the tests, on the first CORES cores and with as many threads each.
row() {
    local cores=$1 aten=$2 onednn=$3 began=$SECONDS output
    shift 3
    output=$(mktemp)
    ATEN_CPU_CAPABILITY=$aten ONEDNN_MAX_CPU_ISA=$onednn ACCRUE_JOBS=$cores OMP_NUM_THREADS=$cores \
        taskset -c "0-$((cores - 1))" "$accrue_root/scripts/test.sh" "$@" >"$output" 2>&1 || failed=1
    printf '| %s | %s | %s | %s | %s | %s s | %s |\n' "$aten" "$onednn" "$cores" "${#load[@]}" \
        "$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)/\1 of \2/p' "$output")" \
        "$((SECONDS - began))" "$(sed -nE 's/^\s+[0-9]+ - (\S+) \(.*/\1/p' "$output" | paste -sd ' ')"
    { echo "== $cores $aten $onednn $*"; cat "$output"; } >>"$log"
    rm "$output"
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
if [ "$what" = numeric ]; then
    for cores in 2 1; do
        for aten in default avx2 avx512; do
            for onednn in SSE41 AVX2 AVX512_CORE; do
                row "$cores" "$aten" "$onednn" -L numeric "$@"
            done
        done
    done
else
    row 2 default SSE41 "$@"
    row 2 avx2 AVX2 "$@"
    row 2 avx512 AVX512_CORE "$@"
    burden
    row 2 avx2 AVX2 --timeout 3600 "$@"
fi
say "The whole output is in $log."
exit "$failed"
