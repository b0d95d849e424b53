# SPDX-License-Identifier: Apache-2.0
"""What the tests of several ranks share: a small recipe, its data, and the processes that train it."""

import contextlib
import json
import os
import random
import re
import signal
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import uuid
from pathlib import Path

BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ACCRUE = BIN / "accrue"
ENGINE = Path(os.environ.get("ACCRUE_ENGINE", BIN / "libaccrue_engine.so"))
PYTHON = os.environ.get("ACCRUE_PYTHON", "")
LIMIT = 120  # seconds of one process, however busy the machine is
TO_BE_NAMED = 10  # seconds within which a killed rank is named
TO_BE_GONE = 5  # seconds after the end of rank 0 in which no rank is left

SETTINGS = ["data.name=idx", "model.name=mlp", "model.widths=16", "batch.effective=24", "batch.micro=4", "run.epochs=2",
            "run.device=cpu", "run.precision=float64", "optimizer.lr=0.02", "run.evaluate_every=10 steps",
            "checkpoint.every=5 steps"]


def idx(shape, content):
    return struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape) + bytes(content)


def write_pictures(folder, side=8):
    folder.mkdir()
    draw = random.Random(1)
    for name, count in (("train", 400), ("t10k", 50)):
        (folder / f"{name}-images-idx3-ubyte").write_bytes(idx((count, side, side), draw.randbytes(count * side * side)))
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(idx((count,), [sample % 10 for sample in range(count)]))


class RankRuns(unittest.TestCase):
    """Each test has a log of its own, and leaves no process."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="accrue-ranks-")
        cls.home = Path(cls.folder.name)
        write_pictures(cls.home / "pictures")
        cls.recipe = cls.home / "recipe.toml"
        cls.recipe.write_text("")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.mark = f"ACCRUE_TEST_MARK={uuid.uuid4()}"
        self.use_log(self.id().rsplit(".", 1)[1])
        name, value = self.mark.split("=")
        self.environment = dict(os.environ, ACCRUE_ENGINE=str(ENGINE), XDG_DATA_HOME=str(self.home / "xdg"),
                                XDG_CONFIG_HOME=str(self.home / "config"), GOMP_SPINCOUNT="0", **{name: value})
        for variable in list(self.environment):
            if re.match("(LOCAL_)?RANK$|(LOCAL_)?WORLD_SIZE$|MASTER_|TORCHELASTIC_|OMPI_|SLURM_", variable):
                del self.environment[variable]

    def tearDown(self):
        self.assertEqual(self.processes(TO_BE_GONE), [])

    def use_log(self, name):
        self.log = self.home / f"{name}.db".replace(" ", "-")

    def processes(self, patience=0.0):
        """The processes of this test that live; waits until none does."""
        end = time.monotonic() + patience
        while True:
            found = []
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    if self.mark.encode() in (folder / "environ").read_bytes():
                        found.append(int(folder.name))
                except OSError:
                    continue  # it has ended, or is not ours
            if not found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def command(self, *words, settings=()):
        command = [str(ACCRUE), *map(str, words), "--db", str(self.log)]
        for setting in settings:
            command += ["--set", setting]
        return command

    def train(self, *settings):
        """With these in place of those that all tests set."""
        own = {setting.split("=", 1)[0] for setting in settings}
        common = [setting for setting in SETTINGS if setting.split("=", 1)[0] not in own]
        return self.command("train", self.recipe, "--json",
                            settings=[f"data.path={self.home / 'pictures'}", *common, *settings])

    def resume(self, *settings):
        return self.command("resume", "1", "--json", settings=settings)

    def done(self, command, code=0, environment=None):
        ended = subprocess.run(command, env=environment or self.environment, capture_output=True, text=True, timeout=LIMIT,
                               check=False)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended

    def start(self, command, environment=None, output=subprocess.PIPE):
        return subprocess.Popen(command, env=environment or self.environment, stdout=output, stderr=subprocess.PIPE,
                                text=True)

    def placed(self, rank, ranks, port, address="127.0.0.1"):
        """The environment that a launcher gives a rank."""
        return dict(self.environment, RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank), MASTER_ADDR=address,
                    MASTER_PORT=str(port))

    @staticmethod
    def events(text, kind):
        # What was read before, until_it_trains, may end in the middle of a line.
        lines = [line for line in text.splitlines() if line.startswith('{"event"')]
        return [event for event in map(json.loads, lines) if event["event"] == kind]

    def losses(self, text):
        return [event["loss"] for event in self.events(text, "step")]

    def assert_same_losses(self, one, other):
        for first, second in zip(self.losses(one), self.losses(other), strict=True):
            self.assertAlmostEqual(first, second, delta=1e-11)

    def record(self):
        return json.loads(self.done(self.command("show", "1", "--json")).stdout)

    def model(self):
        return (Path(self.record()["checkpoint"]) / "model.safetensors").read_bytes()

    def ranks_of_now(self, process):
        """The processes of the other ranks that live, by rank."""
        others = {}
        for number in self.processes():
            try:
                variables = (Path("/proc") / str(number) / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            rank = [variable for variable in variables if variable.startswith(b"RANK=")]
            if rank and number != process.pid:
                others[int(rank[0][5:])] = number
        return others

    def ranks_of(self, process, count):
        """The same, once there are so many."""
        return self.wait_until(lambda: len(others := self.ranks_of_now(process)) == count and others)

    @staticmethod
    def wait_until(happens):
        """Returns what it returned when it was true."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if result := happens():
                return result
            time.sleep(0.05)
        raise AssertionError("it has not happened in time")

    def until_it_trains(self, process):
        self.until(process, "step")

    def until(self, process, kind):
        for line in process.stdout:
            # The line of a process that was killed may end in that of the next one.
            if f'{{"event":"{kind}"' in line.replace('": "', '":"'):
                return
        self.fail(process.stderr.read())

    @contextlib.contextmanager
    def slowed(self, number, stopped=0.1, running=0.03):
        """A process that gets a small share of the time (seconds) meanwhile, as on a machine that is slow."""
        ends = threading.Event()

        def slow():
            with contextlib.suppress(ProcessLookupError):
                while not ends.is_set():
                    os.kill(number, signal.SIGSTOP)
                    ends.wait(stopped)
                    os.kill(number, signal.SIGCONT)
                    ends.wait(running)

        thread = threading.Thread(target=slow)
        thread.start()
        try:
            yield
        finally:
            ends.set()
            thread.join()

    def mean_of_ranks(self, metric):
        """Of what run 1 has logged, by rank."""
        with contextlib.closing(sqlite3.connect(self.log)) as log:
            return dict(log.execute("SELECT rank, avg(value) FROM metric_values WHERE metric = ? GROUP BY rank", (metric,)))

    def assert_waits_for(self, slow, ranks):
        """Who is slow waits least for the others, in agreements and in sums."""
        waits = self.mean_of_ranks("wait_ms")
        for rank, milliseconds in self.mean_of_ranks("communication_ms").items():
            waits[rank] += milliseconds
        self.assertEqual(sorted(waits), list(range(ranks)))
        for rank, wait in waits.items():
            if rank != slow:
                self.assertGreater(wait, waits[slow], waits)

    def assert_resumed_like_undisturbed(self, *settings, launcher=()):
        """Resumes run 1, and compares it with one that was not disturbed."""
        end = f"run.limit_steps={self.record()['step'] + 20}"
        self.done([*launcher, *self.resume(end)])
        resumed = self.model()
        self.use_log(f"undisturbed {self.log.stem}")
        self.done([*launcher, *self.train(*settings, end)])
        self.assertEqual(self.model(), resumed)
