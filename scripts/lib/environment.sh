# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts: the Python environment that holds LibTorch, nvcc and the CUDA libraries (scripts/requirements.txt).
# It lies outside the checkout, so that several checkouts share it. Its marker is written last: without it, it is not whole.

environment=$accrue_deps/torch-2.11.0-cu130
environment_marker=$environment/.accrue-whole
requirements=$accrue_root/scripts/requirements.txt

environment_is_whole() {
    [ -x "$environment/bin/python" ] && [ "$(cat "$environment_marker" 2>/dev/null)" = "$(hash_of "$requirements")" ]
}

# Megabytes that are still to come; an interrupted installation has some of them.
environment_megabytes() {
    local there=0
    [ ! -d "$environment" ] || there=$(du -sm "$environment" | cut -f1)
    echo $((there < 5000 ? 6200 - there : 1200))
}

# Where CMake and the tests find things; presets read these variables.
export_environment() {
    local packages
    packages=$(echo "$environment"/lib/python3*/site-packages)
    export ACCRUE_PYTHON=$environment/bin/python
    export ACCRUE_TORCH=$packages/torch/share/cmake
    export ACCRUE_CUDA_ROOT=$packages/nvidia/cu13
    export CUDACXX=$ACCRUE_CUDA_ROOT/bin/nvcc
    ACCRUE_LAUNCHER=$(command -v ccache || true)
    export ACCRUE_LAUNCHER
}

make_environment() {
    mkdir -p "$accrue_deps" 2>/dev/null || true
    [ -w "$accrue_deps" ] ||
        fail "The folder $accrue_deps cannot be written. Set ACCRUE_DEPS_DIR to a folder that can."
    exec 9>"$environment.lock"
    flock -n 9 || { say "    another call is making it; waiting"; flock 9; }
    environment_is_whole || complete_environment
    exec 9>&-
}

complete_environment() {
    rm -rf "$environment_marker" "$environment/.download"
    make_venv
    local paragraph count=0 total
    total=$(paragraphs | wc -l)
    while read -r paragraph; do
        count=$((count + 1))
        install_paragraph "$count of $total" "$paragraph"
    done < <(paragraphs)
    "$environment/bin/python" -m pip check --disable-pip-version-check >&2 ||
        fail "The packages of $requirements do not fit together; see the lines above."
    complete_toolkit
    rm -rf "$environment/.download" "$environment/.installing" "$environment/.pip.log"
    sync -f "$environment"
    hash_of "$requirements" >"$environment_marker"
}

# Idempotent: on a folder that an interrupted call left, the environment is completed or, if even pip is broken, made anew.
make_venv() {
    has_pip && return
    /usr/bin/python3 -m venv "$environment" && has_pip && return
    /usr/bin/python3 -m venv --clear "$environment" || true
    has_pip || fail "No Python environment could be made in $environment; see the lines above."
}

has_pip() { "$environment/bin/python" -m pip --version >/dev/null 2>&1; }

# One paragraph of requirements.txt a line.
paragraphs() { grep -v '^#' "$requirements" | awk -v RS= '{$1 = $1; print}'; }

# What was being installed when a call was interrupted is installed over: half of its files may be there.
install_paragraph() {
    local place=$1 names=$2 again=() log=$environment/.pip.log begun=$environment/.installing started=$SECONDS
    if grep -qxF "$names" "$begun" 2>/dev/null; then
        again=(--force-reinstall)
    else
        printf '%s\n' "$names" >>"$begun"
    fi
    say "    $place: ${names//==/ }"
    # shellcheck disable=SC2086
    install_names "$log" "${again[@]}" $names || environment_failure "$log"
    grep -vxF "$names" "$begun" >"$begun.next" || true
    mv "$begun.next" "$begun"
    say "      $((SECONDS - started)) s"
}

# The downloads go to the environment's own disk: /tmp may be small.
install_names() {
    local log=$1
    shift
    mkdir -p "$environment/.download"
    TMPDIR=$environment/.download "$environment/bin/python" -m pip install --no-cache-dir --disable-pip-version-check \
        --no-input --progress-bar off --no-deps "$@" >"$log" 2>&1 </dev/null
}

environment_failure() {
    local log=$1 sentence
    sentence="LibTorch could not be installed; see the lines above."
    if grep -qE 'No space left' "$log"; then
        sentence="Too little disk for LibTorch in $environment: free some, or set ACCRUE_DEPS_DIR to a folder on a larger disk, and call again."
    elif grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|Connection (refused|reset|broken)|Temporary failure in name resolution|IncompleteRead|timed out' "$log"; then
        sentence="LibTorch could not be downloaded: check the network and call again; what is there already is kept."
    else
        tail -15 "$log" >&2
    fi
    rm -rf "$environment/.download"
    [ -d "$(echo "$environment"/lib/python3*/site-packages/numpy)" ] || rm -rf "$environment"
    fail "$sentence"
}

# The wheels' toolkit lacks two things: nvcc looks for lib64, and CMake for the plain names of the libraries.
complete_toolkit() {
    local root library plain
    root=$(echo "$environment"/lib/python3*/site-packages/nvidia/cu13)
    ln -sfn lib "$root/lib64"
    for library in "$root"/lib/lib*.so.*; do
        plain=${library%%.so.*}.so
        [ -e "$plain" ] || ln -sf "$(basename "$library")" "$plain"
    done
}
