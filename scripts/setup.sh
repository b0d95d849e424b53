#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings a Debian 12 machine to a built Accrue: Debian packages, the environment with LibTorch and nvcc, configure, build.
# What is there already is skipped; an interrupted call is continued by the next.
#   scripts/setup.sh [--preset dev|release|headless|asan|asan-engine|fuzz|tsan|coverage|tidy] [--no-build] [--run-only] [TARGET...]
#   --run-only: without the Debian packages that only tests and checks need
#   --preset headless: the command line and the engine, without Qt and the Debian packages of the window
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
source "$accrue_root/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/environment.sh
source "$accrue_root/scripts/lib/environment.sh"
# shellcheck source=scripts/lib/build.sh
source "$accrue_root/scripts/lib/build.sh"

preset=release
build_too=1
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --preset) preset=${2:?--preset needs a name}; shift ;;
    --no-build) build_too=0 ;;
    --run-only) package_lists=("$accrue_root"/scripts/packages{,_for_window}.txt) ;;
    -h | --help) help_of "$0"; exit 0 ;;
    -*) fail "setup.sh does not know $1; see --help." ;;
    *) targets+=("$1") ;;
    esac
    shift
done
case $preset in
headless) package_lists=("$accrue_root/scripts/packages.txt") ;;
dev | release | asan | asan-engine | fuzz | tsan | coverage | tidy) ;;
*) fail "There is no preset $preset; there are dev, release, headless, asan, asan-engine, fuzz, tsan, coverage and tidy." ;;
esac

# need_space FOLDER MEGABYTES: needs on one disk add up.
declare -A needed_on
declare -A folder_on
need_space() {
    local disk
    disk=$(disk_of "$1" target)
    needed_on[$disk]=$((${needed_on[$disk]:-0} + $2))
    folder_on[$disk]="${folder_on[$disk]:+${folder_on[$disk]}, }$1"
}

check_space() {
    local disk free
    for disk in "${!needed_on[@]}"; do
        free=$(free_megabytes "$disk")
        [ "$free" -ge "${needed_on[$disk]}" ] ||
            fail "Too little disk: the set-up needs about ${needed_on[$disk]} MB on $disk (${folder_on[$disk]}), which has $free MB free. Free some; the environment can lie elsewhere: set ACCRUE_DEPS_DIR. Nothing was changed."
    done
}

# Says what the first call will fetch and checks that it fits, before anything is touched.
announce() {
    local download=0 disk needed=0 stays=""
    if [ ${#packages[@]} -gt 10 ]; then
        need_space /usr 1900
        need_space /var/cache/apt 500
        download=$((download + 500))
    elif [ ${#packages[@]} -gt 0 ]; then
        need_space /usr 400
        need_space /var/cache/apt 100
        download=$((download + 100))
    fi
    if [ "$make_env" = 1 ]; then
        need_space "$environment" "$(environment_megabytes)"
        download=$((download + 2700))
        stays=" (5 GB stay in $accrue_deps: LibTorch and CUDA). With the build it takes about a quarter of an hour on two cores and a fast line"
    fi
    [ -f "$(build_folder "$preset")/build.ninja" ] || need_space "$accrue_root/build" 1200
    check_space
    for disk in "${!needed_on[@]}"; do
        needed=$((needed + needed_on[$disk]))
    done
    [ "$download" -eq 0 ] || say "Accrue's set-up will download up to $download MB and needs $needed MB of free disk while it works$stays. It can be interrupted; the next call goes on."
}

mapfile -t packages < <(missing_packages)
make_env=0
environment_is_whole || make_env=1
announce
[ ${#packages[@]} -eq 0 ] || stage "Debian packages: ${#packages[@]} to install (g++, CMake, Qt 6, SQLite and others)" install_packages "${packages[@]}"
[ "$make_env" = 0 ] || stage "LibTorch 2.11, CUDA 13.0 and nvcc into $environment: about 2.7 GB to download, 5 GB on disk" make_environment
export_environment
# One call at a time works in a build folder.
mkdir -p "$(build_folder "$preset")"
exec 8>"$(build_folder "$preset")/.accrue-lock"
flock -n 8 || { say "Another call is building the preset $preset; waiting"; flock 8; }
is_configured "$preset" || stage "Configure (preset $preset)" configure "$preset"
if [ "$build_too" = 1 ] && needs_build "$preset" "${targets[@]}"; then
    stage "Build (preset $preset, $(build_jobs) compilers at once)" build "$preset" "${targets[@]}"
fi
