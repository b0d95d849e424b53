#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The set-up's promises, with programs of our own in place of apt-get, df and Python: nothing is installed."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCRIPTS = SOURCE / "scripts"


class TestSetup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.programs = self.work / "programs"
        self.programs.mkdir()
        self.calls = self.work / "calls"
        self.calls.touch()
        self.deps = self.work / "deps"
        self.environment = self.deps / "torch-2.11.0-cu130"
        self.fake("df", "echo 'Filesystem Blocks Used Available Capacity Mounted'; echo 'disk 1 1 90000 1% /'")
        self.fake("dpkg-query", "exit 1")
        self.fake("dpkg", "exit 0")
        self.fake("sudo", "exit 1")
        self.fake("apt-get", "exit 0")
        self.fake("id", "echo 1000")

    def fake(self, name, script, folder=None):
        path = (folder or self.programs) / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        path.chmod(0o755)

    def run_bash(self, script):
        variables = dict(os.environ, PATH=f"{self.programs}:{os.environ['PATH']}", ACCRUE_DEPS_DIR=str(self.deps))
        return subprocess.run(["bash", "-c", script], env=variables, cwd=self.work, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)

    def setup_script(self):
        return self.run_bash(f"{SCRIPTS}/setup.sh --no-build")

    def make_environment(self):
        return self.run_bash(f"set -euo pipefail; source {SCRIPTS}/lib/common.sh; source {SCRIPTS}/lib/environment.sh;"
                             " make_environment; environment_is_whole")

    def fake_environment(self):
        """An environment as an interrupted call leaves it: Python and pip are there, the marker is not."""
        library = self.environment / "lib/python3.11/site-packages/nvidia/cu13/lib"
        library.mkdir(parents=True)
        (library / "libfoo.so.13").touch()
        (self.environment / "lib/python3.11/site-packages/numpy").mkdir()
        (self.environment / "bin").mkdir()
        self.fake("python", "exit 0", self.environment / "bin")
        return library

    def pip_calls(self):
        return [line for line in self.calls.read_text().splitlines() if "pip install" in line]

    def test_without_root_the_exact_command_is_printed(self):
        done = self.setup_script()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\n  apt-get update && apt-get install --yes --no-install-recommends g\+\+ cmake ")
        self.assertNotIn("apt-get", self.calls.read_text())

    def test_too_little_disk_is_said_before_anything_is_touched(self):
        self.fake("df", "echo 'Filesystem Blocks Used Available Capacity Mounted'; echo 'disk 1 1 90 1% /'")
        done = self.setup_script()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"Too little disk: .* has 90 MB free\.")
        self.assertNotIn("apt-get", self.calls.read_text())
        self.assertFalse(self.deps.exists())

    def test_without_a_network_nothing_is_unpacked(self):
        self.fake("id", "echo 0")
        self.fake("apt-get", 'case "$*" in *--download-only*) echo "E: Failed to fetch"; exit 100;; esac')
        done = self.setup_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("check the network and call again. Nothing was installed.", done.stderr)
        self.assertNotIn("--no-download", self.calls.read_text())

    def test_another_package_manager_is_waited_for(self):
        self.fake("id", "echo 0")
        self.fake("sleep", f'touch "{self.work}/waited"')
        self.fake("apt-get", f'[ -e "{self.work}/waited" ] || {{ echo "E: Could not get lock /var/lib/apt/lists/lock"; exit 100; }}\n'
                             'case "$*" in *--no-download*) echo "E: enough"; exit 1;; esac')
        done = self.setup_script()
        self.assertIn("another package manager is at work", done.stderr)
        self.assertIn("--no-download", self.calls.read_text())

    def test_an_interrupted_environment_is_completed(self):
        library = self.fake_environment()
        (self.environment / ".installing").write_text("nvidia-cublas==13.1.0.3\n")
        done = self.make_environment()
        self.assertEqual(done.returncode, 0, done.stderr)
        again = [call for call in self.pip_calls() if "--force-reinstall" in call]
        self.assertEqual(len(again), 1, again)
        self.assertIn("nvidia-cublas==13.1.0.3", again[0])
        self.assertTrue(self.pip_calls()[-1].endswith(" torch==2.11.0"))
        self.assertEqual(os.readlink(library / "libfoo.so"), "libfoo.so.13")
        self.assertEqual(os.readlink(library.parent / "lib64"), "lib")

    def test_a_whole_environment_is_left_alone(self):
        self.fake_environment()
        self.make_environment()
        self.calls.write_text("")
        self.assertEqual(self.make_environment().returncode, 0)
        self.assertEqual(self.calls.read_text(), "")

    def test_a_failed_download_leaves_no_environment_that_looks_whole(self):
        self.fake_environment()
        self.fake("python", 'case "$*" in *"pip install"*torch==*) echo "NewConnectionError"; exit 1;; esac', self.environment / "bin")
        done = self.make_environment()
        self.assertEqual(done.returncode, 1)
        self.assertIn("check the network and call again; what is there already is kept", done.stderr)
        self.assertTrue((self.environment / "bin/python").exists())
        self.assertFalse((self.environment / ".accrue-whole").exists())

    def test_a_failed_first_download_leaves_nothing(self):
        self.fake_environment()
        (self.environment / "lib/python3.11/site-packages/numpy").rmdir()
        self.fake("python", 'case "$*" in *"pip install"*) echo "NewConnectionError"; exit 1;; esac', self.environment / "bin")
        self.assertEqual(self.make_environment().returncode, 1)
        self.assertFalse(self.environment.exists())


class TestCommitMessage(unittest.TestCase):
    def verdict(self, subject):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(subject + "\n")
            file.flush()
            return subprocess.run([SCRIPTS / "check_commit_message.sh", file.name], capture_output=True).returncode

    def test_subjects_have_a_prefix_and_72_characters(self):
        self.assertEqual(self.verdict("fix: keep the tail of an epoch"), 0)
        self.assertEqual(self.verdict("Keep the tail of an epoch"), 1)
        self.assertEqual(self.verdict("fix: keep the tail of an epoch."), 1)
        self.assertEqual(self.verdict("fix: " + "a" * 68), 1)


if __name__ == "__main__":
    unittest.main()
