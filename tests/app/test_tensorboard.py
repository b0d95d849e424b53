#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Python's tensorboard reads what `accrue export --tensorboard` writes, and `accrue import --tensorboard` what tensorboard and
torch.utils.tensorboard write: each value, step, time and setting.

    ACCRUE_BIN=build/release/bin [ACCRUE_PYTHON=VENV/bin/python] tests/app/test_tensorboard.py

Skipped (77) where neither ACCRUE_PYTHON nor this Python has the package: `pip install tensorboard` into a venv.
"""

import csv
import io
import json
import os
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
