#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launcher that bundle.sh puts into its archive, with a Python and a program of our own."""

import re
import unittest

from fixture import SCRIPTS, ScriptCase


class TestLauncher(ScriptCase):
    def setUp(self):
        super().setUp()
        self.folder = self.work / "a bundle"
        script = (SCRIPTS / "bundle.sh").read_text()
        launcher = re.search(r"<<'LAUNCHER'\n(.*?)^LAUNCHER$", script, re.DOTALL | re.MULTILINE).group(1)
        self.fake("accrue", 'echo "$LD_LIBRARY_PATH"; [ "$1" != fail ] || exit 3', self.folder / "bin")
        (self.folder / "accrue").write_text(launcher)
        (self.folder / "accrue").chmod(0o755)
        self.packages = self.work / "site packages"

    def install_torch(self, version):
        for folder in ("torch/lib", "nvidia/cu13/lib"):
            (self.packages / folder).mkdir(parents=True)
        (self.packages / "torch/__init__.py").write_text("raise SystemExit('importing torch takes seconds')\n")
        (self.packages / "torch/version.py").write_text(f"__version__ = '{version}'\n")

    def launch(self, *arguments, **changes):
        return self.run_program(self.folder / "accrue", *arguments, PYTHONPATH=self.packages, **changes)

    def test_the_torch_it_was_built_for_is_found_with_its_cuda(self):
        self.install_torch("2.11.0+cu130")
        done = self.launch("train", "my recipe")
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.strip(),
                         f"{self.folder}/lib:{self.packages}/torch/lib:{self.packages}/nvidia/cu13/lib")
        self.assertEqual(self.called()[-1], "accrue train my recipe")

    def test_another_torch_is_named_and_not_loaded(self):
        self.install_torch("2.11.0+cpu")
        done = self.launch("list")
        self.assertRegex(done.stderr, r"has torch 2\.11\.0\+cpu, and this build needs torch 2\.11\.0\+cu130 to train")
        self.assertEqual(done.stdout.strip(), f"{self.folder}/lib")

    def test_without_torch_what_trains_nothing_still_runs(self):
        self.fake("python", "exit 0")
        done = self.launch("list", ACCRUE_PYTHON="python")
        self.assertIn("python has no torch", done.stderr)
        self.assertEqual(self.called()[-1], "accrue list")

    def test_the_exit_code_is_the_programs(self):
        self.install_torch("2.11.0+cu130")
        self.assertEqual(self.launch("fail").returncode, 3)


if __name__ == "__main__":
    unittest.main()
