# SPDX-License-Identifier: Apache-2.0
"""What the tests of the scripts share: programs of our own in place of the system's, and checkouts to run scripts in."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCRIPTS = SOURCE / "scripts"


class ScriptCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="accrue scripts ")
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name).resolve()
        self.programs = self.work / "programs"
        self.programs.mkdir()
        self.calls = self.work / "calls"
        self.calls.touch()

    def fake(self, name, script, folder=None):
        """A program that notes its call and then does what the script says."""
        path = (folder or self.programs) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        path.chmod(0o755)

    def called(self):
        return self.calls.read_text().splitlines()

    def run_program(self, *command, cwd=None, **changes):
        """A variable changed to None is not set."""
        variables = dict(os.environ, PATH=f"{self.programs}:{os.environ['PATH']}", HOME=str(self.work / "home"))
        for name in ("ACCRUE_DATA_DIR", "ACCRUE_DEPS_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                     "XDG_DATA_HOME"):
            variables.pop(name, None)
        for name, value in changes.items():
            variables[name] = str(value)
        return subprocess.run(command, env=variables, cwd=cwd or self.work, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)

    def checkout(self, *scripts):
        """A checkout whose path has a space, with these scripts of ours, lib, and a set-up that does nothing."""
        root = self.work / "my checkout"
        (root / "scripts").mkdir(parents=True)
        shutil.copytree(SCRIPTS / "lib", root / "scripts/lib")
        for name in (*scripts, "requirements.txt"):
            shutil.copy(SCRIPTS / name, root / "scripts" / name)
        self.fake("setup.sh", "", root / "scripts")
        return root
