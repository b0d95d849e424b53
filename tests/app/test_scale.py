#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue scale` measures real windows of real ranks. What they send is checked exactly; times are not, because ranks share
the cores of this machine."""

import json
import os
import unittest
from xml.etree import ElementTree

from rank_runs import SETTINGS, RankRuns

PARAMETERS = 64 * 16 + 16 + 16 * 10 + 10  # of the perceptron on pictures of 8 × 8
VALUE = 8  # bytes of a float64


def bytes_of_sum(count, ranks):
    """In memory that the ranks share, each writes its values and its share of the sums; of a reduction to parts its values."""
    return count + count // ranks


def bytes_of_window(ranks, sums=1):
    """So many sums of all gradients, one of the loss and the right answers (16 bytes), one of the verdict (1 byte)."""
    return sums * bytes_of_sum(PARAMETERS * VALUE, ranks) + bytes_of_sum(16, ranks) + bytes_of_sum(1, ranks)


class Scale(RankRuns):
    def scale(self, *more, settings=()):
        words = self.command("scale", self.recipe, *more)
        words = words[:words.index("--db")]  # it has no log
        own = {"batch.effective": None, "batch.micro": "2", "run.evaluate_every": None, "checkpoint.every": None}
        common = [setting for setting in SETTINGS if setting.split("=", 1)[0] not in own]
        for setting in [f"data.path={self.home / 'pictures'}", "batch.micro=2", *common, *settings]:
            words += ["--set", setting]
        return self.done(words)

    def points(self, *more, settings=()):
        told = json.loads(self.scale("--json", "--updates", "3", "--rounds", "1", *more, settings=settings).stdout)
        return {(point["ranks"], point["steps"], point["synchronize"]): point for point in told["points"]}

    def test_each_way_sends_exactly_what_it_must(self):
        points = self.points("--ranks", "1,4,8", "--steps", "1,3")
        self.assertEqual(points[1, 3, "window"]["bytes"], 0)
        for ranks in (4, 8):
            for steps in (1, 3):
                point = points[ranks, steps, "window"]
                self.assertEqual(point["bytes"], bytes_of_window(ranks))
                self.assertEqual(point["effective"], 2 * ranks * steps)
                self.assertEqual(point["gradient_bytes"], PARAMETERS * VALUE)
                self.assertEqual(point["shares_cores"], ranks > os.cpu_count())
            self.assertEqual(points[ranks, 3, "micro_batch"]["bytes"], bytes_of_window(ranks, sums=3))
            self.assertNotIn((ranks, 1, "micro_batch"), points)  # the same as once per window

    def test_parts_of_the_optimizer_send_their_norm_and_the_parameters_too(self):
        points = self.points("--ranks", "4", "--steps", "2", settings=["distributed.shard=optimizer"])
        padded = -(-PARAMETERS // 4) * 4 * VALUE
        wanted = padded + bytes_of_sum(16, 4) + bytes_of_sum(1, 4) + bytes_of_sum(VALUE, 4) + padded // 4
        self.assertEqual(points[4, 2, "window"]["bytes"], wanted)
        self.assertEqual(points[4, 2, "window"]["shard"], "optimizer")

    def test_parameters_in_parts_are_gathered_and_reduced_in_each_micro_batch(self):
        ranks, steps = 4, 2
        layers = [-(-count // ranks) * ranks * VALUE for count in (64 * 16 + 16, 16 * 10 + 10)]  # each is a chunk
        points = self.points("--ranks", str(ranks), "--steps", str(steps), settings=["distributed.shard=parameters"])
        gathered = 2 * sum(layers) - layers[-1]  # the backward pass begins with the last one
        small = sum(bytes_of_sum(count, ranks) for count in (16, 1, VALUE))
        self.assertEqual(points[ranks, steps, "window"]["bytes"], steps * (gathered // ranks + sum(layers)) + small)
        self.assertEqual(points[ranks, steps, "window"]["shard"], "parameters")

    def test_what_it_measured_is_shown_drawn_and_extrapolated(self):
        chart = self.home / "chart.svg"
        text = self.scale("--ranks", "1,2", "--steps", "1,2", "--updates", "3", "--rounds", "2", "--predict", "64", "--chart",
                          chart).stdout
        self.assertIn("Efficiency", text)
        self.assertIn("Fitted:", text)
        self.assertIn("Fewest N for 90 %", text)
        paths = ElementTree.parse(chart).getroot().findall(".//{*}path")
        lines = [path for path in paths if path.get("class").startswith("line ")]
        self.assertEqual(len(lines), 3 * 5)  # W 1, W 2 in both ways: in four panels and the legend


if __name__ == "__main__":
    unittest.main(verbosity=2)
