#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run that the command line trains into the same log shows itself in the open window."""

import subprocess

from flow import BIN, LONG, SHORT, Flow, SIGTERM, eventually, main


class TestOtherProcess(Flow):
    def start_training(self, name, text):
        with open(self.home / "stderr", "ab") as said:
            process = subprocess.Popen([BIN / "accrue", "train", self.recipe(name, text)], env=self.variables,
                                       cwd=self.home, stdout=subprocess.DEVNULL, stderr=said)
        self.addCleanup(self.end, process)
        return process

    def exported_names(self):
        """The names on the Runs page, by the export of all its rows."""
        file = self.home / f"runs-{len(list(self.home.glob('runs-*')))}.csv"
        self.keys("ctrl+2", "ctrl+a")
        titles, *rows = self.export("ctrl+shift+e", "Export", file)
        return sorted(row[titles.index("name")] for row in rows)

    def test_run_of_the_command_line_appears_and_moves(self):
        self.accrue("train", self.recipe("before", SHORT))
        self.open_workbench()
        self.keys("ctrl+2")
        quiet = eventually(self.quiet_pixels, "the window is quiet")
        other = self.start_training("other", LONG)
        self.wait_for_step("other")
        eventually(lambda: self.pixels() != quiet, "the window shows the run")
        self.see_movement()
        eventually(lambda: self.exported_names() == ["before", "other"], "the Runs page has both runs")

        other.send_signal(SIGTERM)
        self.assert_stopped_and_saved(self.wait_for_state("other", "finished"))
        self.assertIsNone(self.workbench.poll())

    def quiet_pixels(self):
        """A screen that is the same three times; none while anything moves."""
        before = self.pixels()
        return before if before == self.pixels() == self.pixels() else None

    def see_movement(self):
        seen = set()

        def moved():
            seen.add(hash(self.pixels()))
            return len(seen) > 3

        eventually(moved, "the row of the run moves")

    def test_both_processes_train_into_one_log(self):
        self.open_workbench(self.recipe("here", LONG))
        self.keys("F5")
        self.wait_for_step("here")
        self.start_training("there", SHORT)
        run = self.wait_for_state("there", "finished")
        self.assertEqual(run["outcome"], "completed")
        self.assertEqual(len(self.losses("there")), 12)
        self.assertEqual(self.exported_names(), ["here", "there"])
        self.keys("shift+F5")
        self.assert_stopped_and_saved(self.wait_for_state("here", "finished"))


if __name__ == "__main__":
    main()
