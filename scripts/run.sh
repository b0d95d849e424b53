#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets everything up, builds, and starts Accrue. The first call downloads about 3 GB; later ones start at once.
#   scripts/run.sh              opens the workbench; without a display, trains the first-run recipe here
#   scripts/run.sh COMMAND...   the command line: train, list, compare, export, doctor … (--help lists them)
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
programs=$accrue_root/build/release/bin

case ${1:-} in
-h | --help)
    help_of "$0"
    [ ! -x "$programs/accrue" ] || exec "$programs/accrue" --help
    exit 0
    ;;
esac
if [ $# -gt 0 ]; then
    "$accrue_root/scripts/setup.sh" --run-only accrue accrue_engine
    exec "$programs/accrue" "$@"
fi
"$accrue_root/scripts/setup.sh" --run-only accrue accrue_engine accrue-workbench

# Asked for its version, the workbench opens the display and nothing on it.
has_display() {
    local answer
    if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        say "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the first-run recipe trains on the command line."
        return 1
    fi
    answer=$("$programs/accrue-workbench" --version 2>&1) && return
    say "The display ${WAYLAND_DISPLAY:-$DISPLAY} cannot be opened (${answer%%$'\n'*}), so the first-run recipe trains on the command line."
    return 1
}
if has_display; then
    exec "$programs/accrue-workbench"
fi
say "With a display, this command opens the workbench; scripts/run.sh --help lists what the command line does."

# json_of EXPRESSION COMMAND...: a value out of what the command line tells as JSON. Its exit code says other things too.
json_of() {
    { "$programs/accrue" "${@:2}" --json 2>/dev/null || true; } |
        python3 -c "import json, sys; answer = json.loads(sys.stdin.read() or '[]'); print($1)"
}
newest_run() { json_of 'max((run["id"] for run in answer), default=0)' list; }

before=$(newest_run)
status=0
"$programs/accrue" train first-run || status=$?
run=$(newest_run)
# Where nothing could be trained there is nothing to show; the command line has said why.
[ "$run" -gt "$before" ] || exit "$status"
log=$(json_of 'answer["run_log"]["file"]' doctor)
results=$(dirname "$log")/run-$run.csv
"$programs/accrue" export --csv "$results" --runs "$run"
say "The table above: scripts/run.sh show $run. All values of the run: $results. All runs: $log."
exit "$status"
