#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run on two devices, started, stopped and exported through the window."""

from flow import LONG, Flow, main

TWO_DEVICES = LONG.replace("micro = 32\nsteps = 4\n", "micro = 16\nsteps = 4\ndevices = 2\n")


class TestDevices(Flow):
    def test_what_both_devices_measure_is_exported(self):
        self.open_workbench(self.recipe("devices", TWO_DEVICES))
        self.keys("F5")
        self.wait_for_step("devices", 60)
        self.keys("shift+F5")
        self.assertEqual(self.wait_for_state("devices", "finished")["plan"]["devices"], 2)
        self.keys("ctrl+2", "ctrl+a", "space")
        titles, *rows = self.export("ctrl+e", "Export", self.home / "devices.csv")
        steps = {}
        for row in (dict(zip(titles, each, strict=True)) for each in rows):
            steps.setdefault((row["metric"], row["rank"]), []).append(row["step"])
        for metric in ("wait_ms", "rank_step_ms", "rank_peak_bytes", "communication_bytes"):
            self.assertEqual(steps[metric, "0"], steps[metric, "1"])
        self.assertNotIn(("loss", "1"), steps)
        self.assertGreaterEqual(len(steps["loss", "0"]), 60)


if __name__ == "__main__":
    main()
