#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run on two machines, which are two network namespaces of this one with a cable between them."""

import os
import shutil
import subprocess
import sys
import time
import unittest

from rank_runs import LIMIT, PYTHON, TO_BE_NAMED, RankRuns

SKIPPED = 77  # SKIP_RETURN_CODE
HOSTS = (f"accrue-a-{os.getpid()}", f"accrue-b-{os.getpid()}")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
LONG = ("run.epochs=100000", "batch.devices=2", "batch.micro=2", "distributed.timeout=4 seconds")


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def connect():
    """Two hosts, each with one end of a cable. Raises if this machine does not allow that."""
    for host in HOSTS:
        ip("netns", "add", host)
    ip("link", "add", "cable", "netns", HOSTS[0], "type", "veth", "peer", "name", "cable", "netns", HOSTS[1])
    for host, address in zip(HOSTS, ADDRESSES, strict=True):
        ip("-n", host, "address", "add", f"{address}/24", "dev", "cable")
        ip("-n", host, "link", "set", "cable", "up")
        ip("-n", host, "link", "set", "lo", "up")


def disconnect():
    for host in HOSTS:
        subprocess.run(["ip", "netns", "delete", host], check=False, capture_output=True)


def on(host, command):
    return ["ip", "netns", "exec", HOSTS[host], *command]


class TwoMachines(RankRuns):
    def setUp(self):
        super().setUp()
        connect()

    def tearDown(self):
        super().tearDown()
        disconnect()

    def both(self, *settings):
        """Rank 0 and rank 1, each on its host, as a launcher would start them."""
        others = self.start(on(1, self.train(*settings)), self.placed(1, 2, 29500, ADDRESSES[0]))
        first = self.start(on(0, self.train(*settings)), self.placed(0, 2, 29500, ADDRESSES[0]))
        return first, others

    @unittest.skipUnless(PYTHON, "ACCRUE_PYTHON names no Python with torch")
    def test_torchrun_trains_on_both_what_one_process_trains(self):
        def torchrun(host):
            return on(host, [PYTHON, "-m", "torch.distributed.run", "--no-python", "--nnodes", "2", "--node-rank", str(host),
                             "--nproc-per-node", "1", "--master-addr", ADDRESSES[0], "--master-port", "29400",
                             *self.train()])
        other = self.start(torchrun(1))
        text = self.done(torchrun(0)).stdout
        silence, problems = other.communicate(timeout=LIMIT)
        self.assertEqual((silence, other.returncode), ("", 0), problems)
        self.assertEqual(self.record()["plan"]["devices"], 2)
        self.use_log("alone")
        self.assert_same_losses(self.done(self.train("batch.micro=24")).stdout, text)

    def test_a_cable_that_is_pulled_ends_both_within_the_timeout(self):
        first, second = self.both(*LONG)
        self.until_it_trains(first)
        ip("-n", HOSTS[1], "link", "set", "cable", "down")
        pulled = time.monotonic()
        _, problems = first.communicate(timeout=LIMIT)
        _, others = second.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - pulled, 4 + TO_BE_NAMED)
        self.assertEqual((first.returncode, second.returncode), (1, 1))
        self.assertIn("Rank 1 of 2 does not answer any more", problems)
        self.assertIn("Rank 0 of 2 does not answer any more", others)

    def test_a_slow_network_changes_nothing_but_the_time(self):
        settings = ("model.widths=512,512", "run.limit_steps=10")
        for host in HOSTS:
            subprocess.run(["tc", "-n", host, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", "100mbit", "burst", "32kbit",
                            "latency", "50ms"], check=True)
        first, second = self.both(*settings)
        text, problems = first.communicate(timeout=LIMIT)
        second.communicate(timeout=LIMIT)
        self.assertEqual((first.returncode, second.returncode), (0, 0), problems)
        self.use_log("alone")
        self.assert_same_losses(self.done(self.train(*settings, "batch.micro=24")).stdout, text)


if __name__ == "__main__":
    try:
        if not shutil.which("ip") or not shutil.which("tc"):
            raise OSError("ip and tc (Debian's iproute2) are not installed")
        connect()
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        print(f"skipped: no network namespaces can be made here: {reason}")
        sys.exit(SKIPPED)
    finally:
        disconnect()
    unittest.main(verbosity=2)
