#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue train` as the ranks that torchrun, mpirun and srun start on one machine."""

import json
import os
import shutil
import signal
import time
import unittest
from pathlib import Path

from rank_runs import LIMIT, PYTHON, TO_BE_GONE, TO_BE_NAMED, RankRuns
from slurm_cluster import SlurmCluster

LONG = ("run.epochs=100000", "batch.micro=2")
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
# mpirun kills its processes a second after it has asked them to end, and a busy machine may need more.
PATIENT = ["--mca", "odls_base_sigkill_timeout", "3"]
SRUN = ["srun", "-n", "2"]


class Launched(RankRuns):
    """What holds for every launcher."""

    def process_with(self, variable):
        """The program that a launcher has started with this in its environment."""
        def has_it(number):
            folder = Path("/proc") / str(number)
            return ((folder / "comm").read_text() == "accrue\n"
                    and variable.encode() in (folder / "environ").read_bytes().split(b"\0"))
        return self.wait_until(lambda: next(filter(has_it, self.processes()), None))

    def assert_trains_like_one_process(self, launcher):
        text = self.done(launcher + self.train("batch.micro=2")).stdout
        self.assertEqual(len(self.events(text, "run_started")), 1)
        self.assertEqual(len(self.events(text, "run_ended")), 1)
        self.assertEqual(self.record()["plan"]["devices"], 2)
        self.use_log(f"alone {self.log.stem}")
        self.assert_same_losses(self.done(self.train("batch.micro=24")).stdout, text)

    def assert_stopped_and_resumed(self, launcher, stop):
        """The ranks write into a file, because mpirun reads nothing more once it ends them."""
        output = self.home / f"{self.log.stem}.txt"
        process = self.start([*launcher, "sh", "-c", 'exec "$@" >>"$0"', str(output), *self.train(*LONG)])
        self.wait_until(lambda: output.exists() and '"event":"step"' in output.read_text())
        stop(process)
        process.communicate(timeout=LIMIT)
        self.assertEqual(self.record()["outcome"], "stopped")
        self.assert_resumed_like_undisturbed(*LONG, launcher=launcher)

    def assert_names_what_was_killed(self, launcher, rank_1):
        process = self.start(launcher + self.train(*LONG))
        self.until_it_trains(process)
        os.kill(self.process_with(rank_1), signal.SIGKILL)
        killed = time.monotonic()
        _, problems = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - killed, TO_BE_NAMED)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.processes(TO_BE_GONE), [])
        self.assertIn("Rank 1 of 2 does not answer any more", self.record()["message"], problems)
        self.assert_resumed_like_undisturbed(*LONG, launcher=launcher)


@unittest.skipUnless(PYTHON, "ACCRUE_PYTHON names no Python with torch")
class Torchrun(Launched):
    def torchrun(self, *more):
        return [PYTHON, "-m", "torch.distributed.run", "--standalone", "--no-python", "--nproc-per-node", "2", *more]

    def test_it_starts_the_ranks(self):
        self.assert_trains_like_one_process(self.torchrun())

    def test_it_starts_the_ranks_again_and_they_go_on_with_the_run(self):
        settings = ("run.limit_steps=1500", "run.epochs=1000", "run.evaluate_every=500 steps", "distributed.shard=parameters")
        self.done(self.train(*settings, "batch.devices=2"))
        undisturbed = self.model()
        self.use_log("restarted")
        process = self.start(self.torchrun("--max-restarts", "3") + self.train(*settings))
        for killed in (1, 0):
            self.until(process, "run_started")
            self.until(process, "step")
            os.kill(self.ranks_of(process, 2)[killed], signal.SIGKILL)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.wait(LIMIT), 0)
        self.assertEqual(len(json.loads(self.done(self.command("list", "--json")).stdout)), 1)
        self.assertEqual(self.record()["attempt"], 3)
        self.assertEqual(self.model(), undisturbed)


@unittest.skipUnless(shutil.which("mpirun"), "mpirun (Debian's openmpi-bin) is not installed")
class Mpirun(Launched):
    def test_it_starts_the_ranks(self):
        self.assert_trains_like_one_process(MPIRUN)

    def test_a_run_is_stopped_through_it_and_resumed(self):
        self.assert_stopped_and_resumed(MPIRUN + PATIENT, lambda process: process.send_signal(signal.SIGTERM))

    def test_a_killed_rank_is_named_and_the_run_resumed(self):
        self.assert_names_what_was_killed(MPIRUN + PATIENT, "OMPI_COMM_WORLD_RANK=1")


class Srun(Launched):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = SlurmCluster()
        if reason := cls.cluster.start():
            super().tearDownClass()
            raise unittest.SkipTest(reason)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        self.environment |= self.cluster.environment

    def test_it_starts_the_ranks(self):
        self.assert_trains_like_one_process(SRUN)

    def test_a_run_is_cancelled_and_resumed(self):
        self.assert_stopped_and_resumed(SRUN, lambda process: self.done(["scancel", "--user", "root"]))

    def test_a_killed_rank_is_named_and_the_run_resumed(self):
        self.assert_names_what_was_killed(SRUN, "SLURM_PROCID=1")

    def test_a_batch_script_that_does_not_call_srun_trains_alone(self):
        """It has the variables of a job with two tasks, but is only one process."""
        script = self.home / "job.sh"
        script.write_text('#!/bin/sh\n"$@"\n')
        self.done(["sbatch", "--wait", "--ntasks", "2", "--output", str(self.home / "job.txt"), str(script),
                   *self.train("run.limit_steps=2")])
        self.assertEqual(self.record()["plan"]["devices"], 1)


del Launched  # not a test by itself

if __name__ == "__main__":
    unittest.main(verbosity=2)
