#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/measure_overlap.py makes of what was measured: nothing is trained here."""

import argparse
import os
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import measure_overlap  # noqa: E402
from measure_scaling import Case  # noqa: E402

ARGUMENTS = argparse.Namespace(buckets=[0, 2**20], others=0.05)


def figures(seconds, others=0.0):
    return {"window_seconds": seconds, "communication_ms": 100 * seconds, "others": others}


class MeasureOverlap(unittest.TestCase):
    def test_a_size_of_buckets_is_compared_with_the_first_in_the_same_round(self):
        rounds = [{0: figures(1.0), 2**20: figures(0.8)}, {0: figures(2.0), 2**20: figures(1.8)},
                  {0: figures(3.0), 2**20: figures(2.85)}]
        row = measure_overlap.row_of(ARGUMENTS, Case(2, 4, link="1gbit"), rounds)
        self.assertEqual(row, "| `1gbit` | 4 | 3 | 2000 ms (200) | 1800 ms (180) | 90% |")

    def test_a_round_with_a_disturbed_case_does_not_count_if_there_is_another(self):
        disturbed = [{0: figures(1.0), 2**20: figures(5.0, others=0.2)}, {0: figures(3.0, others=0.3), 2**20: figures(3.0)}]
        row = measure_overlap.row_of(ARGUMENTS, Case(2, 1, link="1gbit"), [*disturbed, {0: figures(1.0), 2**20: figures(0.9)}])
        self.assertIn("| 1 | 1000 ms (100) | 900 ms (90) | 90% |", row)
        self.assertIn("| 500% |", measure_overlap.row_of(ARGUMENTS, Case(2, 1, link="1gbit"), disturbed))

    def test_each_round_measures_every_size(self):
        asked = []

        def measured(_arguments, _case, _home):
            asked.append(os.environ["ACCRUE_OVERLAPPED_BYTES"])
            return figures(1.0)
        with mock.patch.object(measure_overlap.scaling, "measured", side_effect=measured), mock.patch.object(sys, "stderr"):
            measure_overlap.round_of(ARGUMENTS, Case(2, 1), "home")
        self.assertEqual(asked, ["0", str(2**20)])


if __name__ == "__main__":
    unittest.main()
