#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`batch.devices = "all"` as a user types it: on two fake CUDA devices, on one, on none, and under a launcher."""

import json
import os
import signal
import unittest

from rank_runs import ACCRUE, LIMIT, RankRuns

ALL = ("batch.devices=all", "run.limit_steps=6")
FAKE = os.environ.get("ACCRUE_ACCELERATOR", "")


class AllDevices(RankRuns):
    def setUp(self):
        super().setUp()
        self.environment["ACCRUE_ACCELERATOR"] = FAKE
        self.on(2)

    def on(self, devices):
        """What is run from now on is on a machine with so many devices."""
        self.environment["ACCRUE_FAKE_DEVICES"] = str(devices)

    def plan(self):
        return self.record()["plan"]

    def devices_of_recipe(self):
        return next(value for key, value in self.record()["settings"].items() if key == "batch.devices")

    def test_every_device_of_the_machine_trains(self):
        for devices in (2, 1):
            self.on(devices)
            self.use_log(f"on {devices}")
            text = self.done(self.train(*ALL, "run.device=auto")).stdout
            self.assertEqual(self.plan()["devices"], devices)
            self.assertEqual(self.plan()["steps"], 6 // devices)  # of B = 24 and b = 4
            self.assertEqual(len(self.events(text, "run_started")), 1)
            self.assertEqual(self.devices_of_recipe(), "all")

    def test_the_plan_is_explained_for_this_machine(self):
        settings = ("data.name=digits", "batch.devices=all", "run.device=cuda", "batch.micro=16", "batch.steps=4")
        command = [ACCRUE, "explain", self.recipe, "--json"] + [word for setting in settings for word in ("--set", setting)]
        told = json.loads(self.done(command).stdout)
        self.assertEqual(told["plan"], {"effective": 128, "micro": 16, "steps": 4, "devices": 2, "solved": "effective"})

    def test_without_a_device_one_sentence_says_what_to_write(self):
        for device, sentence in (("cpu", 'but run.device is "cpu"'), ("cuda:1", "but run.device names one device, cuda:1")):
            refused = self.done(self.train(*ALL, f"run.device={device}"), code=2)
            self.assertIn(sentence, refused.stderr)
        del self.environment["ACCRUE_ACCELERATOR"]
        refused = self.done(self.train(*ALL, "run.device=auto"), code=2)
        self.assertIn("this machine has none that Accrue can use; write the number of processes instead", refused.stderr)
        self.assertFalse(self.log.exists())

    def test_auto_is_solved_from_the_other_numbers(self):
        self.done(self.train("batch.devices=auto", "run.device=cuda", "batch.micro=6", "batch.steps=2", "run.limit_steps=2"))
        self.assertEqual(self.plan()["devices"], 2)
        self.use_log("more")
        self.done(self.train("batch.devices=auto", "run.device=cuda", "batch.micro=6", "batch.steps=4", "run.limit_steps=2"))
        self.assertEqual(self.plan()["devices"], 1)

    def test_under_a_launcher_they_are_its_ranks(self):
        self.on(4)
        settings = (*ALL, "run.device=cuda")
        other = self.start(self.train(*settings), self.placed(1, 2, 29541))
        self.done(self.train(*settings), environment=self.placed(0, 2, 29541))
        _, problems = other.communicate(timeout=LIMIT)
        self.assertEqual(other.returncode, 0, problems)
        self.assertEqual(self.plan()["devices"], 2)
        self.assertEqual(self.devices_of_recipe(), "all")

    def test_another_machine_goes_on_with_all_of_its_own(self):
        self.done(self.train(*ALL, "run.device=cuda", "batch.effective=auto", "batch.steps=3"))
        self.assertEqual(self.plan()["effective"], 24)
        self.on(1)
        self.done(self.resume("run.limit_steps=9"))
        self.assertEqual((self.plan()["devices"], self.plan()["effective"], self.plan()["micro"], self.plan()["steps"]),
                         (1, 24, 4, 6))
        self.on(3)
        self.done(self.resume("run.limit_steps=12"))
        self.assertEqual((self.plan()["devices"], self.plan()["effective"], self.plan()["steps"]), (3, 24, 2))
        self.assertEqual(self.devices_of_recipe(), "all")
        self.assertEqual(self.record()["step"], 12)

    def test_a_run_that_is_stopped_in_a_window_goes_on_with_all(self):
        process = self.start(self.train("batch.devices=all", "run.device=cuda", "batch.effective=384", "run.epochs=100000"))
        self.until_it_trains(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        before = self.record()
        self.done(self.resume(f"run.limit_steps={before['step'] + 2}"))
        self.assertEqual(self.record()["plan"], before["plan"] | {"total_steps": before["step"] + 2})
        self.assertEqual(self.devices_of_recipe(), "all")

    def test_the_memory_of_one_of_them_is_measured(self):
        """Of a network that is too large for one device as a whole."""
        self.environment["ACCRUE_FAKE_TOTAL"] = str(250 << 20)
        settings = ("data.name=digits", "model.name=mlp", "model.widths=" + ",".join(["1500"] * 8), "optimizer.name=adam",
                    "run.device=cuda", "batch.micro=2", "batch.devices=all", "distributed.shard=parameters")
        command = [ACCRUE, "fit", self.recipe] + [word for setting in settings for word in ("--set", setting)]
        self.on(4)
        self.assertIn("fits a card of 4 GiB", self.done(command).stdout)
        self.on(1)
        self.assertIn("they need 259 MiB, but cuda:0 has 250 MiB", self.done(command, code=2).stderr)

    def test_a_saved_model_is_evaluated_on_any_device(self):
        self.done(self.train(*ALL, "run.device=cuda"))
        told = json.loads(self.done(self.command("evaluate", "1", "--device", "cpu", "--json")).stdout)
        self.assertEqual((told["step"], told["device"]), (6, "cpu"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
