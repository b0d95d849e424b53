#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Refuses allocations of memory at random places of a window of ResNet-18, and compares with a run that was never short of any,
# as the suite does with a few (tests/engine/session/tst_out_of_memory.cpp); with the release build. Exit code 1: something differs.
#   scripts/refuse_allocations.sh [REFUSALS]      1000 if left out
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case ${1:-} in
-h | --help) help_of "$0"; exit 0 ;;
esac
"$accrue_root/scripts/setup.sh"
ACCRUE_SOURCE=$accrue_root ACCRUE_REFUSALS=${1:-1000} GOMP_SPINCOUNT=0 \
    exec "$accrue_root/build/release/tests/tst_out_of_memory" anyAllocationOfResNet18MayFail -maxwarnings 0
