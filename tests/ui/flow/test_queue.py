#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ten experiments by tomorrow: a run is started, another one queued behind it, and a sweep added, by the keyboard alone."""

import json

from flow import LONG, SHORT, SIGTERM, Flow, eventually, main


class TestQueue(Flow):
    def queue(self):
        return [run["name"] for run in json.loads(self.accrue("queue", "--json"))["runs"]]

    def test_start_adds_to_the_queue_while_a_run_trains(self):
        self.open_workbench(self.recipe("first", LONG))
        self.keys("F5")
        self.wait_for_step("first")
        self.keys("F5")
        eventually(lambda: len(self.runs()) == 2, "the second run is queued")
        self.keys("shift+F5")
        eventually(lambda: self.runs()[1]["outcome"] == "stopped", "the first run is stopped")
        self.assertEqual([run["state"] for run in self.runs()], ["queued", "finished"])  # the queue rests

    def test_a_sweep_is_added_and_trained(self):
        self.open_workbench(self.recipe("sweep", SHORT))
        self.keys("ctrl+shift+F5")  # its first key has the focus: micro-batches 16, 32, 64
        self.keys("ctrl+a")
        self.type("16, 32")
        eventually(lambda: self.press_add(), "the sweep is queued")
        eventually(lambda: [run["outcome"] for run in self.runs()] == ["completed"] * 2, "both runs are trained")
        self.assertEqual(sorted(run["settings"]["batch.micro"] for run in self.runs()), [16, 32])
        self.assertEqual(self.queue(), [])

    def press_add(self):
        """The plan is made a moment after the last letter, and the button is enabled then; Return presses it."""
        if not self.runs():
            self.keys("Return")
        return len(self.runs()) == 2

    def test_closing_leaves_the_run_of_the_queue_to_be_continued(self):
        self.accrue("queue", "add", self.recipe("waits", LONG))
        self.open_workbench()
        self.signal(SIGTERM)
        self.wait_for_exit()
        self.assertEqual(self.queue(), ["waits"])


if __name__ == "__main__":
    main()
