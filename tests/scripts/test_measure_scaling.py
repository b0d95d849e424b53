#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/measure_scaling.py makes of what was measured: nothing is trained here."""

import argparse
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import measure_scaling  # noqa: E402
from measure_scaling import Case  # noqa: E402

ARGUMENTS = argparse.Namespace(links="local,1gbit", shards="none,optimizer", steps="1,4", micro_batches=160, recipe="first-run",
                               set=["model.name=mlp"], tries=3, others=0.03, chunks=2, kept_bytes=40)


def figures(seconds, others=0.0):
    return {"effective": 64, "gradient_bytes": 4000, "window_seconds": seconds, "samples_per_second": 64 / seconds,
            "communication_ms": 1.0, "wait_ms": 0.5, "bytes": 2000.0, "others": others}


def line(**event):
    return json.dumps(event) + "\n"


class MeasureScaling(unittest.TestCase):
    def test_cases_that_are_the_same_are_measured_once(self):
        cases = list(measure_scaling.cases_of(ARGUMENTS))
        self.assertEqual(len(cases), len(set(cases)))
        self.assertEqual([case for case in cases if case.ranks == 1], [Case(1, 1), Case(1, 4)])
        self.assertEqual([case.steps for case in cases if case.synchronize == "micro_batch"], [4, 4])  # of two links
        self.assertEqual(len(cases), 2 + 2 * (2 + 1 + 2))

    def test_a_case_has_as_many_windows_as_its_steps_allow(self):
        for steps, windows in ((1, 162), (4, 42), (160, measure_scaling.WARM_UP + measure_scaling.LEAST_WINDOWS)):
            words = measure_scaling.command(ARGUMENTS, Case(2, steps))
            self.assertIn(f"run.limit_steps={windows}", words)
            self.assertIn("model.name=mlp", words)

    def test_one_rank_is_measured_beside_another_one(self):
        self.assertEqual(len(measure_scaling.places_of(Case(1, 4))), 2)
        self.assertEqual(len(measure_scaling.places_of(Case(2, 4, link="local"))), 1)
        self.assertEqual([variables["RANK"] for _, variables in measure_scaling.places_of(Case(2, 4, link="1gbit"))],
                         ["0", "1"])

    def test_windows_to_warm_up_do_not_count(self):
        ends = (9.0, 18.0, 18.1, 18.3, 18.6)  # the first two warm up
        text = line(event="run_started", parameters=100)
        text += "".join(line(event="step", seconds=end, window_samples=64) for end in ends)
        text += line(event="ranks", step=2, ranks=[{"communication_ms": 50, "wait_ms": 50, "communication_bytes": 1}])
        text += line(event="ranks", step=4, ranks=[{"communication_ms": 3, "wait_ms": 1, "communication_bytes": 400},
                                                   {"communication_ms": 5, "wait_ms": 2, "communication_bytes": 400}])
        found = measure_scaling.figures_of(text)
        self.assertAlmostEqual(found["window_seconds"], 0.2)
        self.assertAlmostEqual(found["samples_per_second"], 320)
        self.assertEqual((found["communication_ms"], found["wait_ms"], found["bytes"]), (4, 1.5, 400))
        self.assertEqual(found["gradient_bytes"], 400)
        self.assertIsNone(measure_scaling.figures_of(""))  # of a rank that prints nothing

    def test_the_least_disturbed_try_counts(self):
        tries = [figures(0.3, others=0.4), figures(0.2, others=0.1), figures(0.25, others=0.2)]
        with mock.patch.object(measure_scaling, "measured_once", side_effect=tries):
            self.assertEqual(measure_scaling.measured(ARGUMENTS, Case(1, 1), "home")["window_seconds"], 0.2)
        with mock.patch.object(measure_scaling, "measured_once", side_effect=[figures(0.1, others=0.02)]) as once:
            measure_scaling.measured(ARGUMENTS, Case(1, 1), "home")
            self.assertEqual(once.call_count, 1)

    def test_rounds_are_added_and_a_point_is_their_median(self):
        case, other = Case(2, 4, link="1gbit"), Case(1, 4)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "points.json")
            measure_scaling.write(file, [(case, figures(0.2)), (other, figures(0.1)), (case, figures(0.9))], most_others=0.03)
            rounds = measure_scaling.earlier_rounds(file) + [(case, figures(0.3))]
            measure_scaling.write(file, rounds, most_others=0.03)
            points = json.loads(Path(file).read_text())["points"]
            self.assertEqual(measure_scaling.earlier_rounds(os.path.join(folder, "none.json")), [])
        self.assertEqual([(point["ranks"], point["link"], point["window_seconds"]) for point in points],
                         [(2, "1gbit", 0.3), (1, "local", 0.1)])

    def test_disturbed_rounds_count_only_where_there_is_no_other(self):
        def seconds(*rounds):
            return measure_scaling.point_of(Case(1, 1), rounds, most_others=0.03)["window_seconds"]
        self.assertEqual(seconds(figures(0.2), figures(0.3, others=0.1), figures(0.4, others=0.2)), 0.2)
        self.assertEqual(seconds(figures(0.3, others=0.1), figures(0.4, others=0.2)), 0.3)


if __name__ == "__main__":
    unittest.main()
