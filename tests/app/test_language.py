#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The language changes what a person reads and nothing that a program reads: JSON and exit codes."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ACCRUE = pathlib.Path(os.environ["ACCRUE_BIN"]) / "accrue"
WORKBENCH = ACCRUE.with_name("accrue-workbench")
CALLS = (
    ["recipes", "--json"], ["data", "--json"], ["list", "--json"], ["list", "--json", "--sort", "accuracy"], ["doctor", "--json"],
    ["explain", "first-run", "--json"], ["explain", "first-run", "--json", "--set", "batch.micro=0"], ["--version", "--json"],
    ["show", "12"], ["compare", "1"], ["tarin"], ["memory", "1", "--step", "none"], ["export"], ["--help"], ["help", "train"])


class Language(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)

    def call(self, language, words, program=ACCRUE):
        environment = {**os.environ, "ACCRUE_LANG": language, "HOME": self.home.name, "QT_QPA_PLATFORM": "offscreen"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "ACCRUE_DATA_DIR"):
            environment.pop(name, None)
        return subprocess.run([program, *words], env=environment, capture_output=True, text=True, timeout=120, check=False)

    def test_json_and_exit_codes_are_the_same_in_each_language(self):
        for words in CALLS:
            with self.subTest(words=words):
                english, chinese = self.call("en", words), self.call("zh_CN", words)
                self.assertEqual(chinese.returncode, english.returncode, chinese.stderr)
                if "--json" in words and english.stdout:
                    self.assertEqual(self.steady(chinese.stdout), self.steady(english.stdout))

    def test_an_unknown_language_is_english(self):
        for language in ("tlh", "C", "en_GB.UTF-8"):
            self.assertEqual(self.call(language, ["help", "train"]).stdout, self.call("en", ["help", "train"]).stdout)

    @unittest.skipUnless(WORKBENCH.exists(), "this build has no workbench")
    def test_the_workbench_explains_its_options_in_each_language(self):
        english, chinese = (self.call(language, ["--help"], WORKBENCH) for language in ("en", "zh_CN"))
        self.assertEqual((english.returncode, chinese.returncode), (0, 0), english.stderr + chinese.stderr)
        self.assertIn("Resume this run of the log.", english.stdout)
        self.assertNotIn("Resume this run of the log.", chinese.stdout)
        self.assertIn("Accrue 工作台", chinese.stdout)

    @staticmethod
    def steady(text):
        """Without what changes from call to call: memory and disk that are free."""
        def without(value):
            if isinstance(value, dict):
                return {key: without(each) for key, each in value.items() if key != "free_bytes"}
            return [without(each) for each in value] if isinstance(value, list) else value
        return without(json.loads(text))


if __name__ == "__main__":
    unittest.main()
