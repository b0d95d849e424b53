# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by setup.sh: the Debian packages of scripts/packages.txt, for the window of scripts/packages_for_window.txt, and, to
# test and check, of scripts/packages_for_tests.txt.
: "${accrue_root:?}" # lib/common.sh

package_lists=("$accrue_root"/scripts/packages{,_for_window,_for_tests}.txt)
wanted_packages() { grep -hvE '^(#|$)' "${package_lists[@]}"; }

# Those not installed, or left half-way by an interrupted call. Another system than Debian is trusted to have what is
# needed; CMake names what it lacks.
missing_packages() {
    local installed
    command -v apt-get >/dev/null || return 0
    # shellcheck disable=SC2046
    installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $(wanted_packages) 2>/dev/null | sed -n 's/^.i //p') || true
    wanted_packages | grep -vxF "${installed:-none}" || true
}

apt_command() {
    printf 'apt-get update && apt-get install --yes --no-install-recommends %s' "$*"
}

# Sets as_root to what runs a command as root; fails with the command to run where nothing does.
find_root() {
    as_root=()
    [ "$(id -u)" -eq 0 ] && return
    if command -v sudo >/dev/null && { [ -t 0 ] && sudo -v || sudo -n true; } 2>/dev/null; then
        as_root=(sudo)
        return
    fi
    fail "Debian packages are missing, and installing them needs root. Run this once as root, then this script again:" \
        "  $(apt_command "$@")"
}

# A package manager that runs already is waited for, up to ten minutes; its lock is no reason to fail.
with_apt_lock() {
    local log=$1 tries=0
    shift
    until "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@" >"$log" 2>&1 </dev/null; do
        grep -qiE 'could not get lock|was locked by another process|unable to (acquire|lock)' "$log" || return 1
        [ "$tries" -lt 120 ] || return 1
        [ "$tries" -gt 0 ] || say "    another package manager is at work; waiting for it"
        tries=$((tries + 1))
        sleep 5
    done
}

# "Need to get 1.2 MB of archives", "4.5 MB of additional disk space", from apt itself.
announce_packages() {
    local log=$1
    shift
    "${as_root[@]}" env LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" >"$log" 2>&1 </dev/null || true
    sed -n 's/^Need to get \(.*\) of archives\./    to download: \1/p; s/^After this operation, \(.*\) of additional disk space will be used\./    on disk: \1/p' "$log" >&2
}

install_packages() {
    local log status=0
    find_root "$@"
    packages_log=$(mktemp)
    trap 'rm -f "$packages_log"' EXIT
    log=$packages_log
    # An interrupted installation is finished first; where nothing was interrupted this does nothing.
    with_apt_lock "$log" dpkg --force-confold --configure -a || status=1
    with_apt_lock "$log" apt-get update || true
    announce_packages "$log" "$@"
    # All is fetched before anything is unpacked, so that a lost network leaves nothing half-installed.
    if grep -q '^E: Unable to locate package\|has no installation candidate' "$log"; then
        grep '^E:' "$log" >&2
        fail "The package archive does not know these packages. Accrue's set-up is made for Debian 12, and needs its network to be reachable for the first call; nothing was installed."
    fi
    with_apt_lock "$log" apt-get install --yes --download-only --no-install-recommends "$@" || package_failure "$log" "The Debian packages could not be downloaded: check the network and call again. Nothing was installed."
    with_apt_lock "$log" apt-get install --yes --no-download --fix-broken --no-install-recommends -o Dpkg::Options::=--force-confold "$@" || package_failure "$log" "The Debian packages could not be installed; call again to go on."
    [ "$status" -eq 0 ] || [ -z "$(missing_packages)" ] || package_failure "$log" "The Debian packages could not be configured; call again to go on."
}

package_failure() {
    grep -E '^(E|W|dpkg):' "$1" | tail -5 >&2 || true
    fail "$2"
}
