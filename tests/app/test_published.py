#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the recipes of the published systems prove, by the program itself, on the built-in digits: batch 64 at once and
32 x 2 are one training, clipping makes another one, and a saved model gives the figures that its run logged."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ACCRUE = BIN / "accrue"
ENGINE = Path(os.environ.get("ACCRUE_ENGINE", BIN / "libaccrue_engine.so"))
SKIPPED = 77  # SKIP_RETURN_CODE
LIMIT = 120  # seconds of one process
SMALL = ["data.name=digits", "model.widths=32", "run.limit_steps=25", "run.threads=1", "run.device=cpu"]


class Published(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)

    def accrue(self, *words, settings=()):
        environment = dict(os.environ, XDG_DATA_HOME=self.home.name, XDG_CONFIG_HOME=self.home.name, GOMP_SPINCOUNT="0")
        sets = [word for setting in settings for word in ("--set", setting)]
        return subprocess.run([ACCRUE, *words, *sets], env=environment, capture_output=True, text=True, timeout=LIMIT)

    def last_line(self, result):
        return json.loads(result.stdout.strip().splitlines()[-1])

    def equivalence(self, *recipes, settings=()):
        result = self.accrue("equivalence", *recipes, "--json", settings=[*SMALL, *settings])
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return result.returncode, self.last_line(result)

    def test_batch_64_and_32_times_2_are_one_training_in_float64(self):
        code, found = self.equivalence(
            "mindspore-accumulator-n1", "mindspore-accumulator", settings=["run.precision=float64"])
        self.assertEqual(code, 0, found)
        self.assertEqual(found["verdict"], "equal")
        self.assertEqual(found["first"]["updates"], 20)
        self.assertEqual(found["all"]["updates"], 25)
        self.assertLessEqual(found["all"]["greatest_loss_difference"], 1e-12)
        self.assertLessEqual(found["parameter_distance"]["all"], 1e-12)
        self.assertGreater(found["parameter_distance"]["all"], 0)  # rounding differs with the cut

    def test_in_float32_the_first_updates_are_equal(self):
        code, found = self.equivalence("mindspore-accumulator-n1", "mindspore-accumulator")
        self.assertEqual(code, 0, found)
        self.assertLessEqual(found["first"]["greatest_loss_difference"], 1e-5)

    def test_clipping_is_refused_as_another_training(self):
        result = self.accrue("equivalence", "mindspore-accumulator", "mindspore-accumulator-clipped", "--json", settings=SMALL)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("optimizer.clip_norm is 0 and 1", result.stderr)
        self.assertEqual(json.loads(self.accrue("list", "--json").stdout), [])  # nothing was trained

    def test_a_saved_model_gives_the_figures_of_its_run(self):
        trained = self.accrue("train", "mindspore-standalone", settings=["data.name=digits", "run.epochs=1", "run.threads=1"])
        self.assertEqual(trained.returncode, 0, trained.stderr)
        run = json.loads(self.accrue("show", "1", "--json").stdout)
        figures = json.loads(self.accrue("evaluate", "1", "--json").stdout)
        self.assertEqual(figures["test_loss"], run["final"]["test_loss"])
        self.assertEqual(figures["test_accuracy"], run["final"]["test_accuracy"])
        self.assertEqual(figures["step"], 93)  # 12,000 samples in windows of 128, the tail dropped

    def test_a_damaged_model_is_named(self):
        self.accrue("train", "mindspore-accumulator", settings=SMALL)
        folder = Path(json.loads(self.accrue("show", "1", "--json").stdout)["checkpoint"])
        model = folder / "model.safetensors"
        model.write_bytes(model.read_bytes()[:-1])
        result = self.accrue("evaluate", "1")
        self.assertEqual(result.returncode, 2)
        self.assertIn(str(model), result.stderr)


if __name__ == "__main__":
    if not ENGINE.exists():
        print("skipped: there is no engine at", ENGINE)
        sys.exit(SKIPPED)
    unittest.main()
