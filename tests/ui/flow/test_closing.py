#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ends of a window that trains: the question, a signal to end, and being killed."""

from flow import LONG, Flow, SIGKILL, SIGTERM, eventually, main

QUESTION = "A run is in progress"


class TestClosing(Flow):
    def setUp(self):
        super().setUp()
        self.open_workbench(self.recipe("long", LONG))
        self.keys("F5")
        self.wait_for_step("long", 5)

    def test_stop_and_save_ends_the_run_and_the_program(self):
        self.keys("ctrl+q")
        self.dialog(QUESTION)
        self.keys("Tab", "space")  # from Keep open to Stop and close
        self.assertEqual(self.wait_for_exit(), 0)
        self.assert_stopped_and_saved(self.run_named("long"))

    def test_stay_goes_on(self):
        self.keys("ctrl+q")
        self.dialog(QUESTION)
        self.keys("Return")
        eventually(lambda: not self.windows(QUESTION), "the question is gone")
        run = self.run_named("long")
        self.assertEqual(run["state"], "running")
        self.wait_for_step("long", run["step"] + 5)
        self.assertIsNone(self.workbench.poll())

    def test_training_goes_on_behind_the_question(self):
        self.keys("ctrl+q")
        self.dialog(QUESTION)
        self.wait_for_step("long", self.run_named("long")["step"] + 5)

    def test_sigterm_stops_and_saves(self):
        self.signal(SIGTERM)
        self.assertEqual(self.wait_for_exit(), 0)
        self.assert_stopped_and_saved(self.run_named("long"))

    def test_killed_run_is_interrupted_and_the_next_start_works(self):
        reached = self.run_named("long")["step"]
        self.signal(SIGKILL)
        self.wait_for_exit()
        run = self.run_named("long")
        self.assertEqual(run["state"], "interrupted")
        self.assertIsNone(run["outcome"])
        self.assertGreaterEqual(len(self.losses("long")), reached)

        self.open_workbench(self.recipe("next", LONG))
        self.keys("F5")
        self.wait_for_step("next")
        self.keys("shift+F5")
        self.assert_stopped_and_saved(self.wait_for_state("next", "finished"))
        self.assertEqual(self.run_named("long")["state"], "interrupted")


if __name__ == "__main__":
    main()
