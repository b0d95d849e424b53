#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The queue of a log, worked through by real processes: one, several at once, killed ones, and parts of a cluster's job.

    ACCRUE_BIN=build/release/bin tests/app/test_queue.py
"""

import hashlib
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import textwrap
import time
import unittest
from contextlib import closing
from pathlib import Path

from slurm_cluster import SlurmCluster

BIN = Path(os.environ["ACCRUE_BIN"])
SEED = int(os.environ.get("ACCRUE_SEED", "1"))
KILLS = int(os.environ.get("ACCRUE_KILLS", "8"))
LIMIT = 240  # seconds for anything that waits

FAST = ["run.threads=1", "run.limit_steps=20"]


class Queue(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "runs.db"

    def call(self, *words, log=None, code=0):
        done = subprocess.run([BIN / "accrue", *words, "--db", log or self.log], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def sweep(self, *words, settings=FAST):
        call = ["sweep", "first-run", *words]
        for setting in settings:
            call += ["--set", setting]
        return self.call(*call)

    def runs(self, log=None):
        return sorted(json.loads(self.call("list", "--all", "--json", log=log).stdout), key=lambda run: run["id"])

    def queue(self):
        return [run["id"] for run in json.loads(self.call("queue", "--json").stdout)["runs"]]

    def assert_undamaged(self, log=None):
        self.call("doctor", "--check-log", log=log)

    def start(self, *words):
        process = subprocess.Popen([BIN / "accrue", *words, "--db", self.log], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stderr.close()))
        return process

    def wait_until(self, holds, what):
        end = time.monotonic() + LIMIT
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def model(self, run):
        folder = max(Path(run["checkpoint"]).parent.glob("step-*"))
        return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()

    def test_trains_all_in_their_order(self):
        self.sweep("--seeds", "3")
        self.call("queue", "first", "3")
        self.assertEqual(self.queue(), [3, 1, 2])
        done = self.call("work", "--json")
        self.assertEqual([json.loads(line)["id"] for line in done.stdout.splitlines()], [3, 1, 2])
        self.assertEqual(self.queue(), [])
        self.assertEqual([run["outcome"] for run in self.runs()], ["completed"] * 3)
        self.assert_undamaged()

    def test_a_run_that_fails_does_not_stop_the_others(self):
        self.sweep("--seeds", "2")
        # Data that have gone since they were queued.
        self.call("queue", "add", "lenet5-mnist", "--set", f"data.path={self.folder}/nowhere")
        self.call("queue", "first", "3")
        done = self.call("work", code=1)
        self.assertEqual([run["outcome"] for run in self.runs()], ["completed", "completed", "failed"])
        self.assertIn("nowhere", self.runs()[2]["message"])
        self.assertIn("nowhere", done.stderr)

    def test_an_empty_queue_is_done(self):
        self.assertIn("There is no run log", self.call("work").stderr)
        self.assertFalse(self.log.exists())
        self.sweep("--seeds", "1", "--vary", "batch.micro=8,16")
        self.call("queue", "remove", "1", "2")
        self.assertEqual(self.call("work").stderr, "The queue is empty.\n")
        self.assertEqual(self.queue(), [])

    def test_a_queue_that_is_held_says_so(self):
        self.call("queue", "add", "first-run")
        self.call("queue", "hold")
        self.assertIn("held", self.call("work").stderr)
        self.call("queue", "remove", "1")
        self.assertIn("held", self.call("queue").stderr)

    def test_what_no_run_could_be_trained_with_ends_none(self):
        """A mistyped option of the worker would otherwise end every run as failed, and empty the queue."""
        self.sweep("--seeds", "3")
        for words, problem in ((["--device", "gpu"], "cuda:NUMBER"), (["--device", ""], "--device"), (["--device", "cpu,"], "--device"),
                               (["--device", "cuda:99"], "cuda:99"), (["--data", str(self.folder / "none")], "is not a folder")):
            self.assertIn(problem, self.call("work", *words, code=2).stderr)
            self.assertEqual(self.queue(), [1, 2, 3])
        self.assertIn("cuda:99", self.call("work", "--jobs", "2", "--device", "cuda:99", code=2).stderr)
        self.assertEqual(self.queue(), [1, 2, 3])

    def test_several_workers_train_each_run_once(self):
        self.sweep("--seeds", "7")
        self.call("work", "--jobs", "3")
        runs = self.runs()
        self.assertEqual([run["outcome"] for run in runs], ["completed"] * 7)
        self.assertEqual([run["attempt"] for run in runs], [1] * 7)
        self.assert_undamaged()

    def test_several_workers_share_the_threads(self):
        self.sweep("--seeds", "2", settings=["run.limit_steps=5"])
        self.call("work", "--jobs", "2")
        share = max(1, os.cpu_count() // 2)
        self.assertEqual([run["settings"]["run.threads"] for run in self.runs()], [share] * 2)

    def test_ctrl_c_leaves_the_run_in_the_queue(self):
        self.sweep("--seeds", "2", settings=["run.threads=1", "run.epochs=1000", "run.limit_steps=300"])
        worker = self.start("work")
        self.wait_until(lambda: self.runs()[0]["step"] > 5, "the first run trains")
        worker.send_signal(signal.SIGINT)
        worker.wait(LIMIT)
        self.assertEqual(worker.returncode, 130)
        run = self.runs()[0]
        self.assertEqual((run["state"], run["outcome"]), ("queued", None))
        self.assertEqual(self.queue(), [1, 2])
        self.call("work")
        self.assertEqual([run["outcome"] for run in self.runs()], ["completed"] * 2)
        self.assertEqual(self.runs()[0]["attempt"], 2)
        self.assert_undamaged()

    def test_a_signal_stops_all_workers(self):
        self.sweep("--seeds", "4", settings=["run.threads=1", "run.epochs=1000", "run.limit_steps=100000"])
        pool = self.start("work", "--jobs", "2")
        self.wait_until(lambda: sum(run["step"] > 5 for run in self.runs()) == 2, "two runs train")
        pool.send_signal(signal.SIGTERM)
        pool.wait(LIMIT)
        self.assertEqual(pool.returncode, 143)
        self.assertEqual([run["state"] for run in self.runs()], ["queued"] * 4)
        self.assert_undamaged()

    def test_workers_end_with_a_killed_pool(self):
        self.sweep("--seeds", "2", settings=["run.threads=1", "run.epochs=1000", "run.limit_steps=100000"])
        pool = self.start("work", "--jobs", "2")
        self.wait_until(lambda: sum(run["step"] > 5 for run in self.runs()) == 2, "two runs train")
        pool.kill()
        pool.wait(LIMIT)
        self.wait_until(lambda: {run["state"] for run in self.runs()} == {"interrupted"}, "the workers have ended")
        self.assertEqual(self.queue(), [1, 2])

    def test_stops_a_run_that_another_process_trains(self):
        self.sweep("--seeds", "2", settings=["run.threads=1", "run.epochs=1000", "run.limit_steps=400"])
        worker = self.start("work")
        self.wait_until(lambda: self.runs()[0]["step"] > 5, "the first run trains")
        self.call("queue", "stop", "1")
        self.wait_until(lambda: self.runs()[0]["outcome"] == "stopped", "the first run has stopped")
        worker.wait(LIMIT)
        self.assertEqual(worker.returncode, 0)
        self.assertEqual([run["outcome"] for run in self.runs()], ["stopped", "completed"])

    def test_killed_workers_change_nothing(self):
        settings = ["run.threads=1", "run.limit_steps=60", "run.epochs=1000", "checkpoint.every=5 steps",
                    "run.evaluate_every=20 steps"]
        self.sweep("--vary", "batch.micro=16,32", "--seeds", "2", settings=settings)
        self.call("work")
        undisturbed = [self.model(run) for run in self.runs()]
        self.log = self.folder / "killed.db"
        self.sweep("--vary", "batch.micro=16,32", "--seeds", "2", settings=settings)
        draw = random.Random(SEED)
        for _ in range(KILLS):
            worker = self.start("work")
            time.sleep(draw.uniform(0.3, 4))
            worker.kill()
            worker.wait(LIMIT)
            # Two deaths in one run hold it.
            for run in self.queue():
                self.call("queue", "release", str(run))
        self.call("work")
        self.assertEqual([run["outcome"] for run in self.runs()], ["completed"] * 4)
        self.assertEqual([self.model(run) for run in self.runs()], undisturbed)
        self.assert_undamaged()

    def test_a_run_that_kills_its_workers_is_held(self):
        self.sweep("--seeds", "2", settings=["run.threads=1", "run.epochs=1000", "run.limit_steps=100000"])
        for _ in range(2):
            worker = self.start("work")
            self.wait_until(lambda: self.runs()[0]["state"] == "running", "a worker has it")
            worker.kill()
            worker.wait(LIMIT)
        worker = self.start("work")
        self.wait_until(lambda: self.runs()[1]["state"] == "running", "the second run trains")
        self.assertIn(self.runs()[0]["state"], ("interrupted", "queued"))
        self.assertIn("held", self.call("queue").stdout)
        self.call("queue", "stop", "2")
        told = worker.communicate(timeout=LIMIT)[1]
        self.assertIn("accrue queue release 1 tries again", told)
        self.assertEqual(worker.returncode, 1)  # not all is well

    def halving_sweep(self):
        # Rungs at updates 3 and 8 of 24.
        self.sweep("--vary", "optimizer.lr=0.0001..0.3:9log", "--halving", "3",
                   settings=["run.threads=1", "run.limit_steps=24", "run.epochs=1000", "checkpoint.every=2 steps"])

    def evaluations(self):
        with closing(sqlite3.connect(self.log)) as log:
            return log.execute("SELECT run_id, step, test_accuracy FROM evaluations").fetchall()

    def assert_halved(self):
        """Whoever went on beyond a rung was as good there as anybody who was stopped at it."""
        runs = self.runs()
        self.assertEqual({run["outcome"] for run in runs}, {"stopped", "completed"})
        best = {}
        for run, step, accuracy in sorted(self.evaluations()):
            best[run, step] = max(accuracy, max((best[key] for key in best if key[0] == run), default=0))
        for rung, kept in ((3, 3), (8, 1)):
            at = [run["id"] for run in runs if run["step"] >= rung]
            self.assertEqual([run for run in at if (run, rung) not in best], [], "all were evaluated there")
            on = [run["id"] for run in runs if run["step"] > rung]
            off = [run for run in at if run not in on]
            self.assertGreaterEqual(len(on), kept)
            self.assertGreater(min(best[run, rung] for run in on), max(best[run, rung] for run in off))
        for run in runs:
            stopped = run["outcome"] == "stopped"
            self.assertEqual(run["ended_early"], "halving" if stopped else None)
            self.assertEqual(run["message_code"], "sweep.stopped_by_halving" if stopped else None)
            self.assertIn(run["step"], (3, 8) if stopped else (24,))
        self.assertEqual(self.queue(), [])
        self.assert_undamaged()

    def test_halving_trains_the_best_longer(self):
        self.halving_sweep()
        done = self.call("work", "--json")
        self.assert_halved()
        self.assertEqual(sorted(json.loads(line)["id"] for line in done.stdout.splitlines()), list(range(1, 10)))
        self.assertIn("Stopped by successive halving at step 3", done.stderr)
        expected = [(run["outcome"], run["step"], self.model(run)) for run in self.runs()]
        best = next(run for run in self.runs() if run["outcome"] == "completed")

        # As if it had never been stopped.
        self.log = self.folder / "alone.db"
        rate = best["settings"]["optimizer.lr"]
        self.call("train", "first-run", "--set", f"optimizer.lr={rate}", "--set", "run.threads=1", "--set", "run.limit_steps=24",
                  "--set", "run.epochs=1000")
        self.assertEqual(self.model(self.runs()[0]), self.model(best))

        # Two workers at once decide the same.
        self.log = self.folder / "two.db"
        self.halving_sweep()
        self.call("work", "--jobs", "2")
        self.assert_halved()
        self.assertEqual([(run["outcome"], run["step"], self.model(run)) for run in self.runs()], expected)
        for run in self.runs():
            self.assertEqual(run["attempt"], {3: 1, 8: 2, 24: 3}[run["step"]], "nobody trained a part twice")

        # So do workers of which some are killed.
        self.log = self.folder / "killed.db"
        self.halving_sweep()
        draw = random.Random(SEED)
        for _ in range(KILLS // 2):
            worker = self.start("work")
            time.sleep(draw.uniform(0.3, 3))
            worker.kill()
            worker.wait(LIMIT)
            for run in self.queue():
                self.call("queue", "release", str(run))
        self.call("work")
        self.assert_halved()
        self.assertEqual([(run["outcome"], run["step"], self.model(run)) for run in self.runs()], expected)

    def test_a_held_run_holds_up_its_rung(self):
        self.halving_sweep()
        self.call("queue", "hold", "9")
        self.call("work")
        listed = self.call("queue")
        self.assertIn("at rung 1 of 2", listed.stdout)
        self.assertIn("#9 is held", listed.stderr)
        self.assertEqual({run["outcome"] for run in self.runs()}, {None})
        self.call("queue", "release", "9")
        self.call("work")
        self.assert_halved()

    def test_parts_become_one_log(self):
        self.sweep("--seeds", "5")
        parts = [self.folder / f"part-{number}.db" for number in (1, 2, 3)]
        for number, part in enumerate(parts, 1):
            self.call("work", "--log-copy", str(part), "--part", f"{number}/3")
        for _ in range(2):  # twice imported is once
            self.call("import", *map(str, parts), "--checkpoints")
            runs = self.runs()
            self.assertEqual([run["settings"]["run.seed"] for run in runs], [1, 2, 3, 4, 5])
            self.assertEqual([run["outcome"] for run in runs], ["completed"] * 5)
            self.assertEqual([run["attempt"] for run in runs], [1] * 5)
            self.assertEqual(self.queue(), [])
            self.assert_undamaged()
        self.assertEqual(len({self.model(run) for run in runs}), 5)

    def submit(self, cluster, *words):
        environment = os.environ | cluster.environment | {"PATH": f"{BIN}:{os.environ['PATH']}"}
        done = subprocess.run(["sbatch", "--wait", "--cpus-per-task=1", *words, "sweep.sh"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=LIMIT)
        return done.returncode, done.stderr + "".join(file.read_text() for file in self.folder.glob("slurm-*.out"))

    def test_the_array_of_jobs_of_the_document(self):
        text = (Path(__file__).parents[2] / "docs/clusters.md").read_text(encoding="utf-8")
        script = re.search(r"    #!/bin/bash\n(    .*\n)+", text)[0]
        (self.folder / "sweep.sh").write_text(textwrap.dedent(script))
        cluster = SlurmCluster()
        if reason := cluster.start():
            self.skipTest(reason)
        self.addCleanup(cluster.stop)
        self.sweep("--seeds", "3")
        for _ in range(2):  # a second time there is nothing left to do
            code, told = self.submit(cluster, "--array=1-2")
            self.assertEqual(code, 0, told)
        self.call("import", str(self.folder / "part-1.db"), str(self.folder / "part-2.db"), "--checkpoints")
        self.assertEqual([(run["outcome"], run["attempt"]) for run in self.runs()], [("completed", 1)] * 3)
        self.assertEqual(len({self.model(run) for run in self.runs()}), 3)

    def test_parts_train_each_run_once(self):
        self.sweep("--seeds", "7")
        parts = [self.folder / f"part-{number}.db" for number in (1, 2, 3)]
        for number, part in enumerate(parts, 1):
            self.call("work", "--log-copy", str(part), "--part", f"{number}/3")
        trained = [[run["settings"]["run.seed"] for run in self.runs(part) if run["outcome"] == "completed"] for part in parts]
        self.assertEqual(sorted(seed for part in trained for seed in part), list(range(1, 8)))
        self.assertEqual([len(part) for part in trained], [3, 2, 2])
        self.assertEqual(self.queue(), list(range(1, 8)))  # the original waits for them to be imported
        for part in parts:
            self.assert_undamaged(part)

    def test_a_part_that_is_called_again_continues(self):
        self.sweep("--seeds", "4")
        part = self.folder / "part.db"
        for _ in range(2):
            self.call("work", "--log-copy", str(part), "--part", "1/2")
        self.assertEqual([run["attempt"] for run in self.runs(part)], [1, 1])

    def test_a_copy_is_of_one_part_and_never_the_log(self):
        self.sweep("--seeds", "4")
        link = self.folder / "link.db"
        link.symlink_to(self.log)
        for copy in (self.log, link):
            told = self.call("work", "--log-copy", str(copy), "--part", "1/2", code=2).stderr
            self.assertIn("belongs to the run log", told)
        self.assertEqual(self.queue(), [1, 2, 3, 4])
        part = self.folder / "part.db"
        self.call("work", "--log-copy", str(part), "--part", "1/2")
        for other in ("2/2", "1/3"):
            told = self.call("work", "--log-copy", str(part), "--part", other, code=2).stderr
            self.assertIn(f"is the copy for part 1/2, not {other}", told)
        self.assertEqual([run["settings"]["run.seed"] for run in self.runs(part)], [1, 3])

    def test_a_copy_that_cannot_be_made_is_named(self):
        self.sweep("--seeds", "2")
        for copy in ("/dev/full/part.db", f"{self.folder}/none/part.db", ""):
            told = self.call("work", "--log-copy", copy, "--part", "1/2", code=2).stderr
            self.assertIn(copy or "--log-copy is empty", told)
            self.assertEqual(len(told.splitlines()), 1, told)

    def test_what_is_not_in_the_queue_cannot_be_removed_or_stopped(self):
        self.sweep("--seeds", "2")
        self.assertIn("nothing to stop", self.call("queue", "stop", "1", code=2).stderr)
        self.call("work")
        for action in ("stop", "remove"):
            self.assertIn("Run 1 is not in the queue", self.call("queue", action, "1", code=2).stderr)
        self.assertIn("extra", self.call("queue", "list", "extra", code=2).stderr)

    def test_wrong_words_get_a_sentence(self):
        self.sweep("--seeds", "2")
        for words, problem in ((["work", "--part", "1/2"], "belong together"),
                               (["work", "--part", "3/2", "--log-copy", "a.db"], "K/COUNT"),
                               (["work", "--part", "x", "--log-copy", "a.db"], "K/COUNT"),
                               (["work", "--jobs", "0"], "--jobs"),
                               (["queue", "upwards", "1"], "no action upwards"),
                               (["queue", "first"], "needs the numbers"),
                               (["queue", "first", "12"], "12")):
            self.assertIn(problem, self.call(*words, code=2).stderr)

    def test_a_run_that_left_the_queue_cannot_be_moved(self):
        self.sweep("--seeds", "2")
        self.call("work")
        self.assertIn("does not wait in the queue any more", self.call("queue", "first", "1", code=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
