#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets everything up, builds, and runs the whole suite under CTest; no display and no GPU needed.
#   scripts/test.sh [--preset release|dev|asan|asan-engine|tsan|coverage] [CTEST ARGUMENT...]     such as: -R tst_batch_plan
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

preset=release
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    --preset) preset=${2:?--preset needs a name}; shift ;;
    --preset=*) preset=${1#*=} ;;
    -h | --help) help_of "$0"; exit 0 ;;
    *) arguments+=("$1") ;;
    esac
    shift
done
case $preset in
release | dev | asan | asan-engine | tsan | coverage) ;;
*) fail "There is no preset $preset to test; there are release, dev, asan, asan-engine, tsan and coverage." ;;
esac
"$accrue_root/scripts/setup.sh" --preset "$preset"

build=$accrue_root/build/$preset
jobs=$(build_jobs)
if find_mnist; then
    say "MNIST: $ACCRUE_DATA_DIR/mnist"
else
    say "MNIST was not found: the tests that need it skip, the others use the built-in digits."
fi
# No test touches the user's own runs and settings, or opens a window on the user's display.
live_in "$build/test-home"
unset DISPLAY WAYLAND_DISPLAY
export QT_QPA_PLATFORM=offscreen
# Tests run side by side: together they use the cores once.
cores=$(nproc)
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$((cores > jobs ? cores / jobs : 1))}

support=$accrue_root/tests/support
# The runtime up to LLVM 16 takes some blocks of thread-local memory for those of a C library older than 2.25, and the leak check
# then crashes on what it reads as their address ("Tracer caught signal 11"); without that interceptor it does not look.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1:intercept_tls_get_addr=0}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$support/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$support/tsan.supp:second_deadlock_stack=1:ignore_noninstrumented_modules=1:die_after_fork=0:allocator_may_return_null=1}

cd "$accrue_root"
exec ctest --preset "$preset" -j "$jobs" "${arguments[@]}"
