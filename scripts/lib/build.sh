# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts: configure and build one preset of CMakePresets.json.
: "${accrue_root:?}" "${environment:?}" "${environment_key:?}" # lib/common.sh, lib/environment.sh

build_folder() { printf '%s\n' "$accrue_root/build/$1"; }

# CMake notices changed CMakeLists itself; this key holds what it does not notice.
configure_key() { hash_of "$accrue_root/CMakePresets.json" "$accrue_root" "$environment" "$environment_key" "${ACCRUE_LAUNCHER:-}"; }

is_configured() {
    local folder
    folder=$(build_folder "$1")
    [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/.accrue-configured" 2>/dev/null)" = "$(configure_key)" ]
}

configure() {
    local preset=$1 folder
    folder=$(build_folder "$preset")
    mkdir -p "$folder"
    # First: a call that is interrupted from here on leaves a folder that is not configured.
    rm -f "$folder"/.accrue-configured "$folder"/.accrue-built-*
    (cd "$accrue_root" && cmake --preset "$preset" --fresh >"$folder/configure.log" 2>&1) || {
        tail -25 "$folder/configure.log" >&2
        fail "CMake could not configure the preset $preset; the whole output is in $folder/configure.log."
    }
    configure_key >"$folder/.accrue-configured"
}

# Written when a build of these targets has succeeded; as old as that build's start, and naming its commit.
build_stamp() { printf '%s\n' "$(build_folder "$1")/.accrue-built-$(hash_of "${@:2}" | cut -c1-12)"; }
source_revision() { git -C "$accrue_root" rev-parse HEAD 2>/dev/null || echo unknown; }

# needs_build PRESET [TARGET...]: whether anything below the sources is newer than the last build, or the commit another.
# CMake's own no-op would do, but the revision that each build looks up makes it talk every time.
needs_build() {
    local stamp
    stamp=$(build_stamp "$@")
    [ "$(cat "$stamp" 2>/dev/null)" = "$(source_revision)" ] || return 0
    (cd "$accrue_root" && find CMakeLists.txt app engine experiments resources scripts/cmake tests ui \
        -name __pycache__ -prune -o -newer "$stamp" -print -quit) | grep -q .
}

# build PRESET [TARGET...]: without targets, all.
build() {
    local preset=$1 stamp targets=()
    stamp=$(build_stamp "$@")
    shift
    [ $# -eq 0 ] || targets=(--target "$@")
    source_revision >"$stamp.begun"
    cmake --build "$(build_folder "$preset")" -j "$(build_jobs)" "${targets[@]}" >&2 ||
        fail "The build of the preset $preset failed; its errors are above."
    mv "$stamp.begun" "$stamp"
}
