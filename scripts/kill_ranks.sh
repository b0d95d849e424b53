#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills ranks of trainings on 2, 4 and 8 devices at random instants, resumes them, and compares with trainings that were not
# disturbed, as the suite does with 12 kills (tests/app/test_kill_ranks.py); with the release build. Exit code 1: something
# differs.
#   scripts/kill_ranks.sh [KILLS [SEED]]      200 kills if left out
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case ${1:-} in
-h | --help) help_of "$0"; exit 0 ;;
esac
"$accrue_root/scripts/setup.sh"
ACCRUE_BIN=$accrue_root/build/release/bin ACCRUE_KILLS=${1:-200} ACCRUE_SEED=${2:-1} \
    exec python3 "$accrue_root/tests/app/test_kill_ranks.py"
