#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a newcomer does first, counted: start the program, train, change one thing, train again, compare, export."""

from flow import Flow, eventually, main, rows_of

MOST_ACTIONS = 10

# In a window of 1280 x 800, as it opens first; the log tells whether they were met.
MICRO_BATCH = (300, 596)
COMPARE_WITH_PREVIOUS = (1170, 91)


class TestNewcomer(Flow):
    def setUp(self):
        super().setUp()
        self.actions = 0

    def act(self, action, *arguments):
        self.actions += 1
        action(*arguments)

    def double_click(self, place):
        self.xdotool("mousemove", *place, "click", "--repeat", 2, "--delay", 60, 1)

    def click(self, place):
        self.xdotool("mousemove", *place, "click", 1)

    def test_train_change_compare_and_export_in_ten_actions(self):
        self.act(self.open_workbench)
        self.xdotool("windowsize", "--sync", self.window, 1280, 800)
        self.act(self.keys, "F5")
        first = eventually(lambda: self.finished(1), "the first run ends")

        self.act(self.double_click, MICRO_BATCH)
        self.act(self.type, "64")
        self.act(self.keys, "F5")
        second = eventually(lambda: self.finished(2), "the second run ends")
        self.assertEqual(second["settings"]["batch.micro"], 64)
        changed = {key for key, value in first["settings"].items() if second["settings"][key] != value}
        self.assertEqual(changed, {"batch.micro"})

        self.act(self.click, COMPARE_WITH_PREVIOUS)
        self.act(self.keys, "ctrl+e")
        self.dialog("Export")
        self.act(self.keys, "Return")
        file = eventually(lambda: next(self.home.rglob("*.csv"), None), "the series are written")
        titles, *rows = rows_of(file)
        self.assertEqual({row[titles.index("run")] for row in rows}, {"1", "2"})
        self.assertLessEqual(self.actions, MOST_ACTIONS)
        print(f"{self.actions} actions", flush=True)

    def finished(self, number):
        run = next((run for run in self.runs() if run["id"] == number), None)
        return run if run and run["outcome"] == "completed" else None


if __name__ == "__main__":
    main()
