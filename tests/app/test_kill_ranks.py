#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of 2, 4 and 8 ranks, one of which is killed at a random instant, against runs that were not disturbed.

Every run is killed and resumed until it ends: SIGKILL of a rank that is drawn, rank 0 included, at an instant drawn over
the life of the run, its start included. The model that comes out must be equal byte for byte, the rank that was killed must
be named within ten seconds, and no process may be left five seconds later.

    ACCRUE_KILLS=200 ACCRUE_SEED=7 tests/app/test_kill_ranks.py     (scripts/kill_and_resume.sh --ranks)
"""

import contextlib
import os
import random
import signal
import subprocess
import time
import unittest
from collections import Counter

from rank_runs import LIMIT, TO_BE_GONE, TO_BE_NAMED, RankRuns

KILLS = int(os.environ.get("ACCRUE_KILLS", "12"))
SEED = int(os.environ.get("ACCRUE_SEED", "1"))
KILLS_OF_A_RUN = 3

COMMON = ["batch.effective=32", "batch.micro=2", "run.epochs=1000", "run.limit_steps=100", "checkpoint.every=5 steps",
          "checkpoint.keep=2", "run.evaluate_every=50 steps"]
KINDS = {
    "plain": [],
    "all in parts": ["distributed.shard=parameters", "optimizer.name=adam", "optimizer.lr=0.002"],
    "state in parts": ["distributed.shard=optimizer", "optimizer.name=adam", "optimizer.lr=0.002"],
    "synchronised batch norm": ["model.norm=batch", "model.batchnorm_sync=true", "batch.tail=drop"],
}


class KilledRanks(RankRuns):
    def undisturbed(self, ranks, kind):
        self.use_log(f"undisturbed {ranks} {kind}")
        if not self.log.exists():
            begin = time.monotonic()
            self.done(self.train(*COMMON, *KINDS[kind], f"batch.devices={ranks}"))
            self.lengths[ranks, kind] = time.monotonic() - begin
        return self.model()

    def kill_one(self, command, ranks, length):
        """Returns what was killed; None: the run has ended before."""
        victim = self.draw.randrange(ranks)
        process = self.start(command, output=subprocess.DEVNULL)  # nobody reads it meanwhile
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(self.draw.uniform(0.2, length))
        if process.poll() is not None:
            _, problems = process.communicate()
            self.assertEqual(process.returncode, 0, problems)
            return None
        others = self.ranks_of_now(process)
        if victim > 0 and victim not in others:
            victim = 0  # the ranks are not started yet
        os.kill(others[victim] if victim > 0 else process.pid, signal.SIGKILL)
        killed = time.monotonic()
        _, problems = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - killed, TO_BE_NAMED)
        if victim > 0 and process.returncode != 0:  # it may have been about to end
            self.assertIn(f"Rank {victim} was killed by signal 9", problems)
        self.assertEqual(self.processes(TO_BE_GONE), [])
        return "rank 0" if victim == 0 else "another rank"

    def test_killed_ranks_change_nothing(self):
        self.draw = random.Random(SEED)
        self.lengths = {}
        counts = Counter()
        configurations = [(ranks, kind) for kind in KINDS for ranks in (2, 4, 8)]
        number = 0
        while counts.total() < KILLS:
            ranks, kind = configurations[number % len(configurations)]
            number += 1
            whole = self.undisturbed(ranks, kind)
            self.use_log(f"run {number}")
            for _ in range(KILLS_OF_A_RUN):
                if self.has_run() and self.record()["outcome"] == "completed":
                    break  # it was killed after its end
                what = self.kill_one(self.next_command(ranks, kind), ranks, self.lengths[ranks, kind])
                if what is None:
                    break
                counts[what] += 1
            if not self.has_run() or self.record()["outcome"] != "completed":
                self.done(self.next_command(ranks, kind))
            self.assertEqual(self.model(), whole, f"W {ranks}, {kind}")
        print(f"{counts.total()} kills ({dict(counts)}) in {number} runs: each ended like one that was not disturbed")

    def has_run(self):
        return self.log.exists() and self.done(self.command("list", "--json")).stdout.strip() != "[]"

    def next_command(self, ranks, kind):
        if self.has_run():
            return self.resume()
        return self.train(*COMMON, *KINDS[kind], f"batch.devices={ranks}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
