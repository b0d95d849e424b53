#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills trainings at random instants, resumes them, and compares with trainings that were never stopped, as the suite does
# with 50 kills (tests/app/test_kill_and_resume.py); with the release build. Exit code 1: something differs. With --ranks
# trainings on 2, 4 and 8 devices, of which a rank is killed, as the suite does with 12 kills (tests/app/test_kill_ranks.py).
#   scripts/kill_and_resume.sh [--ranks] [KILLS [SEED]]      1000 kills if left out, 200 with --ranks
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case ${1:-} in
-h | --help) help_of "$0"; exit 0 ;;
esac
test=test_kill_and_resume kills=1000
if [ "${1:-}" = --ranks ]; then
    test=test_kill_ranks kills=200
    shift
fi
"$accrue_root/scripts/setup.sh"
ACCRUE_BIN=$accrue_root/build/release/bin ACCRUE_KILLS=${1:-$kills} ACCRUE_SEED=${2:-1} \
    exec python3 "$accrue_root/tests/app/$test.py"
