#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets everything up, builds, and starts Accrue. The first call downloads about 3 GB; later ones start at once.
#   scripts/run.sh              opens the workbench; without a display, trains the first-run recipe here
#   scripts/run.sh COMMAND...   the command line: train, list, compare, export, doctor … (--help lists them)
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
programs=$accrue_root/build/release/bin

if [ $# -gt 0 ]; then
    "$accrue_root/scripts/setup.sh" accrue accrue_engine
    exec "$programs/accrue" "$@"
fi
"$accrue_root/scripts/setup.sh" accrue accrue_engine accrue-workbench
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$programs/accrue-workbench"
fi

say "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the first-run recipe trains on the command line."
say "With a display, this command opens the workbench; scripts/run.sh --help lists what the command line does."
status=0
"$programs/accrue" train first-run || status=$?
# 2: wrong input; nothing ran.
[ "$status" -ne 2 ] || exit 2
run=$("$programs/accrue" list --json | python3 -c 'import json, sys
print(max(run["id"] for run in json.load(sys.stdin) if run["name"] == "first-run"))')
results=${XDG_DATA_HOME:-$HOME/.local/share}/accrue/run-$run.csv
"$programs/accrue" export --csv "$results" --runs "$run"
say "The table above: scripts/run.sh show $run. All values of the run: $results. All runs: ${results%/*}/runs.db."
exit "$status"
