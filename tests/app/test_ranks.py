#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue train` with several devices: the ranks as the processes that they are, started by the program or one by one."""

import json
import os
import signal
import sqlite3
import time
import unittest
from contextlib import closing, suppress
from pathlib import Path

from rank_runs import LIMIT, TO_BE_GONE, TO_BE_NAMED, RankRuns

LONG = ("run.epochs=100000", "batch.devices=3", "batch.micro=2")


class Ranks(RankRuns):
    def test_any_number_of_devices_trains_the_same(self):
        alone = self.done(self.train("batch.micro=24")).stdout
        for devices, micro, more in ((2, 12, ()), (2, 5, ("distributed.synchronize=micro_batch",)),
                                     (3, 2, ("distributed.shard=optimizer",)), (3, 2, ("distributed.shard=parameters",))):
            self.use_log(f"{devices} {micro} {more}")
            text = self.done(self.train(f"batch.devices={devices}", f"batch.micro={micro}", *more)).stdout
            self.assertEqual(len(self.events(text, "run_started")), 1)
            self.assert_same_losses(alone, text)
            self.assertEqual(self.events(text, "evaluation")[-1]["test_accuracy"],
                             self.events(alone, "evaluation")[-1]["test_accuracy"])
            self.assertEqual(self.record()["plan"]["devices"], devices)

    def test_batch_norm_has_the_statistics_of_rank_0(self):
        norm = ("model.norm=batch", "batch.micro=6", "batch.devices=2")
        self.done(self.train(*norm))
        whole = self.model()
        self.use_log("again")
        self.done(self.train(*norm))
        self.assertEqual(self.model(), whole)

    def test_parameters_change_on_all_ranks_with_the_last_micro_batch_alone(self):
        """The proof of published systems, on every rank: checksums, and the bytes that each has sent in a micro-batch."""
        for synchronize, every in (("window", False), ("micro_batch", True)):
            self.use_log(f"traced {synchronize}")
            text = self.done(self.train("batch.devices=3", "batch.micro=2", "run.limit_steps=3", "trace.parameters=first",
                                        f"distributed.synchronize={synchronize}")).stdout
            traced = [event for event in self.events(text, "ranks") if "rank_checksum" in event["ranks"][0]]
            self.assertEqual([event["micro_batches"] for event in traced], list(range(1, 13)))  # N is 4
            before = None
            for event in traced:
                checksums = {rank["rank_checksum"] for rank in event["ranks"]}
                last = event["micro_batches"] % 4 == 0
                self.assertEqual(len(checksums), 1, event)
                self.assertEqual([rank["rank"] for rank in event["ranks"]], [0, 1, 2])
                if before is not None:
                    self.assertEqual(checksums != before, last, event)
                before = checksums
                for rank in event["ranks"]:
                    self.assertEqual(rank["micro_batch_bytes"] > 0, last or every, event)

    def test_a_run_that_is_stopped_in_a_window_has_the_trace_of_all_ranks(self):
        """Also of the micro-batches of the window that stays open, and of the rest of it when the run is resumed."""
        process = self.start(self.train(*LONG, "trace.parameters=first", "batch.effective=384", "batch.steps=auto"))
        self.until_it_trains(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        self.done(self.resume(f"run.limit_steps={self.record()['step'] + 3}"))
        with closing(sqlite3.connect(self.log)) as log:
            traces = dict(log.execute("SELECT micro_batches, checksum FROM traces ORDER BY micro_batches, attempt"))
            ranks = {}
            for micro_batch, rank, checksum in log.execute(
                    "SELECT micro_batches, rank, value FROM metric_values WHERE metric = 'rank_checksum'"
                    " ORDER BY micro_batches, attempt"):
                ranks.setdefault(micro_batch, {})[rank] = int(checksum)
        self.assertEqual(ranks, {number: dict.fromkeys((0, 1, 2), checksum) for number, checksum in traces.items()})
        self.assertEqual(sorted(traces), list(range(1, len(traces) + 1)))

    def test_a_launcher_starts_the_ranks(self):
        other = self.start(self.train(), self.placed(1, 2, 29517))
        text = self.done(self.train(), environment=self.placed(0, 2, 29517)).stdout
        silence, problems = other.communicate(timeout=LIMIT)
        self.assertEqual((silence, problems, other.returncode), ("", "", 0))
        self.assertEqual(self.record()["plan"]["devices"], 2)  # as many as there are
        self.assertEqual(len(self.events(text, "run_ended")), 1)

    def test_another_number_of_ranks_is_refused(self):
        other = self.start(self.train("batch.devices=3"), self.placed(1, 2, 29518))
        ended = self.done(self.train("batch.devices=3"), code=2, environment=self.placed(0, 2, 29518))
        self.assertIn("The batch is planned for 3 devices, but 2 ranks were started. Start 3, or set batch.devices to 2.",
                      ended.stderr)
        _, problems = other.communicate(timeout=LIMIT)
        self.assertIn("planned for 3 devices", problems)
        self.assertFalse(self.log.exists() and json.loads(self.done(self.command("list", "--json")).stdout))

    def test_a_killed_rank_is_named_and_the_run_resumed(self):
        process = self.start(self.train(*LONG))
        others = self.ranks_of(process, 2)
        self.until_it_trains(process)
        os.kill(others[2], signal.SIGKILL)
        killed = time.monotonic()
        _, problems = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - killed, TO_BE_NAMED)
        self.assertEqual(process.returncode, 1)
        self.assertIn("Rank 2 was killed by signal 9 (Killed).", problems)
        self.assertEqual(self.processes(TO_BE_GONE), [])
        self.assert_resumed_like_undisturbed(*LONG)

    def test_a_stopped_rank_is_named_after_the_timeout(self):
        process = self.start(self.train(*LONG, "distributed.timeout=3 seconds"))
        others = self.ranks_of(process, 2)
        self.until_it_trains(process)
        os.kill(others[1], signal.SIGSTOP)
        stopped = time.monotonic()
        _, problems = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - stopped, 3 + TO_BE_NAMED)
        self.assertEqual(process.returncode, 1)
        self.assertIn("Rank 1 of 3 does not answer any more", problems)

    def test_the_figures_of_ranks_are_of_all_windows_and_of_nothing_else(self):
        """What an evaluation or a checkpoint exchanges belongs to no window, and the last windows are not left out."""
        often = ("run.evaluate_every=1 steps", "checkpoint.every=1 steps")
        for shard in ("none", "optimizer"):
            sent = set()
            for settings in (), often:
                self.use_log(f"figures {shard} {len(settings)}")
                text = self.done(self.train("batch.devices=2", "batch.micro=2", f"distributed.shard={shard}", *settings,
                                            "run.limit_steps=30")).stdout
                figures = self.events(text, "ranks")
                self.assertEqual(figures[-1]["step"], 30)
                sent |= {rank["communication_bytes"] for event in figures for rank in event["ranks"]}
            self.assertEqual(len(sent), 1, sent)

    def test_a_slow_rank_is_waited_for_and_changes_nothing(self):
        settings = ("batch.devices=2", "batch.effective=384", "batch.micro=192", "model.widths=512,512", "run.epochs=100", "run.limit_steps=25",
                    "distributed.timeout=2 seconds")
        self.done(self.train(*settings))
        undisturbed = self.model()
        self.use_log("slowed")
        process = self.start(self.train(*settings))
        number = self.ranks_of(process, 1)[1]
        self.until(process, "run_started")
        with self.slowed(number):
            _, problems = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0, problems)
        self.assertEqual(self.model(), undisturbed)
        self.assert_waits_for(1, ranks=2)

    def waiting_at(self, port, *ranks, of=4):
        """Ranks that are started by hand, once they wait for those that are not."""
        started = [self.start(self.train(f"batch.devices={of}", "batch.micro=2"), self.placed(rank, of, port))
                   for rank in ranks]
        for process in started if 0 in ranks else ():
            self.wait_until(lambda process=process: self.is_connected(process, port) or process.poll() is not None)
        for process in () if 0 in ranks else started:
            self.wait_until(lambda process=process: "libaccrue_engine" in Path(f"/proc/{process.pid}/maps").read_text())
        time.sleep(1)
        return started

    @staticmethod
    def is_connected(process, port):
        sockets = set()
        for file in Path(f"/proc/{process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed since the folder was listed
                sockets.add(os.readlink(file))
        lines = [line.split() for file in ("tcp", "tcp6") for line in Path(f"/proc/net/{file}").read_text().splitlines()[1:]]
        return any(fields[2].endswith(f":{port:04X}") and f"socket:[{fields[9]}]" in sockets for fields in lines)

    def test_a_rank_that_waits_for_the_others_ends_when_it_is_asked_to(self):
        for port, rank in ((29531, 0), (29532, 1)):  # the second one waits for rank 0
            waiting, = self.waiting_at(port, rank)
            waiting.terminate()
            asked = time.monotonic()
            _, problems = waiting.communicate(timeout=LIMIT)
            self.assertLess(time.monotonic() - asked, 2)
            self.assertNotEqual(waiting.returncode, 0)
            self.assertIn("Stopped before all ranks had joined.", problems)

    def assert_all_name(self, lost, since, ranks):
        for process in ranks:
            _, problems = process.communicate(timeout=LIMIT)
            self.assertLess(time.monotonic() - since, TO_BE_NAMED)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn(f"Rank {lost} of 4 does not answer any more", problems)

    def test_a_rank_that_is_killed_while_the_others_wait_is_named(self):
        for port, lost in ((29533, 2), (29534, 0)):
            ranks = self.waiting_at(port, 0, 1, 2)
            ranks[lost].kill()
            killed = time.monotonic()
            ranks.pop(lost).communicate()
            self.assert_all_name(lost, killed, ranks)

    def test_a_rank_that_is_killed_before_the_last_one_comes_is_named_by_all(self):
        """The last one finds signs of all of them, and connects."""
        ranks = self.waiting_at(29535, 0, 1, 2)
        ranks[2].kill()
        killed = time.monotonic()
        ranks.pop().communicate()
        self.assert_all_name(2, killed, [*ranks, *self.waiting_at(29535, 3)])

    def test_ranks_end_with_rank_0(self):
        process = self.start(self.train(*LONG))
        self.ranks_of(process, 2)
        self.until_it_trains(process)
        process.kill()
        process.communicate(timeout=LIMIT)
        self.assertEqual(self.processes(TO_BE_GONE), [])
        self.assert_resumed_like_undisturbed(*LONG)

    def test_ctrl_c_stops_all_and_the_run_is_resumed(self):
        for more in ((), ("distributed.shard=optimizer", "optimizer.name=adam"), ("distributed.synchronize=micro_batch",),
                     ("distributed.shard=parameters", "optimizer.name=adam", "optimizer.ema=0.9"),
                     ("model.norm=batch", "model.batchnorm_sync=true", "batch.tail=drop")):
            self.use_log(f"stopped {len(more)} {more[:1]}")
            process = self.start(self.train(*LONG, *more))
            self.until_it_trains(process)
            process.send_signal(signal.SIGINT)
            text, problems = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 130, problems)
            self.assertEqual(self.events(text, "run_ended")[0]["outcome"], "stopped")
            self.assert_resumed_like_undisturbed(*LONG, *more)

    def test_another_number_of_devices_resumes_at_the_end_of_a_window(self):
        adam = ("optimizer.name=adam", "optimizer.lr=0.002", "run.epochs=3")
        self.done(self.train(*adam, "run.limit_steps=40"))
        alone = self.record()
        self.use_log("changing")
        self.done(self.train(*adam, "batch.devices=4", "batch.micro=2", "distributed.shard=optimizer", "run.limit_steps=10"))
        for step, devices, shard in ((15, 2, "optimizer"), (20, 3, "parameters"), (30, 1, "none"), (35, 2, "parameters"),
                                     (40, 3, "optimizer")):
            self.done(self.resume(f"run.limit_steps={step}", f"batch.devices={devices}", "batch.micro=2",
                                  f"distributed.shard={shard}"))
        self.assertEqual(self.record()["step"], 40)
        self.assertAlmostEqual(self.record()["last_loss"], alone["last_loss"], delta=1e-10)

    def test_ranks_that_together_need_more_memory_than_the_machine_are_refused(self):
        device = json.loads(self.done(self.command("doctor", "--json")[:-2]).stdout)["devices"][0]
        # A rank has 12 bytes for each of 8 × width² parameters, or 24 in float64, and 16 of them a third more than there is.
        width = int((device["total_bytes"] / 8 / 12 / 12) ** 0.5)
        large = ("model.widths=" + ",".join([str(width)] * 9), "batch.effective=auto", "batch.micro=2", "batch.devices=16")
        ended = self.done(self.train(*large), code=2)
        self.assertIn("the 16 processes on this machine together need", ended.stderr)
        explained = self.command("explain", self.recipe, settings=[f"data.path={self.home / 'pictures'}", "data.name=idx",
                                                                   "model.name=mlp", "run.device=cpu", *large])
        self.assertIn("together need", self.done([word for word in explained if word not in ("--db", str(self.log))],
                                                 code=2).stderr)

    def test_more_ranks_than_the_machine_bears_are_refused(self):
        ended = self.done(self.train("batch.devices=100000", "batch.effective=100000", "batch.micro=1"), code=2)
        self.assertIn("batch.devices is 100\u202f000, but this machine runs at most", ended.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
