#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first start on a new machine: one key trains, others pause, go on and stop."""

from flow import LONG, Flow, eventually, main


class TestFirstStart(Flow):
    def test_first_run_trains_pauses_goes_on_and_stops(self):
        self.open_workbench()
        self.assertEqual(self.runs(), [])
        self.keys("F5")
        self.wait_for_step("first-run")
        self.assertTrue(self.losses("first-run"))

        self.keys("F6")
        paused = self.wait_for_state("first-run", "paused")
        self.keys("F6")
        self.wait_for_state("first-run", "running")
        self.wait_for_step("first-run", paused["step"] + 1)

        self.keys("shift+F5")
        run = self.wait_for_state("first-run", "finished")
        self.assert_stopped_and_saved(run)
        self.assertGreater(run["step"], paused["step"])

        self.keys("ctrl+q")  # nothing trains, so nothing is asked
        self.assertEqual(self.wait_for_exit(), 0)

    def test_paused_run_stands_still(self):
        self.open_workbench(self.recipe("still", LONG))
        self.keys("F5")
        self.wait_for_step("still")
        self.keys("F6")
        paused = self.wait_for_state("still", "paused")
        shown = eventually(self.unchanged_pixels, "the window shows a run that stands still")
        self.assertEqual(self.run_named("still")["step"], paused["step"])
        self.keys("F6")
        eventually(lambda: self.pixels() != shown, "the window moves again")
        self.keys("shift+F5")
        self.assert_stopped_and_saved(self.wait_for_state("still", "finished"))

    def unchanged_pixels(self):
        before = self.pixels()
        return before if before == self.pixels() else None


if __name__ == "__main__":
    main()
