#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Python's tensorboard reads what `accrue export --tensorboard` writes, and `accrue import --tensorboard` what tensorboard and
torch.utils.tensorboard write: each value, step, time and setting.

    ACCRUE_BIN=build/release/bin [ACCRUE_PYTHON=VENV/bin/python] tests/app/test_tensorboard.py

Skipped (77) where neither ACCRUE_PYTHON nor this Python has the package: `pip install tensorboard` into a venv.
"""

import contextlib
import csv
import io
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.plugins.histogram.summary_v2 import histogram_pb
    from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2
    from tensorboard.plugins.scalar.summary_v2 import scalar_pb
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
except ImportError as error:
    other = os.environ.get("ACCRUE_PYTHON")
    if other and other != sys.executable and not os.environ.get("ACCRUE_TENSORBOARD_TRIED"):
        os.execve(other, [other, *sys.argv], dict(os.environ, ACCRUE_TENSORBOARD_TRIED="1"))
    print(f"skipped: {sys.executable} has no package tensorboard ({error})")
    sys.exit(77)

BIN = Path(os.environ["ACCRUE_BIN"])
EVERYTHING = {"scalars": 0, "tensors": 0}


def accrue(*words):
    done = subprocess.run([BIN / "accrue", *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def same(a, b):
    return a == b or (a != a and b != b)


class TestTensorBoard(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "runs.db"

    def series(self):
        """(run, metric) → [(step, value, rank)], from the long CSV."""
        series = {}
        for row in csv.DictReader(io.StringIO(accrue("export", "--csv", "-", "--db", self.log), newline="")):
            series.setdefault((int(row["run"]), row["metric"]), []).append((int(row["step"]), float(row["value"]), int(row["rank"])))
        return series

    def runs(self):
        return {run["name"]: run for run in json.loads(accrue("list", "--json", "--db", self.log))}

    def test_tensorboard_reads_every_value_of_an_export(self):
        subprocess.run([BIN / "example_log", self.log, "3", "200"], check=True)
        exported = json.loads(accrue("export", "--tensorboard", self.folder / "out", "--json", "--db", self.log))
        self.assertEqual(exported["runs"], 3)
        read = {}
        for folder in sorted((self.folder / "out").iterdir()):
            run = int(folder.name.rsplit("-", 1)[1])
            accumulator = EventAccumulator(str(folder), EVERYTHING)
            accumulator.Reload()
            for tag in accumulator.Tags()["scalars"]:
                read[run, tag] = accumulator.Scalars(tag)
        written = self.series()
        self.assertEqual(sum(map(len, read.values())), exported["values"])
        self.assertEqual(sum(map(len, written.values())), exported["values"])
        for metric, tag in {"loss": "loss/train", "test_accuracy": "accuracy/test", "train_loss": "loss/train_epoch",
                            "learning_rate": "optimizer/learning_rate", "peak_bytes": "memory/peak_bytes",
                            "step_ms": "time/step_ms"}.items():
            for run in (1, 2, 3):
                points = read[run, tag]
                self.assertEqual([p.step for p in points], [step for step, _, _ in written[run, metric]])
                for point, (_, value, _) in zip(points, written[run, metric]):
                    self.assertTrue(same(point.value, float32(value)), (metric, point, value))
                times = [point.wall_time for point in points]
                self.assertEqual(times, sorted(times))

    def test_tensorboard_reads_the_settings_of_an_export(self):
        subprocess.run([BIN / "example_log", self.log, "2", "20"], check=True)
        accrue("export", "--tensorboard", self.folder / "out", "--db", self.log)
        multiplexer = EventMultiplexer().AddRunsFromDirectory(str(self.folder / "out"))
        multiplexer.Reload()
        runs = {run["id"]: run for run in json.loads(accrue("list", "--json", "--db", self.log))}
        for name, contents in multiplexer.PluginRunToTagToContent("hparams").items():
            start = metadata.parse_session_start_info_plugin_data(contents["_hparams_/session_start_info"])
            settings = runs[int(name.rsplit("-", 1)[1])]["settings"]
            self.assertEqual(start.hparams["batch.micro"].number_value, settings["batch.micro"])
            self.assertEqual(start.hparams["data.name"].string_value, settings["data.name"])
            self.assertEqual(start.hparams["data.shuffle"].bool_value, settings["data.shuffle"])
            self.assertEqual(set(start.hparams), set(settings) - {"name"})
            end = metadata.parse_session_end_info_plugin_data(contents["_hparams_/session_end_info"])
            self.assertEqual(end.status, api_pb2.STATUS_SUCCESS)
            columns = metadata.parse_experiment_plugin_data(contents["_hparams_/experiment"])
            self.assertEqual({info.name for info in columns.hparam_infos}, set(settings) - {"name"})
            self.assertIn("accuracy/test", [info.name.tag for info in columns.metric_infos])

    def test_imports_what_tensorboard_writes(self):
        writer = EventFileWriter(str(self.folder / "logs" / "nested" / "run"))
        for step in range(1000):
            simple = summary_pb2.Summary.Value(tag="Loss/train", simple_value=1 / (step + 1))
            writer.add_event(event_pb2.Event(wall_time=1e9 + step, step=step, summary=summary_pb2.Summary(value=[simple])))
            writer.add_event(event_pb2.Event(wall_time=1e9 + step, step=step, summary=scalar_pb("acc", step / 1000)))
        writer.close()
        accrue("import", "--tensorboard", self.folder / "logs", "--db", self.log)
        series = self.series()
        self.assertEqual(series[1, "Loss/train"], [(step, float32(1 / (step + 1)), 0) for step in range(1000)])
        self.assertEqual(series[1, "acc"], [(step, float32(step / 1000), 0) for step in range(1000)])
        run = self.runs()["nested/run"]
        self.assertEqual(run["source"], "tensorboard")
        self.assertEqual(run["seconds"], 999)
        again = json.loads(accrue("import", "--tensorboard", self.folder / "logs", "--json", "--db", self.log))
        self.assertEqual([run["result"] for run in again["runs"]], ["unchanged"])
        accrue("doctor", "--check-log", "--db", self.log)

    def histograms(self):
        """(run, parameter, kind) → [(step, least, largest, mean, deviation, counts)], from the log."""
        found = {}
        with contextlib.closing(sqlite3.connect(self.log)) as log:
            for run, parameter, kind, *numbers, counts in log.execute(
                    "SELECT run_id, parameter, kind, step, least, largest, mean, deviation, counts FROM histograms ORDER BY step"):
                found.setdefault((run, parameter, kind), []).append((*numbers, json.loads(counts)))
        return found

    def test_tensorboard_reads_the_histograms_of_a_training(self):
        accrue("train", "first-run", "--set", "run.limit_steps=4", "--set", "trace.histograms=2 steps", "--db", self.log)
        accrue("export", "--tensorboard", self.folder / "out", "--db", self.log)
        logged = self.histograms()
        self.assertEqual(len(logged), 2 * 10)  # of LeNet-5
        accumulator = EventAccumulator(str(next((self.folder / "out").iterdir())), {"histograms": 0, "tensors": 0})
        accumulator.Reload()
        tags = accumulator.Tags()
        self.assertEqual(len(tags["histograms"]), len(logged))
        self.assertIn("gradients/conv1.weight", tags["histograms"])
        for (_, parameter, kind), expected in logged.items():
            events = accumulator.Histograms({"value": "parameters/", "gradient": "gradients/"}[kind] + parameter)
            self.assertEqual([event.step for event in events], [1, 2, 4])
            for event, (step, least, largest, mean, deviation, counts) in zip(events, expected):
                value = event.histogram_value
                self.assertEqual((value.min, value.max, value.bucket), (least, largest, counts))
                self.assertEqual(len(value.bucket_limit), 64 if least < largest else 1)
                self.assertEqual(value.num, sum(counts))
                self.assertAlmostEqual(value.sum / value.num, mean, places=12)
                self.assertAlmostEqual(value.sum_squares / value.num - mean ** 2, deviation ** 2, places=12)
                self.assertAlmostEqual(value.bucket_limit[-1], largest, places=12)
        # And back: the same bins.
        accrue("import", "--tensorboard", self.folder / "out", "--db", self.log)
        again = self.histograms()
        self.assertEqual(len(again), 2 * len(logged))
        for (_, parameter, kind), expected in logged.items():
            for one, other in zip(again[2, parameter, kind], expected):
                self.assertEqual((one[0], one[1], one[2], one[5]), (other[0], other[1], other[2], other[5]))

    def test_imports_histograms_of_torch_and_tensorboard(self):
        try:
            import numpy
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            self.skipTest(f"{sys.executable} has no torch ({error})")
        numbers = numpy.random.default_rng(7).standard_normal(10000).astype("float32")
        with SummaryWriter(str(self.folder / "logs")) as writer:
            for step in range(3):
                writer.add_histogram("fc.weight", numbers * (step + 1), step)
                writer.add_histogram("fc.weight.grad", numbers, step, bins=64)
                writer.add_histogram("alike", numpy.full(9, 2.5), step)
            writer.file_writer.add_summary(histogram_pb("dense/kernel", numbers, buckets=50), 2)
        accrue("import", "--tensorboard", self.folder / "logs", "--db", self.log)
        found = self.histograms()
        self.assertEqual(set(found), {(1, "fc.weight", "value"), (1, "fc.weight", "gradient"), (1, "alike", "value"),
                                      (1, "dense/kernel", "value")})
        for step, least, largest, mean, deviation, counts in found[1, "fc.weight", "value"]:
            scaled = numbers.astype("float64") * (step + 1)
            self.assertEqual(sum(counts), 10000)
            self.assertEqual(least, float(scaled.min().astype("float32")))
            self.assertAlmostEqual(mean, scaled.mean(), places=4)
            self.assertAlmostEqual(deviation, scaled.std(), places=3)
            # TensorBoard's buckets are a tenth of their distance from 0 wide: beside it the sums of counts agree.
            self.assertLess(abs(sum(counts[:32]) - numpy.histogram(scaled, 64)[0][:32].sum()), 200)
        expected = numpy.histogram(numbers, 64)[0].tolist()
        self.assertEqual([row[5] for row in found[1, "fc.weight", "gradient"]], [expected] * 3)
        self.assertEqual(found[1, "alike", "value"][0][5], [9])
        self.assertEqual(found[1, "dense/kernel", "value"][0][5], numpy.histogram(numbers.astype("float64"), 50)[0].tolist())
        accrue("doctor", "--check-log", "--db", self.log)

    def test_imports_what_torch_writes(self):
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            self.skipTest(f"{sys.executable} has no torch ({error})")
        with SummaryWriter(str(self.folder / "logs")) as writer:
            for step in range(50):
                writer.add_scalar("loss", 1 / (step + 1), step)
                writer.add_scalar("new", step / 7, step, new_style=True)
            writer.add_hparams({"lr": 0.1, "b": 32, "opt": "sgd", "flag": True}, {"hparam/accuracy": 0.9}, run_name="trial")
        accrue("import", "--tensorboard", self.folder / "logs", "--db", self.log)
        runs = self.runs()
        series = self.series()
        self.assertEqual(series[runs["logs"]["id"], "new"], [(step, float32(step / 7), 0) for step in range(50)])
        self.assertEqual(series[runs["trial"]["id"], "hparam/accuracy"][0][1], float32(0.9))
        self.assertEqual(runs["trial"]["settings"], {"lr": 0.1, "b": 32, "opt": "sgd", "flag": True})


if __name__ == "__main__":
    unittest.main(verbosity=2)
