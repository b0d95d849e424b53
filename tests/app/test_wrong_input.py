#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real program with the real engine: wrong input that only the engine finds ends with 2 and a sentence, and leaves nothing
in the log; a completed run that is made longer is the run that was as long from its beginning; CSV goes through pipes."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

ACCRUE = Path(os.environ["ACCRUE_BIN"]) / "accrue"
ALIKE = ["--set", "run.threads=1", "--set", "run.device=cpu"]
SHORT = ["--set", "run.limit_steps=2", *ALIKE]


def png(side, shade):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([(shade + x + y) % 256 for x in range(side)]) for y in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_pictures(folder):
    for part in ("train", "test"):
        for shade, name in ((0, "dark"), (120, "light")):
            (folder / part / name).mkdir(parents=True)
            for number in range(20):
                (folder / part / name / f"{number}.png").write_bytes(png(28, shade + number))


class Home(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = Path(self.folder.name)
        self.environment = dict(os.environ, XDG_DATA_HOME=str(self.home / "data"), XDG_CONFIG_HOME=str(self.home / "config"))

    def accrue(self, *arguments):
        return subprocess.run([str(ACCRUE), *arguments], capture_output=True, text=True, env=self.environment, check=False)

    def train(self, *arguments):
        done = self.accrue("train", "first-run", *SHORT, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def runs(self):
        return json.loads(self.accrue("list", "--json").stdout)


class InputError(Home):
    def refused(self, *arguments, says):
        done = self.accrue(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertNotIn("accrue resume", done.stderr)
        return done

    def test_a_picture_that_cannot_be_read(self):
        write_pictures(self.home / "pictures")
        (self.home / "pictures/train/light/7.png").write_bytes(png(28, 3)[:60])
        recipe = ["lenet5-mnist", *SHORT, "--set", "data.name=images", "--set", f"data.path={self.home}/pictures"]
        for command in ("train", "fit"):
            self.refused(command, *recipe, says="7.png")
        self.refused("train", *recipe, "--json", says="7.png")
        self.refused("train", *recipe, "--db", "none", says="7.png")
        self.refused("equivalence", recipe[0], *recipe, says="7.png")
        self.assertEqual(self.runs(), [])

    def test_weights_that_cannot_be_begun_with(self):
        self.train()
        weights = Path(self.runs()[0]["checkpoint"]) / "model.safetensors"
        half = self.home / "half.safetensors"
        half.write_bytes(weights.read_bytes()[:2000])
        self.refused("train", "first-run", *SHORT, "--set", "model.init_from=/nowhere/x.safetensors", says="/nowhere/x.safetensors")
        self.refused("train", "first-run", *SHORT, "--set", f"model.init_from={half}", says="half.safetensors")
        self.refused("train", "first-run", *SHORT, "--set", "model.name=mlp", "--set", f"model.init_from={weights}", says="model.safetensors")
        self.assertEqual(len(self.runs()), 1)

    def test_a_parameter_that_is_not_there(self):
        self.refused("train", "first-run", *SHORT, "--trace", "conv9.weight", says="Allowed: first, conv1.weight")
        self.assertEqual(self.runs(), [])

    def test_files_that_are_damaged_leave_no_run_and_no_attempt(self):
        write_pictures(self.home / "pictures")
        self.accrue("train", "lenet5-mnist", *SHORT, "--set", "data.name=images", "--set", f"data.path={self.home}/pictures")
        self.assertEqual(self.runs()[0]["outcome"], "completed")
        (self.home / "pictures/test/dark/3.png").write_bytes(b"no picture")
        self.refused("resume", "1", "--set", "run.limit_steps=4", says="3.png")
        self.refused("evaluate", "1", says="3.png")
        self.assertEqual([(run["attempt"], run["outcome"]) for run in self.runs()], [(1, "completed")])


class Longer(Home):
    def weights(self, number):
        folder = Path(next(run for run in self.runs() if run["id"] == number)["checkpoint"])
        return (folder / "model.safetensors").read_bytes()

    def losses(self, number):
        lines = self.accrue("export", "--csv", "-", "--runs", str(number)).stdout.splitlines()
        cells = [line.split(",") for line in lines]
        return [(cell[2], cell[8]) for cell in cells if cell[7] in ("loss", "test_loss", "train_loss")]

    def test_a_longer_run_is_the_run_that_was_as_long_from_the_beginning(self):
        common = ["first-run", *ALIKE, "--set", "optimizer.ema=0.9"]
        rows = {"flush": [], "drop": [], "carry": ["--set", "batch.micro=25", "--set", "batch.steps=5"]}
        for number, (tail, more) in enumerate(rows.items()):
            recipe = [*common, "--set", f"batch.tail={tail}", *more]
            for epochs in ("2", "4"):
                done = self.accrue("train", *recipe, "--set", f"run.epochs={epochs}")
                self.assertEqual(done.returncode, 0, done.stderr)
            short, whole = 2 * number + 1, 2 * number + 2
            done = self.accrue("resume", str(short), "--set", "run.epochs=4")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.weights(short), self.weights(whole))
            self.assertEqual(self.losses(short), self.losses(whole))
            told = next(run for run in self.runs() if run["id"] == short)
            self.assertEqual((told["attempt"], told["settings"]["run.epochs"]), (2, 4))
            self.assertEqual(told["step"], told["plan"]["total_steps"])

    def test_a_window_that_was_cut_short_is_refused(self):
        recipe = ["first-run", *ALIKE, "--set", "batch.tail=carry", "--set", "batch.micro=97", "--set", "checkpoint.every=10 steps"]
        self.assertEqual(self.accrue("train", *recipe, "--set", "run.epochs=1").returncode, 0)
        refused = self.accrue("resume", "1", "--set", "run.epochs=2")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("batch.tail is carry", refused.stderr)
        before = sorted(Path(self.runs()[0]["checkpoint"]).parent.glob("step-*"))[-2].name
        gone_on = self.accrue("resume", "1", "--from", before, "--set", "run.epochs=2")
        self.assertEqual(gone_on.returncode, 0, gone_on.stderr)
        self.assertEqual(self.accrue("train", *recipe, "--set", "run.epochs=2").returncode, 0)
        self.assertEqual(self.weights(1), self.weights(2))


class Pipes(Home):
    def shell(self, command):
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True,
                              env=dict(self.environment, ACCRUE=str(ACCRUE)), cwd=self.home, check=False)

    def test_csv_goes_through_a_pipe(self):
        self.assertEqual(self.accrue("train", "first-run", *ALIKE, "--set", "run.epochs=1").returncode, 0)
        self.assertEqual(self.shell('"$ACCRUE" export --csv - | cat > piped.csv').returncode, 0)
        self.assertEqual(self.accrue("export", "--csv", str(self.home / "file.csv")).returncode, 0)
        self.assertEqual((self.home / "piped.csv").read_bytes(), (self.home / "file.csv").read_bytes())
        head = self.shell('"$ACCRUE" export --csv - | head -1')
        self.assertEqual((head.returncode, head.stderr), (0, ""))
        self.assertTrue(head.stdout.startswith("run,name,step"))
        full = self.shell('"$ACCRUE" export --csv - > /dev/full')
        self.assertEqual(full.returncode, 1)
        self.assertIn("No space left", full.stderr)
        self.assertNotEqual(self.shell('"$ACCRUE" export --csv - >&-').returncode, 0)
        self.assertFalse((self.home / "-").exists())

    def test_a_recipe_that_was_printed_trains(self):
        shown = self.shell('"$ACCRUE" recipes show first-run > mine.toml && "$ACCRUE" train mine.toml ' + " ".join(SHORT))
        self.assertEqual(shown.returncode, 0, shown.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
