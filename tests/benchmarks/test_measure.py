#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How measure.py compares its sides: with sides of our own, nothing is trained."""

import argparse
import contextlib
import io
import signal
import tempfile
import time
import unittest
from pathlib import Path

import measure


class FakeSides:
    def __init__(self, seconds):
        self.seconds, self.calls = seconds, []

    def named(self):
        def side(name):
            def run(epochs):
                self.calls.append((name, epochs))
                return [self.seconds[name]] * epochs
            return run
        return {name: side(name) for name in self.seconds}


ARGS = argparse.Namespace(rounds=3, epochs=None, smoke=False)
SECONDS = {"Accrue": 4.0, "hand-tuned loop, 1 thread(s)": 5.0, "hand-tuned loop, 2 thread(s)": 4.2,
           "usual loop, 0 worker(s)": 6.4, "usual loop, 1 worker(s)": 8.0, "lightened usual loop, 0 worker(s)": 5.6}


class TestMeasure(unittest.TestCase):
    def speed(self, **changes):
        sides, printed = FakeSides({**SECONDS, **changes}), io.StringIO()
        with contextlib.redirect_stdout(printed):
            reached = measure.measure_speed(sides, ARGS)
        return sides, reached, printed.getvalue()

    def test_every_side_trains_as_many_epochs_and_each_round_begins_with_another(self):
        sides, _, _ = self.speed()
        self.assertEqual({epochs for _, epochs in sides.calls}, {2})
        names = [name for name, _ in sides.calls]
        self.assertEqual({names.count(name) for name in SECONDS}, {3})
        self.assertEqual(names[::len(SECONDS)], list(SECONDS)[:3])

    def test_the_better_side_of_each_kind_is_judged(self):
        _, reached, printed = self.speed()
        self.assertTrue(reached)
        self.assertIn("| hand-tuned loop: 2 thread(s) | 1.05 × | at least 1.0 × | reached |", printed)
        self.assertIn("| usual loop: 0 worker(s) | 1.60 × | at least 1.5 × | reached |", printed)
        self.assertIn("| lightened usual loop: 0 worker(s) | 1.40 × | – |  |", printed)

    def test_a_missed_figure_is_said(self):
        _, reached, printed = self.speed(**{"usual loop, 0 worker(s)": 5.6})
        self.assertFalse(reached)
        self.assertIn("| usual loop: 0 worker(s) | 1.40 × | at least 1.5 × | **not reached** |", printed)

    def test_a_log_is_paid_for_by_pairs_of_epochs(self):
        class Sides:
            def accrue(self, epochs, log="none"):
                return [4.0] * epochs if log == "none" else [4.1, 4.2][:epochs]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertTrue(measure.measure_log(Sides(), ARGS))
        self.assertIn("| 2 | 4.00 | 4.20 | +5.0% |", printed.getvalue())
        self.assertIn("| median | 4.00 | 4.15 | +3.7% |", printed.getvalue())

    def test_the_cost_of_the_update_ratio_is_that_of_the_median_window(self):
        class Sides:
            def first_steps(self, count, *settings, recipe):
                step_ms = 10.04 if "trace.update_ratio=true" in settings else 10.0
                return [{"step_ms": 99.0}] * 2 + [{"step_ms": step_ms}] * (count - 2)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertTrue(measure.measure_update_ratio(Sides(), ARGS))
        self.assertIn("| LeNet-5, b 32 × N 4 | 10.00 | 10.04 | +0.40% | within 0.5% |", printed.getvalue())

    def test_two_builds_are_compared_round_by_round(self):
        class Sides(measure.Sides):
            def first_steps(self, count, *settings, recipe):
                return [{"step_ms": 99.0}] * 2 + [{"step_ms": 10.0 if self.programs.name == "old" else 9.0}] * (count - 2)
        printed, own = io.StringIO(), measure.Sides
        measure.Sides = Sides
        self.addCleanup(setattr, measure, "Sides", own)
        args = argparse.Namespace(rounds=2, smoke=False, other="old")
        with contextlib.redirect_stdout(printed):
            self.assertTrue(measure.measure_against(Sides("data", "cpu", "new"), args))
        self.assertIn("| LeNet-5, digits, b 32 × N 4 | 10.00 | 9.00 | 0.900 × | 0.900 × | 0.900 × |", printed.getvalue())

    def test_windows_that_a_stop_cut_are_left_out(self):
        ends, clock = [], 0.0
        for slice_ms in (10, 20, 30, 40):  # the first is warming up, and the last was not finished
            for _ in range(5):
                clock += slice_ms / 1000
                ends.append({"seconds": clock})
            clock += measure.SLICE + 0.005
            ends.append({"seconds": clock})  # it began before the stop
        means = measure.mean_windows(ends)
        self.assertEqual([round(1000 * mean, 6) for mean in means], [20, 30, 40])

    def test_a_training_is_stopped_and_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            one = measure.Stoppable(["sh", "-c", "echo '{\"event\": \"step\"}'; printf '{\"ev'; exec sleep 60"],
                                    Path(folder) / "output")
            self.addCleanup(one.end)
            while not one.steps():
                time.sleep(0.01)
            self.assertEqual(one.steps(), [{"event": "step"}])  # without the line that is not whole
            for number, state in ((signal.SIGSTOP, "T"), (signal.SIGCONT, "S")):
                one.signal(number)
                while Path(f"/proc/{one.process.pid}/stat").read_text().split()[2] != state:
                    time.sleep(0.01)

    def test_pictures_of_noise_are_whole_files(self):
        with tempfile.TemporaryDirectory() as folder:
            measure.write_noise(Path(folder))
            self.assertEqual((Path(folder) / "mnist/train-images-idx3-ubyte").stat().st_size, 16 + 1280 * 784)
            self.assertEqual((Path(folder) / "mnist/t10k-labels-idx1-ubyte").stat().st_size, 8 + 256)


if __name__ == "__main__":
    unittest.main()
