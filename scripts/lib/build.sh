# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts: configure and build one preset of CMakePresets.json.

build_folder() { printf '%s\n' "$accrue_root/build/$1"; }

# CMake notices changed CMakeLists itself; this key holds what it does not notice.
configure_key() { hash_of "$accrue_root/CMakePresets.json" "$requirements" "$environment" "${ACCRUE_LAUNCHER:-}"; }

is_configured() {
    local folder
    folder=$(build_folder "$1")
    [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/.accrue-configured" 2>/dev/null)" = "$(configure_key)" ]
}

configure() {
    local preset=$1 folder
    folder=$(build_folder "$preset")
    mkdir -p "$folder"
    (cd "$accrue_root" && cmake --preset "$preset" --fresh >"$folder/configure.log" 2>&1) || {
        tail -25 "$folder/configure.log" >&2
        fail "CMake could not configure the preset $preset; the whole output is in $folder/configure.log."
    }
    configure_key >"$folder/.accrue-configured"
}

# build PRESET [TARGET...]: without targets, all.
build() {
    local preset=$1 targets=()
    shift
    [ $# -eq 0 ] || targets=(--target "$@")
    cmake --build "$(build_folder "$preset")" -j "$(build_jobs)" "${targets[@]}" >&2 ||
        fail "The build of the preset $preset failed; its errors are above."
}

needs_build() {
    local folder
    folder=$(build_folder "$1")
    shift
    ! ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'
}
