# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts: where things are, and how a stage reports. All of it goes to stderr: stdout is the program's.

accrue_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
accrue_deps="${ACCRUE_DEPS_DIR:-${XDG_CACHE_HOME:-${HOME:?HOME must name your home folder}/.cache}/accrue}"
# The stages work in different folders, so it is made absolute at once.
case $accrue_deps in /*) ;; *) accrue_deps=$PWD/$accrue_deps ;; esac

say() { printf '%s\n' "$*" >&2; }

# fail SENTENCE [LINE...]: says what was found and what to do, ends the script.
fail() {
    say "accrue: $1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" >&2
    exit 1
}

# stage SENTENCE COMMAND...: says what begins, runs it, says how long it took.
stage() {
    local sentence=$1 started=$SECONDS
    shift
    say "==> $sentence"
    "$@"
    say "    done in $((SECONDS - started)) s"
}

# help_of SCRIPT: what its first lines say it does.
help_of() { sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$1"; }

# Lets tests and measurements find MNIST: where ACCRUE_DATA_DIR is not set, in a data folder beside the checkout or in the
# user's own. False: it was not found.
find_mnist() {
    local folder
    for folder in "$accrue_root/../shared/data" "${XDG_DATA_HOME:-$HOME/.local/share}/accrue/data"; do
        [ -z "${ACCRUE_DATA_DIR:-}" ] || break
        [ ! -d "$folder/mnist" ] || export ACCRUE_DATA_DIR=$folder
    done
    [ -n "${ACCRUE_DATA_DIR:-}" ] && [ -d "$ACCRUE_DATA_DIR/mnist" ]
}

# The programs keep runs, checkpoints and settings below this folder from here on, not among the user's.
live_in() {
    export XDG_DATA_HOME=$1/data XDG_CONFIG_HOME=$1/config
    mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
}

# The nearest folder above a path that exists: what df and tests of permission can be asked about.
existing_parent() {
    local path=$1
    while [ ! -e "$path" ]; do
        path=$(dirname "$path")
    done
    printf '%s\n' "$path"
}

# A name of df's columns (avail, target) for the disk below a path.
disk_of() { df -m --output="$2" "$(existing_parent "$1")" | tail -n 1; }
free_megabytes() { echo $(($(disk_of "$1" avail))); }

# hash_of FILE-OR-TEXT...: one key for all of them; a word that names no file stands for itself.
hash_of() {
    local part
    for part in "$@"; do
        if [ -f "$part" ]; then cat "$part"; else printf '%s\n' "$part"; fi
    done | sha256sum | cut -d' ' -f1
}

# Compilers at once: as many as cores, each with 2 GB of memory; $ACCRUE_JOBS overrules.
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    [ "$cores" -le "$memory" ] || cores=$memory
    printf '%s\n' "${ACCRUE_JOBS:-$cores}"
}
