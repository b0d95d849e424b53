#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue train` killed at random instants and resumed until it ends, against a run that was never stopped.

Every recipe is trained once to its end, and then again and again: SIGKILL at an instant drawn over the whole life of the
process, its start-up included, `accrue resume`, SIGKILL, … Some stops are Ctrl-C instead, which saves in mid-window.
What comes out must be equal, byte for byte: parameters, buffers, optimizer state and the best model in the checkpoints,
and every logged value but times and bytes.

    ACCRUE_KILLS=1000 ACCRUE_SEED=7 tests/app/test_kill_and_resume.py     (scripts/kill_and_resume.sh)
"""

import csv
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ACCRUE = BIN / "accrue"
ENGINE = Path(os.environ.get("ACCRUE_ENGINE", BIN / "libaccrue_engine.so"))
KILLS = int(os.environ.get("ACCRUE_KILLS", "50"))
SEED = int(os.environ.get("ACCRUE_SEED", "1"))

SKIPPED = 77  # SKIP_RETURN_CODE
LIMIT = 600  # seconds of one process, however busy the machine is
STOPS = 0.3  # share of Ctrl-C
IN_START = 0.2  # share of the instants that fall into the start of the process
TIMES_AND_BYTES = ("_ms", "_bytes", "throughput")

# Small enough to take a second each, with what a checkpoint must hold: a tail that is carried, sums of micro-batches,
# running statistics, moments, averages, schedules.
EVERYWHERE = ["run.device=cpu", "run.threads=1", "checkpoint.keep=2", "run.evaluate_every=10 steps"]
PICTURES = ["data.name=idx", "batch.micro=7", "batch.steps=5", "run.epochs=20"]
MLP = ["model.name=mlp", "model.widths=32"]
RECIPES = {
    "sgd flush": PICTURES + MLP + ["checkpoint.every=1 step", "optimizer.lr=0.05", "optimizer.momentum=0.9"],
    "batch norm carry sum": PICTURES + ["checkpoint.every=3 steps", "model.norm=batch", "batch.tail=carry", "batch.steps=11",
                                        "batch.reduction=sum", "optimizer.lr=0.003", "optimizer.clip_norm=1.0"],
    "adam average carry": PICTURES + MLP + ["checkpoint.every=3 steps", "optimizer.name=adam", "optimizer.lr=0.002",
                                            "optimizer.ema=0.9", "batch.tail=carry", "schedule.name=cosine"],
    "adamw drop validation": PICTURES + MLP + ["checkpoint.every=1 epoch", "model.norm=layer", "batch.tail=drop",
                                               "optimizer.name=adamw", "optimizer.lr=0.002",
                                               "optimizer.weight_decay=0.01", "data.validation=0.1",
                                               "data.augment=crop:2,flip", "run.epochs=40"],
    "window statistics": PICTURES + ["checkpoint.every=4 steps", "model.norm=batch", "model.batchnorm_window=true",
                                     "batch.tail=carry", "batch.steps=20", "optimizer.lr=0.02", "run.epochs=30"],
    "digits growing": MLP + ["checkpoint.every=20 steps", "batch.micro=8", "batch.schedule=4 from step 0, 24 from step 40",
                             "optimizer.lr_rule=linear", "optimizer.lr=0.02", "schedule.warmup_steps=20",
                             "run.limit_steps=120"],
}


def idx(shape, content):
    return struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape) + bytes(content)


def write_pictures(folder, side=14):
    """Noise with a bright row that tells the class."""
    folder.mkdir()
    draw = random.Random(1)
    for name, count in (("train", 300), ("t10k", 60)):
        pixels = bytearray(draw.randbytes(count * side * side))
        for sample in range(count):
            row = (sample * side + sample % 10) * side
            pixels[row:row + side] = b"\xff" * side
        (folder / f"{name}-images-idx3-ubyte").write_bytes(idx((count, side, side), pixels))
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(idx((count,), [sample % 10 for sample in range(count)]))


class Run:
    """A run of one recipe in a log of its own."""

    def __init__(self, home, name, number):
        self.home = home
        self.name = name
        self.log = home / f"{name} {number}.db".replace(" ", "-")
        self.begun = False
        self.environment = dict(os.environ, ACCRUE_ENGINE=str(ENGINE), XDG_DATA_HOME=str(home / "xdg"),
                                XDG_CONFIG_HOME=str(home / "config"), OMP_NUM_THREADS="1", GOMP_SPINCOUNT="0")

    def call(self, *words):
        done = subprocess.run([ACCRUE, *map(str, words), "--db", self.log], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=False)
        assert done.returncode == 0, f"{self.name}: {words}: {done.stderr}"
        return done.stdout

    def exists(self):
        self.begun = self.begun or (self.log.exists() and self.call("list", "--json").strip() != "[]")
        return self.begun

    def start(self):
        """`train`, or `resume` where the log has the run."""
        words = ["resume", "1"]
        if not self.exists():
            settings = EVERYWHERE + [f"data.path={self.home / 'pictures'}"] * ("data.name=idx" in RECIPES[self.name])
            words = ["train", self.home / "defaults.toml", "--name", self.name]
            for key, value in dict(setting.split("=", 1) for setting in settings + RECIPES[self.name]).items():
                words += ["--set", f"{key}={value}"]
        return subprocess.Popen([ACCRUE, *words, "--db", self.log, "--json"], env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def record(self):
        return json.loads(self.call("show", "1", "--json"))

    def logged(self):
        """Every logged value, with its place on every axis but time."""
        file = self.log.with_suffix(".csv")
        self.call("export", "--csv", file, "--runs", 1)
        with open(file, newline="", encoding="utf-8") as text:
            rows = list(csv.DictReader(text))
        return sorted((row["metric"], int(row["step"]), row["samples"], row["micro_batches"], row["epoch"], row["value"])
                      for row in rows if not row["metric"].endswith(TIMES_AND_BYTES))

    def saved(self):
        """The bytes of the last checkpoint and of the best."""
        last = Path(self.record()["checkpoint"])
        return {f"{folder.name}/{file}": (folder / file).read_bytes() for folder in (last, last.parent / "best")
                for file in ("model.safetensors", "state.safetensors")}

    def outcome(self):
        """What must not depend on how often it was stopped."""
        record = self.record()
        assert record["outcome"] == "completed", record
        kept = ("id", "name", "step", "samples", "micro_batches", "epoch", "best", "final", "last_loss", "plan")
        return {key: record[key] for key in kept}, self.logged(), self.saved()


class Recipe:
    """Trains one recipe without a stop, then with many."""

    def __init__(self, home, name, kills):
        self.home = home
        self.name = name
        self.wanted = kills
        self.draw = random.Random(f"{SEED} {name}")
        self.kills = self.stops = self.runs = self.attempts = self.in_window = 0

    def train_straight(self):
        run = Run(self.home, self.name, 0)
        began = time.monotonic()
        process = run.start()
        process.stdout.readline()
        self.start_seconds = time.monotonic() - began
        out, said = process.communicate(timeout=LIMIT)
        assert process.returncode == 0, said
        self.lines = out.count("\n")
        self.straight = run.outcome()

    def wait_for_an_instant(self, process):
        """By lines, not by the clock, so that a busy machine changes nothing; they come in batches, 50 ms apart."""
        if self.draw.random() < IN_START:
            time.sleep(self.draw.uniform(0, self.start_seconds))
            return
        for _ in range(self.draw.randint(1, self.lines // 2)):
            process.stdout.readline()
        time.sleep(self.draw.uniform(0, 0.06))

    def stop_or_end(self, run):
        """True: the run is over."""
        process = run.start()
        how = signal.SIGINT if self.draw.random() < STOPS else signal.SIGKILL
        self.wait_for_an_instant(process)
        process.send_signal(how)
        _, said = process.communicate(timeout=LIMIT)
        self.in_window += "open window" in said
        self.kills += process.returncode == -signal.SIGKILL
        self.stops += process.returncode == 130
        over = process.returncode == 0 or "has completed" in said  # killed between its end and that of the process
        assert over or process.returncode in (130, -signal.SIGKILL, -signal.SIGINT), f"{self.name}: {said}"
        return over

    def train_stopped(self):
        """One run from its beginning to its end."""
        self.runs += 1
        run = Run(self.home, self.name, self.runs)
        while self.kills < self.wanted:
            if self.stop_or_end(run):
                break
        else:
            run.start().communicate(timeout=LIMIT)
        attempt = run.record()["attempt"]
        self.attempts += attempt - 1
        self.compare(run, f"{self.name}, seed {SEED}, run {self.runs}, attempt {attempt}")

    def compare(self, run, where):
        values, logged, saved = run.outcome()
        assert values == self.straight[0], f"{where}: {values} is not {self.straight[0]}"
        more, less = Counter(logged) - Counter(self.straight[1]), Counter(self.straight[1]) - Counter(logged)
        assert not more and not less, f"{where}: too much {sorted(more)[:4]}, too little {sorted(less)[:4]}"
        assert saved.keys() == self.straight[2].keys(), f"{where}: {saved.keys()}"
        for file, content in saved.items():
            assert content == self.straight[2][file], f"{where}: {file} differs"

    def run(self):
        self.train_straight()
        while self.kills < self.wanted:
            self.train_stopped()
        return self


class TestKillAndResume(unittest.TestCase):
    def test_a_killed_run_ends_as_one_never_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            write_pictures(home / "pictures")
            (home / "defaults.toml").touch()
            began = time.monotonic()
            names = list(RECIPES)
            share = [KILLS // len(names) + (i < KILLS % len(names)) for i in range(len(names))]
            with ThreadPoolExecutor(max_workers=2) as pool:
                done = list(pool.map(lambda pair: Recipe(home, *pair).run(), zip(names, share)))
            total = {key: sum(getattr(each, key) for each in done)
                     for key in ("kills", "stops", "in_window", "attempts", "runs")}
            print(f"{total['kills']} kills and {total['stops']} stops ({total['in_window']} in mid-window) over "
                  f"{total['runs']} runs of {len(done)} recipes, {total['attempts']} times resumed, all equal to runs "
                  f"never stopped, in {time.monotonic() - began:.0f} s", flush=True)
            self.assertEqual(total["kills"], KILLS)
            self.assertGreater(total["attempts"], 0)


if __name__ == "__main__":
    for file in (ACCRUE, ENGINE):
        if not file.is_file():
            print(f"skipped: {file} was not found")
            sys.exit(SKIPPED)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so would ours
    unittest.main(verbosity=2)
