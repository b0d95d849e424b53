#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The set-up's promises, with programs of our own in place of apt-get, df and Python: nothing is installed."""

import hashlib
import os
import unittest

from fixture import SCRIPTS, ScriptCase

DISK = 'case "$*" in *target*) echo Mounted; echo "/a disk";; *) echo Avail; echo {free};; esac'


def one_package(name):
    """What pip leaves of a package that the disk had room for in part."""
    return f'case "$*" in *"pip install"*{name}*) touch "$packages/half"; echo "No space left on device"; exit 1;; esac'


class SetupCase(ScriptCase):
    def setUp(self):
        super().setUp()
        self.deps = self.work / "deps"
        self.environment = self.deps / "torch-2.11.0-cu130"
        self.packages = self.environment / "lib/python3.11/site-packages"
        self.fake("df", DISK.format(free=90000))
        self.fake("dpkg-query", "exit 1")
        self.fake("dpkg", "exit 0")
        self.fake("sudo", "exit 1")
        self.fake("apt-get", "exit 0")
        self.fake("id", "echo 1000")

    def setup_script(self, *arguments):
        return self.run_program(SCRIPTS / "setup.sh", "--no-build", *arguments, ACCRUE_DEPS_DIR=self.deps)

    def bash(self, script, scripts=SCRIPTS, **changes):
        changes.setdefault("ACCRUE_DEPS_DIR", self.deps)
        return self.run_program("bash", "-c", 'set -euo pipefail; source "$1/lib/common.sh"; source "$1/lib/environment.sh"\n' + script,
                                "bash", scripts, **changes)

    def make_environment(self, scripts=SCRIPTS):
        return self.bash('make_environment; environment_is_whole; echo "$environment"', scripts)

    def fake_environment(self):
        """An environment as an interrupted call leaves it: Python and pip are there, the marker is not."""
        library = self.packages / "nvidia/cu13/lib"
        library.mkdir(parents=True)
        (library / "libfoo.so.13").touch()
        (self.packages / "numpy").mkdir()
        (self.packages / "torch").mkdir()
        self.fake_python("exit 0")
        return library

    def fake_python(self, script):
        self.fake("python3.11", f'packages="{self.packages}"\n{script}', self.environment / "bin")
        if not (self.environment / "bin/python").exists():
            (self.environment / "bin/python").symlink_to("python3.11")

    def pip_calls(self):
        return [line for line in self.called() if "pip install" in line]


class TestSetup(SetupCase):
    def test_without_root_the_exact_command_is_printed(self):
        done = self.setup_script()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\n  apt-get update && apt-get install --yes --no-install-recommends g\+\+ cmake .* codespell\n")
        self.assertNotIn("apt-get", self.calls.read_text())

    def test_to_run_only_nothing_for_tests_is_asked_for(self):
        done = self.setup_script("--run-only")
        self.assertRegex(done.stderr, r"\n  apt-get update && apt-get install .* librapidcheck-dev\n")
        self.assertNotRegex(done.stderr, "clang|codespell|xdotool")

    def test_too_little_disk_is_said_before_anything_is_touched(self):
        self.fake("df", DISK.format(free=90))
        done = self.setup_script()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"Too little disk: the set-up needs about \d+ MB on /a disk .* has 90 MB free\.")
        self.assertIn("/var/cache/apt", done.stderr)
        self.assertNotIn("apt-get", self.calls.read_text())
        self.assertFalse(self.deps.exists())

    def test_what_is_announced_is_what_was_checked(self):
        needed = self.setup_script().stderr.split(" needs ")[1].split(" MB")[0]
        self.fake("df", DISK.format(free=int(needed) - 1))
        self.assertIn(f"needs about {needed} MB", self.setup_script().stderr)
        self.fake("df", DISK.format(free=needed))
        self.assertNotIn("Too little disk", self.setup_script().stderr)

    def test_only_who_gets_libtorch_is_told_of_its_gigabytes(self):
        self.assertIn("5 GB stay", self.setup_script().stderr)
        self.fake_environment()
        self.assertEqual(self.make_environment().returncode, 0)
        self.assertNotIn("5 GB stay", self.setup_script().stderr)

    def test_without_a_network_nothing_is_unpacked_and_no_log_is_left(self):
        self.fake("id", "echo 0")
        self.fake("apt-get", 'case "$*" in *--download-only*) echo "E: Failed to fetch"; exit 100;; esac')
        (self.work / "tmp").mkdir()
        done = self.run_program(SCRIPTS / "setup.sh", "--no-build", ACCRUE_DEPS_DIR=self.deps, TMPDIR=self.work / "tmp")
        self.assertEqual(done.returncode, 1)
        self.assertIn("check the network and call again. Nothing was installed.", done.stderr)
        self.assertNotIn("--no-download", self.calls.read_text())
        self.assertEqual(list((self.work / "tmp").iterdir()), [])

    def test_another_package_manager_is_waited_for(self):
        self.fake("id", "echo 0")
        self.fake("sleep", f'touch "{self.work}/waited"')
        self.fake("apt-get", f'[ -e "{self.work}/waited" ] || {{ echo "E: Could not get lock /var/lib/apt/lists/lock"; exit 100; }}\n'
                             'case "$*" in *--no-download*) echo "E: enough"; exit 1;; esac')
        done = self.setup_script()
        self.assertIn("another package manager is at work", done.stderr)
        self.assertIn("--no-download", self.calls.read_text())


class TestEnvironment(SetupCase):
    def test_an_interrupted_environment_is_completed(self):
        library = self.fake_environment()
        (self.environment / ".installing").write_text("nvidia-cublas==13.1.0.3\n")
        (self.packages / "~orch").mkdir()
        done = self.make_environment()
        self.assertEqual(done.returncode, 0, done.stderr)
        again = [call for call in self.pip_calls() if "--ignore-installed" in call]
        self.assertEqual(len(again), 1, again)
        self.assertIn("nvidia-cublas==13.1.0.3", again[0])
        self.assertTrue(self.pip_calls()[-1].endswith(" torch==2.11.0"))
        self.assertEqual(os.readlink(library / "libfoo.so"), "libfoo.so.13")
        self.assertEqual(os.readlink(library.parent / "lib64"), "lib")
        self.assertFalse((self.packages / "~orch").exists())

    def test_a_whole_environment_is_left_alone(self):
        self.fake_environment()
        self.make_environment()
        self.calls.write_text("")
        self.assertEqual(self.make_environment().returncode, 0)
        self.assertEqual(self.called(), [])

    def test_a_marker_with_the_hash_of_the_whole_list_is_kept(self):
        self.fake_environment()
        requirements = (SCRIPTS / "requirements.txt").read_bytes()
        (self.environment / ".accrue-whole").write_text(hashlib.sha256(requirements).hexdigest() + "\n")
        self.assertEqual(self.make_environment().returncode, 0)
        self.assertEqual(self.called(), [])

    def test_a_comment_in_the_list_changes_nothing(self):
        self.fake_environment()
        self.make_environment()
        self.calls.write_text("")
        root = self.checkout()
        with open(root / "scripts/requirements.txt", "a", encoding="utf-8") as file:
            file.write("\n# A comment.\n")
        done = self.make_environment(root / "scripts")
        self.assertEqual(done.stdout.strip(), str(self.environment))
        self.assertEqual(self.pip_calls(), [])

    def test_another_list_gets_an_environment_of_its_own(self):
        self.fake_environment()
        self.make_environment()
        root = self.checkout()
        with open(root / "scripts/requirements.txt", "a", encoding="utf-8") as file:
            file.write("\nanother==1.0\n")
        self.assertRegex(self.bash('echo "$environment"', root / "scripts").stdout, rf"^{self.environment}-[0-9a-f]{{8}}\n$")
        self.assertEqual(self.bash('echo "$environment"').stdout.strip(), str(self.environment))

    def test_packages_of_another_python_count_for_nothing(self):
        self.fake_environment()
        self.make_environment()
        self.fake("python3.12", "exit 0", self.environment / "bin")
        (self.environment / "bin/python").unlink()
        (self.environment / "bin/python").symlink_to("python3.12")
        self.assertEqual(self.bash("environment_is_whole").returncode, 1)

    def test_a_full_disk_leaves_no_half_of_a_package(self):
        self.fake_environment()
        (self.packages / "numpy/whole").touch()
        self.fake_python(one_package("torch=="))
        done = self.make_environment()
        self.assertEqual(done.returncode, 1)
        self.assertIn("Too little disk for LibTorch", done.stderr)
        self.assertTrue((self.packages / "numpy/whole").exists())
        self.assertFalse((self.packages / "half").exists())

    def test_a_failed_download_leaves_no_environment_that_looks_whole(self):
        self.fake_environment()
        self.fake_python('case "$*" in *"pip install"*torch==*) echo "NewConnectionError"; exit 1;; esac')
        done = self.make_environment()
        self.assertEqual(done.returncode, 1)
        self.assertIn("check the network and call again; what is there already is kept", done.stderr)
        self.assertTrue((self.environment / "bin/python").exists())
        self.assertFalse((self.environment / ".accrue-whole").exists())

    def test_a_failed_first_download_leaves_nothing(self):
        self.fake_environment()
        (self.packages / "numpy").rmdir()
        self.fake_python('case "$*" in *"pip install"*) echo "NewConnectionError"; exit 1;; esac')
        self.assertEqual(self.make_environment().returncode, 1)
        self.assertFalse(self.environment.exists())

    def test_a_relative_folder_is_made_absolute(self):
        done = self.bash('cd /; echo "$environment"', ACCRUE_DEPS_DIR="here/deps")
        self.assertEqual(done.stdout.strip(), f"{self.work}/here/deps/torch-2.11.0-cu130")


class TestBuildFolder(SetupCase):
    def configured(self, root, then):
        return self.bash('source "$1/lib/build.sh"; cd /\n' + then, root / "scripts")

    def test_an_interrupted_configuration_is_done_again(self):
        root = self.checkout()
        (root / "CMakePresets.json").write_text("{}")
        self.fake("cmake", 'touch build/release/build.ninja')
        self.assertEqual(self.configured(root, "configure release; is_configured release").returncode, 0)
        self.fake("cmake", "kill $PPID; sleep 1")
        self.configured(root, "configure release")
        self.assertEqual(self.configured(root, "is_configured release").returncode, 1)

    def test_a_checkout_that_was_moved_is_configured_again(self):
        root = self.checkout()
        (root / "CMakePresets.json").write_text("{}")
        self.fake("cmake", 'touch build/release/build.ninja')
        self.configured(root, "configure release")
        moved = root.rename(self.work / "elsewhere")
        self.assertEqual(self.configured(moved, "is_configured release").returncode, 1)


if __name__ == "__main__":
    unittest.main()
