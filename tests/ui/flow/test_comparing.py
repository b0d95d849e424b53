#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two runs that differ in one setting, trained, compared and exported through the window."""

from flow import SHORT, Flow, eventually, main, rows_of

# From the form's first field (the recipe) to the accumulation steps N.
TABS_TO_STEPS = 14


class TestComparing(Flow):
    def change_steps(self, value):
        self.keys(*["Tab"] * TABS_TO_STEPS, "ctrl+a")
        self.type(value)

    def train_two_runs(self):
        """Runs 1 and 2 with N = 4 and N = 2."""
        self.open_workbench(self.recipe("four", SHORT))
        self.assertEqual(self.train(1)["plan"]["steps"], 4)
        self.change_steps("2")
        run = self.train(2)
        self.assertEqual(run["plan"]["steps"], 2)
        self.assertEqual(run["plan"]["effective"], 64)
        self.assertEqual(run["step"], 12)

    def train(self, number):
        self.keys("F5")

        def found():
            return next((run for run in self.runs() if run["id"] == number and run["outcome"] == "completed"), None)

        return eventually(found, f"run {number} is completed")

    def check_both(self):
        """In the table of runs."""
        self.keys("ctrl+2", "ctrl+a", "space")

    def check_both_and_compare(self):
        self.check_both()
        before = self.pixels()
        self.keys("ctrl+Return")
        eventually(lambda: self.pixels() != before, "the Compare page is shown")

    def assert_as_the_command_line_writes(self, file, *words):
        """Byte for byte, with the runs in the order that the window has them."""
        titles, *rows = rows_of(file)
        order = list(dict.fromkeys(row[titles.index("run")] for row in rows))
        self.assertEqual(sorted(order), ["1", "2"])
        other = self.home / "from-command-line.csv"
        self.accrue("export", "--csv", other, "--runs", *order, *words)
        self.assertEqual(file.read_bytes(), other.read_bytes())

    def test_compared_runs_export_what_the_command_line_exports(self):
        self.train_two_runs()
        self.check_both_and_compare()
        self.keys("ctrl+3")
        file = self.home / "compared.csv"
        titles, *rows = self.export("ctrl+e", "Export", file)
        losses = [row for row in rows if row[titles.index("metric")] == "loss"]
        self.assertEqual(len(losses), 24)
        self.assert_as_the_command_line_writes(file)

    def test_checked_runs_export_one_row_each(self):
        self.train_two_runs()
        self.check_both()
        file = self.home / "runs.csv"
        _, *rows = self.export("ctrl+shift+e", "Export", file)
        self.assertEqual(len(rows), 2)
        self.assert_as_the_command_line_writes(file, "--wide")


if __name__ == "__main__":
    main()
