# SPDX-License-Identifier: Apache-2.0
"""Two machines on one: network namespaces with a cable between them, each with its own name, which both know."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("first-machine", "second-machine")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
HOSTS = tuple(f"accrue-{os.getpid()}-{name}" for name in NAMES)
FOLDER = tempfile.TemporaryDirectory(prefix="accrue-hosts-")
NAMES_FILE = Path(FOLDER.name) / "hosts"

# Not `ip netns exec`, which hides the control groups that a daemon of Slurm needs.
ENTER = 'hostname "$0" && mount --bind "$1" /etc/hosts && shift && exec "$@"'


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def connect():
    """Raises OSError or CalledProcessError if this machine does not allow it."""
    for program in ("ip", "tc", "nsenter", "unshare"):
        if not shutil.which(program):
            raise OSError(f"{program} (Debian's iproute2 and util-linux) is not installed")
    NAMES_FILE.write_text("127.0.0.1 localhost\n" + "".join(map("{} {}\n".format, ADDRESSES, NAMES)))
    for host in HOSTS:
        ip("netns", "add", host)
    ip("link", "add", "cable", "netns", HOSTS[0], "type", "veth", "peer", "name", "cable", "netns", HOSTS[1])
    for host, address in zip(HOSTS, ADDRESSES, strict=True):
        ip("-n", host, "address", "add", f"{address}/24", "dev", "cable")
        ip("-n", host, "link", "set", "cable", "up")
        ip("-n", host, "link", "set", "lo", "up")
    subprocess.run(on(0, ["true"]), check=True, capture_output=True)


def disconnect():
    for host in HOSTS:
        subprocess.run(["ip", "netns", "delete", host], check=False, capture_output=True)


def on(host, command):
    """The command as it runs on that host; the process is the command's own."""
    return ["nsenter", f"--net=/run/netns/{HOSTS[host]}", "unshare", "--mount", "--uts", "sh", "-c", ENTER, NAMES[host],
            str(NAMES_FILE), *command]


def pull_the_cable():
    ip("-n", HOSTS[1], "link", "set", "cable", "down")


def slow_the_cable(rate):
    for host in HOSTS:
        subprocess.run(["tc", "-n", host, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", rate, "burst", "32kbit",
                        "latency", "50ms"], check=True)
