#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes docs/screenshots/*.png from the real program: starts the workbench on a display of its own with an empty log, trains
# the first-run recipe twice with different cuts of the same batch, and takes a picture of each page, light and dark.
#   scripts/screenshots.sh [FOLDER]        default: docs/screenshots
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
folder=${1:-$accrue_root/docs/screenshots}
programs=$accrue_root/build/release/bin
largest=300000

"$accrue_root/scripts/setup.sh" accrue accrue_engine accrue-workbench
mkdir -p "$folder"
work=$(mktemp -d)
export XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config
unset WAYLAND_DISPLAY

exec 8<> <(:)
Xvfb -displayfd 8 -screen 0 1280x800x24 -nolisten tcp >"$work/xvfb.log" 2>&1 &
server=$!
workbench=
trap '[ -z "$workbench" ] || kill "$workbench" 2>/dev/null; kill "$server" 2>/dev/null; wait; rm -rf "$work"' EXIT
read -r -t 20 -u 8 number || fail "Xvfb did not start: $(tail -1 "$work/xvfb.log")"
export DISPLAY=:$number

# open_workbench THEME PAGE: one window, filling the display, with the keyboard. Its settings are where it remembers them.
open_workbench() {
    mkdir -p "$XDG_CONFIG_HOME/accrue"
    local log # the group of what is remembered of it
    log=$(printf %s "$XDG_DATA_HOME/accrue/runs.db" | sha256sum | cut -c1-16)
    printf '[window]\ntheme=%s\npage=%s\n[log-%s]\ncompare\\runs=1, 2\n' "$1" "$2" "$log" >"$XDG_CONFIG_HOME/accrue/workbench.ini"
    QT_QPA_PLATFORM=xcb "$programs/accrue-workbench" >"$work/workbench.log" 2>&1 &
    workbench=$!
    window=$(timeout 20 xdotool search --sync --onlyvisible --pid "$workbench" | tail -1)
    [ -n "$window" ] || fail "The workbench showed no window: $(tail -1 "$work/workbench.log")"
    xdotool windowmove "$window" 0 0 windowsize "$window" 1280 800
    # Without a window manager the first click gives the keyboard to the window.
    xdotool mousemove 700 6 click 1
    sleep 3
}

close_workbench() {
    xdotool key ctrl+q
    wait "$workbench" || true
    workbench=
}

take() {
    local picture=$folder/$1.png colors
    for colors in 16777216 256 64; do
        import -window root -depth 8 png:- | convert png:- -strip -colors "$colors" -define png:compression-level=9 "$picture"
        [ "$(stat -c %s "$picture")" -gt "$largest" ] || break
    done
    say "$picture: $(($(stat -c %s "$picture") / 1000)) kB"
}

# Two cuts of one batch, a third with a smaller one, so that tables and charts have something to tell.
"$programs/accrue" train first-run --set name=four-slices >&2
"$programs/accrue" train first-run --set name=one-slice --set batch.micro=128 --set batch.steps=1 >&2
"$programs/accrue" train first-run --set name=small-batch --set batch.steps=1 >&2

# The light theme and the dark one, as the window's settings write them.
choice_of() { [ "$1" = light ] && echo 1 || echo 2; }
suffix_of() { [ "$1" = light ] || echo -dark; }

# What the Memory page then has at once.
"$programs/accrue" fit first-run --budget 24MiB >&2

declare -A number_of=([runs]=1 [compare]=2 [memory]=3)
for theme in light dark; do
    for page in runs compare memory; do
        open_workbench "$(choice_of $theme)" "${number_of[$page]}"
        take "$page$(suffix_of $theme)"
        close_workbench
    done
done

epochs_of_newest() { "$programs/accrue" list --json | python3 -c 'import json, sys; print(max((run["id"], run["epoch"]) for run in json.load(sys.stdin))[1])'; }

# A run in its third epoch. Each picture starts from the same log.
cp -r "$XDG_DATA_HOME" "$work/three-runs"
for theme in light dark; do
    rm -rf "$XDG_DATA_HOME"
    cp -r "$work/three-runs" "$XDG_DATA_HOME"
    open_workbench "$(choice_of $theme)" 0
    xdotool key F5
    sleep 3
    for _ in $(seq 60); do
        [ "$(epochs_of_newest)" -lt 3 ] || break
        sleep 0.5
    done
    take "train$(suffix_of $theme)"
    xdotool key shift+F5
    sleep 3
    close_workbench
done
