# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts: the Python environment that holds LibTorch, nvcc and the CUDA libraries (scripts/requirements.txt).
# It lies outside the checkout, so that several checkouts share it. Its marker is written last: without it, it is not whole.
: "${accrue_root:?}" "${accrue_deps:?}" # lib/common.sh

requirements=$accrue_root/scripts/requirements.txt

# One paragraph of requirements.txt a line; its comments say nothing to pip.
paragraphs() { grep -v '^#' "$requirements" | awk -v RS= '{$1 = $1; print}'; }

environment_key=$(paragraphs | sha256sum | cut -d' ' -f1)

# A whole environment with other packages is another checkout's, or an older state's of this one: it is left alone, and this
# list gets a folder of its own.
find_environment() {
    local folder=$accrue_deps/torch-2.11.0-cu130 key
    key=$(cat "$folder/.accrue-whole" 2>/dev/null || true)
    # Earlier markers named the list with its comments.
    if [ "$key" = "$(hash_of "$requirements")" ] && printf '%s\n' "$environment_key" 2>/dev/null >"$folder/.accrue-whole"; then
        key=$environment_key
    fi
    case $key in "" | "$environment_key") ;; *) folder=$folder-${environment_key:0:8} ;; esac
    environment=$folder
    environment_marker=$folder/.accrue-whole
}
find_environment

# Where the environment's own Python looks for packages: another one's, left by an upgrade of the system, count for nothing.
site_packages() { printf '%s\n' "$environment/lib/$(basename "$(readlink -f "$environment/bin/python")")/site-packages"; }

environment_is_whole() {
    [ -x "$environment/bin/python" ] && [ -d "$(site_packages)/torch" ] &&
        [ "$(cat "$environment_marker" 2>/dev/null)" = "$environment_key" ]
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
    packages=$(site_packages)
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
    exec 9>"$accrue_deps/torch-2.11.0-cu130.lock"
    flock -n 9 || { say "    another call is making it; waiting"; flock 9; }
    find_environment
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
    rm -rf "$environment/.download" "$environment/.installing" "$environment/.pip.log" "$environment/.began"
    sync -f "$environment"
    printf '%s\n' "$environment_key" >"$environment_marker"
}

# Idempotent: on a folder that an interrupted call left, the environment is completed or, if even pip is broken, made anew.
make_venv() {
    # What pip set aside while it replaced a package, and a Python's that the system no longer has.
    rm -rf "$environment"/lib/python3*/site-packages/~*
    has_pip && return
    /usr/bin/python3 -m venv "$environment" && has_pip || /usr/bin/python3 -m venv --clear "$environment" || true
    has_pip || fail "No Python environment could be made in $environment; see the lines above."
    find "$environment/lib" -mindepth 1 -maxdepth 1 ! -path "$(dirname "$(site_packages)")" -exec rm -rf {} +
}

has_pip() { "$environment/bin/python" -m pip --version >/dev/null 2>&1; }

# What was being installed when a call was interrupted is installed over: half of its files may be there.
install_paragraph() {
    local place=$1 names=$2 again=() log=$environment/.pip.log begun=$environment/.installing started=$SECONDS
    if grep -qxF "$names" "$begun" 2>/dev/null; then
        again=(--ignore-installed)
    else
        printf '%s\n' "$names" >>"$begun"
    fi
    touch "$environment/.began"
    sleep 0.02 # what was written in the same tick of the file system's clock would not be newer
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
        sentence="Too little disk for LibTorch in $environment: free some, or set ACCRUE_DEPS_DIR to a folder on a larger disk, and call again. What was half installed is removed; the packages before it are kept."
        find "$environment/lib" -newer "$environment/.began" ! -type d -delete
    elif grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|Connection (refused|reset|broken)|Temporary failure in name resolution|IncompleteRead|timed out' "$log"; then
        sentence="LibTorch could not be downloaded: check the network and call again; what is there already is kept."
    else
        tail -15 "$log" >&2
    fi
    rm -rf "$environment/.download"
    [ -d "$(site_packages)/numpy" ] || rm -rf "$environment"
    fail "$sentence"
}

# The wheels' toolkit lacks two things: nvcc looks for lib64, and CMake for the plain names of the libraries.
complete_toolkit() {
    local root library plain
    root=$(site_packages)/nvidia/cu13
    ln -sfn lib "$root/lib64"
    for library in "$root"/lib/lib*.so.*; do
        plain=${library%%.so.*}.so
        [ -e "$plain" ] || ln -sf "$(basename "$library")" "$plain"
    done
}
