#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run on two machines, which are two network namespaces of this one with a cable between them."""

import functools
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

import two_hosts
from rank_runs import LIMIT, PYTHON, TO_BE_NAMED, RankRuns
from slurm_cluster import SlurmCluster
from two_hosts import ADDRESSES, NAMES, on

SKIPPED = 77  # SKIP_RETURN_CODE
TIMEOUT = 4  # seconds
LONG = ("run.epochs=100000", "batch.micro=2", f"distributed.timeout={TIMEOUT} seconds")


class TwoMachines(RankRuns):
    def setUp(self):
        super().setUp()
        self.addCleanup(two_hosts.disconnect)
        two_hosts.connect()

    def ranks_on(self, hosts, *settings):
        """Ranks that are started by hand, each on the host of its place in the list."""
        ranks = len(hosts)
        return [self.start(on(host, self.train(*settings, f"batch.devices={ranks}")),
                           self.placed(rank, ranks, 29500, NAMES[0])) for rank, host in enumerate(hosts)]

    def assert_all_name(self, lost, ranks, within):
        """All ranks but the one that is lost, which is killed if it lives."""
        begin = time.monotonic()
        for rank, process in enumerate(ranks):
            if rank != lost:
                _, problems = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 1, problems)
                self.assertIn(f"Rank {lost} of {len(ranks)} does not answer any more", problems)
        self.assertLess(time.monotonic() - begin, within)
        ranks[lost].kill()
        ranks[lost].communicate()

    def assert_trained_on_both(self, text, devices):
        self.assertEqual(self.record()["plan"]["devices"], devices)
        self.use_log(f"alone {self.log.stem}")
        self.assert_same_losses(self.done(self.train("batch.micro=24")).stdout, text)

    @unittest.skipUnless(PYTHON, "ACCRUE_PYTHON names no Python with torch")
    def test_torchrun_trains_on_both_what_one_process_trains(self):
        def torchrun(host):
            return on(host, [PYTHON, "-m", "torch.distributed.run", "--no-python", "--nnodes", "2", "--node-rank", str(host),
                             "--nproc-per-node", "1", "--master-addr", NAMES[0], "--master-port", "29400", *self.train()])
        other = self.start(torchrun(1))
        text = self.done(torchrun(0)).stdout
        silence, problems = other.communicate(timeout=LIMIT)
        self.assertEqual((silence, other.returncode), ("", 0), problems)
        self.assert_trained_on_both(text, 2)

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun (Debian's openmpi-bin) is not installed")
    def test_mpirun_trains_on_both_what_one_process_trains(self):
        login = self.home / "login"  # in place of ssh: the host, and the words of a command
        enter = " ".join(map(shlex.quote, on(1, ["sh", "-c"])))
        login.write_text(f'#!/bin/sh\nshift\nexec {enter} "$*"\n')
        login.chmod(0o755)
        environment = dict(self.environment, MASTER_ADDR=NAMES[0])
        mpirun = ["mpirun", "--allow-run-as-root", "--mca", "plm_rsh_agent", str(login), "-n", "4", "--host",
                  f"{NAMES[0]}:2,{NAMES[1]}:2", "-x", "MASTER_ADDR"]
        for name in ("ACCRUE_ENGINE", "XDG_DATA_HOME", "LD_LIBRARY_PATH"):
            mpirun += ["-x", name] if name in environment else []
        text = self.done(on(0, mpirun + self.train("batch.micro=2")), environment=environment).stdout
        self.assert_trained_on_both(text, 4)

    def test_srun_trains_on_both_what_one_process_trains(self):
        cluster = SlurmCluster([(name, address, functools.partial(on, host))
                                for host, (name, address) in enumerate(zip(NAMES, ADDRESSES, strict=True))])
        if reason := cluster.start():
            self.skipTest(reason)
        try:
            script = self.home / "job.sh"
            script.write_text('''#!/bin/sh
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --nodes 2 --ntasks-per-node 2 "$@"
''')
            output = self.home / "job.txt"
            self.done(on(0, ["sbatch", "--wait", "--nodes", "2", "--output", str(output), str(script),
                             *self.train("batch.micro=2")]), environment=self.environment | cluster.environment)
            self.assert_trained_on_both(output.read_text(), 4)
        finally:
            cluster.stop()

    def test_a_slow_machine_is_waited_for_and_changes_nothing(self):
        settings = ("batch.effective=384", "batch.micro=192", "model.widths=512,512", "run.epochs=100", "run.limit_steps=25",
                    "distributed.timeout=2 seconds")

        def trained(ranks):
            for process in ranks:
                _, problems = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 0, problems)
            return self.model()
        undisturbed = trained(self.ranks_on((0, 1), *settings))
        self.use_log("slowed")
        ranks = self.ranks_on((0, 1), *settings)
        self.until(ranks[0], "run_started")
        with self.slowed(ranks[1].pid):
            self.assertEqual(trained(ranks), undisturbed)
        self.assert_waits_for(1, ranks=2)

    def test_a_rank_that_is_killed_on_the_other_machine_is_named(self):
        ranks = self.ranks_on((0, 0, 1), *LONG)
        self.until_it_trains(ranks[0])
        ranks[2].kill()
        self.assert_all_name(2, ranks, TO_BE_NAMED)

    def test_rank_0_that_is_killed_on_the_other_machine_is_named(self):
        ranks = self.ranks_on((0, 1, 1), *LONG)
        self.until_it_trains(ranks[0])
        ranks[0].kill()
        self.assert_all_name(0, ranks, TO_BE_NAMED)

    def test_a_rank_that_is_stopped_on_the_other_machine_is_named_after_the_timeout(self):
        ranks = self.ranks_on((0, 0, 1), *LONG)
        self.until_it_trains(ranks[0])
        ranks[2].send_signal(signal.SIGSTOP)
        self.assert_all_name(2, ranks, TIMEOUT + TO_BE_NAMED)

    def test_a_cable_that_is_pulled_ends_both_within_the_timeout(self):
        ranks = self.ranks_on((0, 1), *LONG)
        self.until_it_trains(ranks[0])
        two_hosts.pull_the_cable()
        pulled = time.monotonic()
        for process, other in zip(ranks, (1, 0), strict=True):
            _, problems = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 1, problems)
            self.assertIn(f"Rank {other} of 2 does not answer any more", problems)
        self.assertLess(time.monotonic() - pulled, TIMEOUT + TO_BE_NAMED)

    def test_a_slow_network_changes_nothing_but_the_time(self):
        settings = ("model.widths=1024,1024", "run.limit_steps=6")  # sums of two buckets
        two_hosts.slow_the_cable("100mbit")
        first, second = self.ranks_on((0, 1), *settings)
        text, problems = first.communicate(timeout=LIMIT)
        second.communicate(timeout=LIMIT)
        self.assertEqual((first.returncode, second.returncode), (0, 0), problems)
        self.use_log("alone")
        self.assert_same_losses(self.done(self.train(*settings, "batch.micro=24")).stdout, text)


if __name__ == "__main__":
    try:
        two_hosts.connect()
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        print(f"skipped: no network namespaces can be made here: {reason}")
        sys.exit(SKIPPED)
    finally:
        two_hosts.disconnect()
    unittest.main(verbosity=2)
