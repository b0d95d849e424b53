#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what docs/measurements.md states, with the release build.
#   scripts/measure.sh accuracy|speed|… [ARGUMENT...]   training, through the programs (tests/benchmarks/measure.py)
#   scripts/measure.sh bench_NAME [ARGUMENT...]         one benchmark program
#   scripts/measure.sh --smoke                          all of them made tiny: proves that they run, their figures mean nothing
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/environment.sh
source "$accrue_root/scripts/lib/environment.sh"
build=$accrue_root/build/release

"$accrue_root/scripts/setup.sh"
[ -n "${ACCRUE_DATA_DIR:-}" ] || [ ! -d "$accrue_root/../shared/data" ] ||
    export ACCRUE_DATA_DIR="$accrue_root/../shared/data"
export ACCRUE_BIN=$build/bin

programs() { find "$build/bin" "$build/tests" -maxdepth 1 -type f -executable -name 'bench_*' | sort; }
training() { "$environment/bin/python" "$accrue_root/tests/benchmarks/measure.py" "$@"; }

case ${1:-} in
--smoke)
    for program in $(programs); do
        say "$(basename "$program") --smoke"
        QT_QPA_PLATFORM=offscreen "$program" --smoke
    done
    for what in accuracy speed; do
        say "$what --smoke"
        training "$what" --smoke
    done
    ;;
bench_*)
    program=$(programs | grep "/$1\$") || fail "There is no $1; there are: $(programs | xargs -n 1 basename | paste -sd ' ')"
    shift
    exec "$program" "$@"
    ;;
"" | -h | --help) sed -n '3,6s/^# \{0,1\}//p' "$0" ;;
*) training "$@" ;;
esac
