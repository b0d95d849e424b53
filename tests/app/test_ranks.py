#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue train` with several devices: the ranks as the processes that they are, started by the program and by launchers."""

import json
import os
import random
import shutil
import signal
import struct
import subprocess
import tempfile
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


class Ranks(unittest.TestCase):
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
        self.log = self.home / f"{self.id().rsplit('.', 1)[1]}.db"
        name, value = self.mark.split("=")
        self.environment = dict(os.environ, ACCRUE_ENGINE=str(ENGINE), XDG_DATA_HOME=str(self.home / "xdg"),
                                XDG_CONFIG_HOME=str(self.home / "config"), GOMP_SPINCOUNT="0", **{name: value})
        for variable in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"):
            self.environment.pop(variable, None)

    def tearDown(self):
        self.assertEqual(self.processes(TO_BE_GONE), [])

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
        return self.command("train", self.recipe, "--json",
                            settings=[f"data.path={self.home / 'pictures'}", *self.with_(settings)])

    @staticmethod
    def with_(settings):
        """The settings of all tests, with others in place of those of the same keys."""
        own = {setting.split("=", 1)[0] for setting in settings}
        return [setting for setting in SETTINGS if setting.split("=", 1)[0] not in own] + [s for s in settings if s[-1] != "="]

    def done(self, command, code=0, environment=None):
        ended = subprocess.run(command, env=environment or self.environment, capture_output=True, text=True, timeout=LIMIT,
                               check=False)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended

    def start(self, command, environment=None):
        return subprocess.Popen(command, env=environment or self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    @staticmethod
    def events(text, kind):
        return [event for event in map(json.loads, text.splitlines()) if event["event"] == kind]

    def losses(self, text):
        return [event["loss"] for event in self.events(text, "step")]

    def record(self):
        return json.loads(self.done(self.command("show", "1", "--json")).stdout)

    def model(self):
        return (Path(self.record()["checkpoint"]) / "model.safetensors").read_bytes()

    def ranks_of(self, process, count):
        """The processes of the other ranks, once they train."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            others = {}
            for number in self.processes():
                try:
                    variables = (Path("/proc") / str(number) / "environ").read_bytes().split(b"\0")
                except OSError:
                    continue
                rank = [v for v in variables if v.startswith(b"RANK=")]
                if rank and number != process.pid:
                    others[int(rank[0][5:])] = number
            if len(others) == count:
                return others
            time.sleep(0.05)
        raise AssertionError("the ranks did not start")

    def test_any_number_of_devices_trains_the_same(self):
        alone = self.done(self.train("batch.micro=24")).stdout
        for devices, micro in ((2, 12), (2, 5), (3, 2)):
            self.log = self.log.with_name(f"{devices} {micro}.db")
            text = self.done(self.train(f"batch.devices={devices}", f"batch.micro={micro}")).stdout
            self.assertEqual(len(self.events(text, "run_started")), 1)
            for one, other in zip(self.losses(alone), self.losses(text), strict=True):
                self.assertAlmostEqual(one, other, delta=1e-11)
            self.assertEqual(self.events(text, "evaluation")[-1]["test_accuracy"],
                             self.events(alone, "evaluation")[-1]["test_accuracy"])
            self.assertEqual(self.record()["plan"]["devices"], devices)

    def test_batch_norm_has_the_statistics_of_rank_0(self):
        norm = ("model.norm=batch", "batch.micro=6", "batch.devices=2")
        self.done(self.train(*norm))
        whole = self.model()
        self.log = self.log.with_name("again.db")
        self.done(self.train(*norm))
        self.assertEqual(self.model(), whole)

    def test_a_launcher_starts_the_ranks(self):
        with_rank = [dict(self.environment, RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                          MASTER_PORT="29517") for rank in range(2)]
        other = self.start(self.train(), with_rank[1])
        text = self.done(self.train(), environment=with_rank[0]).stdout
        silence, problems = other.communicate(timeout=LIMIT)
        self.assertEqual((silence, problems, other.returncode), ("", "", 0))
        self.assertEqual(self.record()["plan"]["devices"], 2)  # as many as there are
        self.assertEqual(len(self.events(text, "run_ended")), 1)

    def test_another_number_of_ranks_is_refused(self):
        with_rank = [dict(self.environment, RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                          MASTER_PORT="29518") for rank in range(2)]
        other = self.start(self.train("batch.devices=3"), with_rank[1])
        ended = self.done(self.train("batch.devices=3"), code=2, environment=with_rank[0])
        self.assertIn("The batch is planned for 3 devices, but 2 ranks were started. Start 3, or set batch.devices to 2.",
                      ended.stderr)
        _, problems = other.communicate(timeout=LIMIT)
        self.assertIn("planned for 3 devices", problems)
        self.assertFalse(self.log.exists() and json.loads(self.done(self.command("list", "--json")).stdout))

    @unittest.skipUnless(PYTHON, "ACCRUE_PYTHON names no Python with torch")
    def test_torchrun_starts_the_ranks(self):
        torchrun = [PYTHON, "-m", "torch.distributed.run", "--standalone", "--no-python", "--nproc-per-node", "3"]
        text = self.done(torchrun + self.train("batch.micro=2")).stdout
        alone = self.log.with_name("alone.db")
        self.log, several = alone, self.log
        one = self.done(self.train("batch.micro=24")).stdout
        self.log = several
        for first, second in zip(self.losses(one), self.losses(text), strict=True):
            self.assertAlmostEqual(first, second, delta=1e-11)
        self.assertEqual(self.record()["plan"]["devices"], 3)

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed")
    def test_mpirun_starts_the_ranks(self):
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
        text = self.done(mpirun + self.train()).stdout
        self.assertEqual(len(self.events(text, "run_ended")), 1)
        self.assertEqual(self.record()["plan"]["devices"], 2)

    def long(self):
        return self.train("run.epochs=100000", "batch.devices=3", "batch.micro=2")

    def until_it_trains(self, process):
        for line in process.stdout:
            if '"event":"step"' in line.replace(" ", ""):
                return
        self.fail(process.stderr.read())

    def test_a_killed_rank_is_named_and_the_run_resumed(self):
        process = self.start(self.long())
        others = self.ranks_of(process, 2)
        self.until_it_trains(process)
        os.kill(others[2], signal.SIGKILL)
        killed = time.monotonic()
        _, problems = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - killed, TO_BE_NAMED)
        self.assertEqual(process.returncode, 1)
        self.assertIn("Rank 2 was killed by signal 9 (Killed).", problems)
        self.assertEqual(self.processes(TO_BE_GONE), [])
        step = self.record()["step"]
        end = step + 20
        self.done(self.command("resume", "1", "--json", settings=[f"run.limit_steps={end}"]))
        resumed = self.model()
        self.log = self.log.with_name("undisturbed.db")
        self.done(self.train("run.epochs=100000", "batch.devices=3", "batch.micro=2", f"run.limit_steps={end}"))
        self.assertEqual(self.model(), resumed)

    def test_ranks_end_with_rank_0(self):
        process = self.start(self.long())
        self.ranks_of(process, 2)
        self.until_it_trains(process)
        process.kill()
        process.communicate(timeout=LIMIT)
        self.assertEqual(self.processes(TO_BE_GONE), [])

    def test_ctrl_c_stops_all_and_the_run_is_resumed(self):
        process = self.start(self.long())
        self.until_it_trains(process)
        process.send_signal(signal.SIGINT)
        text, problems = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, problems)
        self.assertEqual(self.events(text, "run_ended")[0]["outcome"], "stopped")
        end = self.record()["step"] + 20
        self.done(self.command("resume", "1", "--json", settings=[f"run.limit_steps={end}"]))
        resumed = self.model()
        self.log = self.log.with_name("undisturbed.db")
        self.done(self.train("run.epochs=100000", "batch.devices=3", "batch.micro=2", f"run.limit_steps={end}"))
        self.assertEqual(self.model(), resumed)

    def test_another_number_of_devices_resumes_at_the_end_of_a_window(self):
        self.done(self.train("batch.devices=2", "run.limit_steps=10"))
        self.done(self.command("resume", "1", "--json", settings=["run.limit_steps=20", "batch.devices=3"]))
        self.assertEqual(self.record()["step"], 20)

    def test_more_ranks_than_the_machine_bears_are_refused(self):
        ended = self.done(self.train("batch.devices=100000", "batch.effective=100000", "batch.micro=1"), code=2)
        self.assertIn("batch.devices is 100\u202f000, but this machine runs at most", ended.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
