# SPDX-License-Identifier: Apache-2.0
"""A cluster of Slurm for one test: its daemons as processes of the test, with everything they write in a temporary folder."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd", "srun", "sbatch")
TO_START = 20  # seconds


def this_machine(command):
    return command


class SlurmCluster:
    """`nodes`: the name and the address of each, and what makes a command run there. The first has the controller."""

    def __init__(self, nodes=((socket.gethostname(), "127.0.0.1", this_machine),)):
        self.nodes = nodes
        self.folder = tempfile.TemporaryDirectory(prefix="accrue-slurm-")
        self.home = Path(self.folder.name)
        self.environment = {"SLURM_CONF": str(self.home / "slurm.conf")}
        self.daemons = []

    def start(self):
        """Returns why it does not start here; None: it runs."""
        absent = [name for name in DAEMONS if not shutil.which(name)]
        if absent:
            return f"{', '.join(absent)} (Debian's slurmctld, slurmd, slurm-client and munge) are not installed"
        if os.geteuid() != 0:
            return "the daemons of Slurm need root"
        self.write_settings()
        self.run("munged", this_machine(["munged", "--foreground", "--force",
                                         *(f"--{name}={self.home / file}" for name, file in (
                                             ("key-file", "key"), ("socket", "munge"), ("pid-file", "munged.pid"),
                                             ("seed-file", "seed")))]))
        self.wait(lambda: (self.home / "munge").exists())
        self.run("slurmctld", self.nodes[0][2](["slurmctld", "-D"]))
        for name, _, on in self.nodes:
            self.run(name, on(["slurmd", "-D", "-N", name]))
        if self.wait(self.is_idle):
            return None
        self.stop()
        return "Slurm does not start here: " + " | ".join(self.last_words(file) for file in self.home.glob("*.log"))

    def write_settings(self):
        key = self.home / "key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        (self.home / "state").mkdir()
        cores = os.cpu_count()
        lines = [
            "ClusterName=accrue", f"SlurmctldHost={self.nodes[0][0]}({self.nodes[0][1]})", "SlurmUser=root", "SlurmdUser=root",
            "AuthType=auth/munge", f"AuthInfo=socket={self.home / 'munge'}", "CredType=cred/munge", "MpiDefault=none",
            # A container need not have control groups that it may write to.
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SelectType=select/linear",
            f"SlurmctldPort={self.free_port()}", f"SlurmdPort={self.free_port()}",
            f"StateSaveLocation={self.home / 'state'}", f"SlurmdSpoolDir={self.home}/spool-%n",
            f"SlurmctldPidFile={self.home / 'slurmctld.pid'}", f"SlurmdPidFile={self.home}/slurmd-%n.pid",
            *(f"NodeName={name} NodeAddr={address} CPUs={cores}" for name, address, _ in self.nodes),
            "PartitionName=all Nodes=ALL Default=YES"]
        (self.home / "slurm.conf").write_text("\n".join(lines) + "\n")

    @staticmethod
    def free_port():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            return taken.getsockname()[1]

    def run(self, name, command):
        with open(self.home / f"{name}.log", "w", encoding="utf-8") as log:
            self.daemons.append(subprocess.Popen(command, env=dict(os.environ, **self.environment), stdout=log, stderr=log))

    def wait(self, is_ready):
        """Returns whether it was before a daemon had ended or the time was over."""
        end = time.monotonic() + TO_START
        while time.monotonic() < end and all(daemon.poll() is None for daemon in self.daemons):
            if is_ready():
                return True
            time.sleep(0.1)
        return False

    def is_idle(self):
        shown = subprocess.run(self.nodes[0][2](["sinfo", "--noheader", "--format=%D %t"]), check=False, capture_output=True,
                               text=True, env=dict(os.environ, **self.environment))
        return shown.stdout.strip() == f"{len(self.nodes)} idle"

    @staticmethod
    def last_words(log):
        lines = log.read_text(errors="replace").splitlines()
        return f"{log.stem}: {lines[-1] if lines else 'silence'}"

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons.clear()
        self.folder.cleanup()
