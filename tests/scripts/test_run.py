#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.sh, test.sh and measure.sh in a checkout of their own, with programs of our own in place of Accrue's and ctest."""

import unittest
from pathlib import Path

from fixture import ScriptCase

# A command line whose log has a run more after it trained; `trains` is what training does.
COMMAND_LINE = """
case "$1" in
train) {trains};;
list) if [ -e "$HOME/trained" ]; then echo '[{{"id": 7, "name": "first-run"}}, {{"id": 3, "name": "old"}}]'
      else echo '[{{"id": 3, "name": "first-run"}}]'; fi;;
doctor) echo '{{"run_log": {{"file": "/some folder/log.db"}}}}'; exit 1;;
--help) echo "the commands";;
esac
"""


class TestRun(ScriptCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("run.sh")
        (self.work / "home").mkdir()
        self.bin = self.root / "build/release/bin"

    def build(self, trains='touch "$HOME/trained"', window="exit 0"):
        self.fake("accrue", COMMAND_LINE.format(trains=trains), self.bin)
        self.fake("accrue-workbench", window, self.bin)

    def run_script(self, *arguments, **changes):
        return self.run_program(self.root / "scripts/run.sh", *arguments, **changes)

    def test_without_a_display_the_first_run_trains_and_is_exported_beside_the_log(self):
        self.build()
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("There is no display here", done.stderr)
        self.assertIn("accrue export --csv /some folder/run-7.csv --runs 7", self.called())
        self.assertIn("All runs: /some folder/log.db.", done.stderr)

    def test_where_nothing_could_be_trained_no_older_run_is_shown(self):
        self.build(trains='echo "accrue: the engine cannot be loaded" >&2; exit 1')
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "accrue: the engine cannot be loaded")
        self.assertNotIn("export", self.calls.read_text())

    def test_a_run_that_failed_is_exported_and_its_exit_code_kept(self):
        self.build(trains='touch "$HOME/trained"; exit 4')
        done = self.run_script()
        self.assertEqual(done.returncode, 4)
        self.assertIn("accrue export", self.calls.read_text())

    def test_a_display_that_cannot_be_opened_is_none(self):
        self.build(window='echo "could not connect to display :9" >&2; kill -ABRT $$')
        done = self.run_script(DISPLAY=":9")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The display :9 cannot be opened (could not connect to display :9)", done.stderr)
        self.assertIn("accrue train first-run", self.called())

    def test_with_a_display_the_workbench_opens(self):
        self.build()
        self.assertEqual(self.run_script(DISPLAY=":9").returncode, 0)
        self.assertEqual(self.called()[-2:], ["accrue-workbench --version", "accrue-workbench "])

    def test_help_sets_nothing_up(self):
        self.assertIn("opens the workbench", self.run_script("--help").stdout)
        self.assertEqual(self.called(), [])
        self.build()
        self.assertIn("the commands", self.run_script("--help").stdout)
        self.assertEqual(self.called(), ["accrue --help"])

    def test_arguments_go_to_the_command_line(self):
        self.build()
        self.run_script("show", "my run")
        self.assertEqual(self.called(), ["setup.sh --run-only accrue accrue_engine", "accrue show my run"])


class TestSuite(ScriptCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("test.sh")
        self.fake("ctest", 'echo "data: ${ACCRUE_DATA_DIR:-} home: $XDG_DATA_HOME display: ${DISPLAY:-}"')

    def run_script(self, *arguments, **changes):
        return self.run_program(self.root / "scripts/test.sh", *arguments, **changes)

    def ctest_call(self, *arguments):
        self.calls.write_text("")
        self.assertEqual(self.run_script(*arguments, ACCRUE_JOBS=3).returncode, 0)
        return self.called()

    def test_the_preset_may_stand_anywhere(self):
        for arguments in (("--preset", "asan", "-R", "a b"), ("-R", "a b", "--preset", "asan"), ("-R", "a b", "--preset=asan")):
            self.assertEqual(self.ctest_call(*arguments), ["setup.sh --preset asan", "ctest --preset asan -j 3 -R a b"])

    def test_a_preset_without_tests_is_refused(self):
        done = self.run_script("--preset", "tidy")
        self.assertEqual(done.returncode, 1)
        self.assertIn("There is no preset tidy to test; there are release, dev, asan, asan-engine, tsan and coverage.", done.stderr)
        self.assertEqual(self.called(), [])

    def test_no_test_sees_the_users_runs_and_display(self):
        done = self.run_script(DISPLAY=":0", XDG_DATA_HOME=self.work / "mine")
        self.assertIn(f"home: {self.root}/build/release/test-home/data display: \n", done.stdout)

    def test_mnist_is_found_where_the_user_keeps_data(self):
        done = self.run_script()
        self.assertIn("MNIST was not found: the tests that need it skip", done.stderr)
        (self.work / "home/.local/share/accrue/data/mnist").mkdir(parents=True)
        done = self.run_script()
        self.assertIn(f"data: {self.work}/home/.local/share/accrue/data home:", done.stdout)
        self.assertIn(f"MNIST: {self.work}/home/.local/share/accrue/data/mnist\n", done.stderr)

    def test_mnist_beside_the_checkout_comes_first_and_the_variable_before_all(self):
        (self.work / "home/.local/share/accrue/data/mnist").mkdir(parents=True)
        (self.work / "shared/data/mnist").mkdir(parents=True)
        self.assertIn(f"data: {self.root}/../shared/data home:", self.run_script().stdout)
        self.assertIn(f"data: {self.work}/other home:", self.run_script(ACCRUE_DATA_DIR=self.work / "other").stdout)


class TestMeasuring(ScriptCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("measure.sh")
        self.fake("bench_one", 'mkdir -p "$XDG_DATA_HOME/accrue/checkpoints"; echo "$XDG_DATA_HOME"; exit 1', self.root / "build/release/bin")
        (self.root / "build/release/tests").mkdir()

    def run_script(self, *arguments, **changes):
        return self.run_program(self.root / "scripts/measure.sh", *arguments, **changes)

    def test_what_is_measured_leaves_nothing_among_the_users_files(self):
        done = self.run_script("bench_one", "--rounds", "2", XDG_DATA_HOME=self.work / "mine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bench_one --rounds 2", self.called())
        self.assertFalse((self.work / "mine").exists())
        self.assertNotIn(str(self.work / "mine"), done.stdout)
        self.assertFalse(Path(done.stdout.strip()).exists())

    def test_a_benchmark_that_is_not_there_is_answered_with_those_that_are(self):
        self.assertIn("There is no bench_two; there are: bench_one", self.run_script("bench_two").stderr)

    def test_help_sets_nothing_up(self):
        for arguments in ((), ("--help",)):
            self.assertIn("scripts/measure.sh --smoke", self.run_script(*arguments).stdout)
        self.assertEqual(self.called(), [])


class TestFuzz(ScriptCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("fuzz.sh")
        for target in ("idx", "log"):
            (self.root / "tests/fuzz/corpus" / target).mkdir(parents=True)
            self.fake(f"fuzz_{target}", 'echo "stat::number_of_executed_units: 12"', self.root / "build/fuzz/fuzz")

    def run_script(self, *arguments):
        return self.run_program(self.root / "scripts/fuzz.sh", *arguments, ACCRUE_JOBS=1)

    def test_every_target_is_built_and_run(self):
        done = self.run_script("--seconds", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [f"{name}: 12 inputs in 7 s, nothing found" for name in ("idx", "log")])
        self.assertEqual(self.called()[0], "setup.sh --preset fuzz fuzz_idx fuzz_log")
        self.assertIn(f"{self.root}/build/fuzz/corpus/idx {self.root}/tests/fuzz/corpus/idx", self.called()[1])

    def test_continuous_integration_keeps_no_corpus(self):
        self.assertEqual(self.run_script("--ci", "log").returncode, 0)
        self.assertIn("-max_total_time=30 ", self.called()[1])
        self.assertFalse((self.root / "build/fuzz/corpus").exists())

    def test_a_crash_names_its_input(self):
        self.fake("fuzz_idx", 'echo "== ERROR"; echo "Test unit written to build/crash-1"; exit 77', self.root / "build/fuzz/fuzz")
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("idx: an input is wrong; Test unit written to build/crash-1", done.stdout)
        self.assertIn("log: 12 inputs", done.stdout)

    def test_a_target_that_is_not_there_is_refused(self):
        done = self.run_script("idx", "sound")
        self.assertEqual(done.returncode, 1)
        self.assertIn("There is no fuzz target sound; there are idx log.", done.stderr)
        self.assertEqual(self.called(), [])


if __name__ == "__main__":
    unittest.main()
