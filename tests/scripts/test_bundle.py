#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launchers that bundle.sh puts into its archive, with a Python and programs of our own."""

import shutil
import unittest

from fixture import SCRIPTS, ScriptCase


class LauncherCase(ScriptCase):
    def setUp(self):
        super().setUp()
        self.folder = self.work / "a bundle"
        self.fake("accrue", 'echo "$LD_LIBRARY_PATH"; [ "$1" != fail ] || exit 3', self.folder / "bin")
        (self.folder / "lib").mkdir()
        shutil.copy(SCRIPTS / "bundled/libraries.sh", self.folder / "lib")
        for launcher in ("accrue", "accrue-tests"):
            shutil.copy(SCRIPTS / "bundled" / launcher, self.folder)
        self.packages = self.work / "site packages"

    def install_torch(self, version):
        for folder in ("torch/lib", "nvidia/cu13/lib"):
            (self.packages / folder).mkdir(parents=True)
        (self.packages / "torch/__init__.py").write_text("raise SystemExit('importing torch takes seconds')\n")
        (self.packages / "torch/version.py").write_text(f"__version__ = '{version}'\n")

    def launch(self, *arguments, launcher="accrue", **changes):
        return self.run_program(self.folder / launcher, *arguments, PYTHONPATH=self.packages, **changes)


class TestLauncher(LauncherCase):
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


class TestLauncherOfTests(LauncherCase):
    def setUp(self):
        super().setUp()
        self.install_torch("2.11.0+cu130")
        for name in ("tst_first", "tst_second"):
            self.fake(name, 'echo "$LD_LIBRARY_PATH $ACCRUE_ENGINE"; test -d "$XDG_DATA_HOME" && [ "$1" != fail ]',
                      self.folder / "tests")

    def run_tests(self, *arguments):
        return self.launch(*arguments, launcher="accrue-tests")

    def programs_called(self):
        return [call for call in self.called() if call.startswith("tst_")]

    def test_without_names_all_programs_run_with_torch_and_qt(self):
        done = self.run_tests()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.programs_called(), ["tst_first ", "tst_second "])
        self.assertEqual(done.stdout.splitlines()[0],
                         f"{self.folder}/lib:{self.packages}/torch/lib:{self.packages}/nvidia/cu13/lib:{self.folder}/tests/lib "
                         f"{self.folder}/bin/libaccrue_engine.so")

    def test_what_follows_the_names_goes_to_each_program(self):
        self.run_tests("tst_second", "aRow:its name")
        self.assertEqual(self.programs_called(), ["tst_second aRow:its name"])

    def test_a_program_that_fails_is_named_and_the_others_still_run(self):
        done = self.run_tests("tst_first", "tst_second", "fail")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "failed: tst_first tst_second")

    def test_a_name_that_is_not_there_is_wrong_input(self):
        done = self.run_tests("tst_other")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no tst_other; see ./accrue-tests --list", done.stderr)

    def test_the_programs_are_listed(self):
        self.assertEqual(self.run_tests("--list").stdout.split(), ["tst_first", "tst_second"])


if __name__ == "__main__":
    unittest.main()
