#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what docs/measurements.md states, with the release build. Exit code 1: a figure is not what is wanted.
#   scripts/measure.sh accuracy|speed|log|tax|resnet|law|checkpoint|update_ratio|against|ranks|parts|sweep|workers|reading|to99 [ARGUMENT...]  training, through the programs (tests/benchmarks/measure.py)
#   scripts/measure.sh bench_NAME [ARGUMENT...]         one benchmark program
#   scripts/measure.sh --smoke                          all of them made tiny: proves that they run, their figures mean nothing
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/environment.sh
source "$accrue_root/scripts/lib/environment.sh"
build=$accrue_root/build/release

case ${1:-} in
"" | -h | --help) help_of "$0"; exit 0 ;;
esac

"$accrue_root/scripts/setup.sh"
find_mnist || say "MNIST was not found; what can be measured on the built-in digits is."
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
live_in "$home"
export ACCRUE_BIN=$build/bin

programs() { find "$build/bin" "$build/tests" -maxdepth 1 -type f -executable -name 'bench_*' | sort; }
training() { "$environment/bin/python" "$accrue_root/tests/benchmarks/measure.py" "$@"; }

case $1 in
--smoke)
    while IFS= read -r program <&3; do
        say "$(basename "$program") --smoke"
        QT_QPA_PLATFORM=offscreen "$program" --smoke
    done 3< <(programs)
    for what in accuracy speed log tax resnet law checkpoint update_ratio against ranks parts sweep workers reading to99; do
        say "$what --smoke"
        training "$what" --smoke
    done
    ;;
bench_*)
    program=$(programs | grep "/$1\$") || fail "There is no $1; there are: $(programs | sed 's/.*\///' | paste -sd ' ')"
    shift
    "$program" "$@"
    ;;
*) training "$@" ;;
esac
