#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device that fails for good while the window trains on it; one key starts the program again, and the run goes on."""

from pathlib import Path

from flow import BIN, LONG, SHORT, Flow, eventually, main

FAKE = BIN.parent / "tests" / "libaccrue_fake_accelerator.so"
ON_DEVICE = 'device = "cuda"\n[checkpoint]\nevery = "5 steps"\n'


class TestLostDevice(Flow):
    def setUp(self):
        super().setUp()
        self.variables["ACCRUE_ACCELERATOR"] = str(FAKE)
        self.variables["ACCRUE_FAKE_FAULT"] = "forward:150"
        self.variables["ACCRUE_FAKE_FAULT_ONCE"] = str(self.home / "failed")

    def test_the_program_starts_again_and_goes_on_with_the_run(self):
        self.open_workbench(self.recipe("lost", LONG + ON_DEVICE))
        self.keys("F5")
        lost = self.wait_for_run("lost", lambda run: run["outcome"] == "failed", "fails")
        self.assertIn("cuda:0 has failed", lost["message"])
        self.assertTrue(lost["checkpoint"])
        self.assertEqual(len(self.losses("lost")), lost["step"])

        self.assertFalse(self.is_resuming())
        eventually(self.pressed_restart, "the program is started again")
        self.window = eventually(lambda: self.windows("Accrue$"), "the window appears again")[0]
        self.focus(self.window)
        again = self.wait_for_run(
            "lost", lambda run: run["attempt"] == 2 and run["step"] > lost["step"], "goes on")
        self.assertEqual(again["id"], lost["id"])
        self.keys("shift+F5")
        self.assert_stopped_and_saved(self.wait_for_state("lost", "finished"))

    # The message may not be there yet.
    def pressed_restart(self):
        self.keys("alt+s")
        return self.is_resuming()

    def is_resuming(self):
        return b"--resume" in Path(f"/proc/{self.workbench.pid}/cmdline").read_bytes()

    def test_the_window_stays_and_ends_as_any_other(self):
        self.open_workbench(self.recipe("lost", LONG + ON_DEVICE))
        self.keys("F5")
        self.wait_for_run("lost", lambda run: run["outcome"] == "failed", "fails")
        self.accrue("train", self.recipe("other", SHORT))  # another process, the same log
        self.wait_for_state("other", "finished")
        self.keys("ctrl+q")
        self.assertEqual(self.wait_for_exit(), 0)


if __name__ == "__main__":
    main()
