#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A window that is killed while it trains; the next one goes on with the run."""

from flow import LONG, Flow, main

OFTEN_SAVED = LONG + '[checkpoint]\nevery = "5 steps"\n'


class TestResuming(Flow):
    def test_a_run_of_a_killed_window_goes_on_in_the_next(self):
        self.open_workbench(self.recipe("killed", OFTEN_SAVED))
        self.keys("F5")
        self.wait_for_step("killed", 20)
        self.end_workbench()
        killed = self.wait_for_state("killed", "interrupted")

        self.open_workbench()
        self.keys("ctrl+2")
        self.keys("ctrl+r")
        resumed = self.wait_for_run(
            "killed", lambda run: run["attempt"] == 2 and run["step"] > killed["step"], "goes on")
        self.assertEqual(resumed["id"], killed["id"])
        self.keys("shift+F5")
        self.assert_stopped_and_saved(self.wait_for_state("killed", "finished"))


if __name__ == "__main__":
    main()
