#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes runs as one of four programs stores them, and reads all values back into lists, in a process of its own.

    readers.py Accrue|TensorBoard|MLflow|Aim FOLDER RUNS STEPS write|read

`read` prints {"seconds": …, "values": …}: the time includes opening, not importing.
"""
import json
import math
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

METRICS = ("loss", "accuracy", "learning_rate", "gradient_norm", "step_ms")


def value(run, metric, step):
    return math.sin(run + 0.1 * step) + METRICS.index(metric)


class Accrue:
    def __init__(self, folder):
        import accrue
        self.module = accrue
        self.log = str(folder / "runs.db")

    def write(self, runs, steps):
        for number in range(runs):
            with self.module.Run(name=f"run {number}", db=self.log) as run:
                for step in range(1, steps + 1):
                    run.log(step=step, **{metric: value(number, metric, step) for metric in METRICS})

    def read(self):
        # As docs/run_log_format.md describes the file: any SQLite program reads it.
        log = sqlite3.connect(f"file:{self.log}?mode=ro", uri=True)
        found = {}
        for table in ("steps", "epochs", "evaluations"):
            own = [name for name in (row[1] for row in log.execute(f"PRAGMA table_info({table})")) if name in METRICS]
            for name in own:
                for run, step, each in log.execute(f"SELECT run_id, step, {name} FROM {table} WHERE {name} IS NOT NULL"
                                                   " ORDER BY run_id, step"):
                    found.setdefault((run, name), []).append((step, each))
        for run, step, name, each in log.execute("SELECT run_id, step, metric, value FROM metric_values ORDER BY run_id, step"):
            found.setdefault((run, name), []).append((step, each))
        return list(found.values())


class TensorBoard:
    def __init__(self, folder):
        from tensorboard.backend.event_processing import event_accumulator
        self.accumulator = event_accumulator
        self.folder = folder

    def write(self, runs, steps):
        from tensorboard.compat.proto import event_pb2, summary_pb2
        from tensorboard.summary.writer.event_file_writer import EventFileWriter
        for number in range(runs):
            writer = EventFileWriter(str(self.folder / f"run-{number}"))
            for step in range(1, steps + 1):
                for metric in METRICS:
                    each = summary_pb2.Summary.Value(tag=metric, simple_value=value(number, metric, step))
                    writer.add_event(event_pb2.Event(wall_time=time.time(), step=step,
                                                     summary=summary_pb2.Summary(value=[each])))
            writer.close()

    def read(self):
        found = []
        for folder in sorted(self.folder.iterdir()):
            events = self.accumulator.EventAccumulator(str(folder), size_guidance={"scalars": 0})
            events.Reload()
            found += [[(each.step, each.value) for each in events.Scalars(metric)] for metric in METRICS]
        return found


class MLflow:
    def __init__(self, folder):
        from mlflow.tracking import MlflowClient
        self.client = MlflowClient(tracking_uri=f"sqlite:///{folder}/mlflow.db")

    def write(self, runs, steps):
        from mlflow.entities import Metric
        for number in range(runs):
            run = self.client.create_run("0", run_name=f"run {number}").info.run_id
            values = [Metric(metric, value(number, metric, step), 0, step) for step in range(1, steps + 1) for metric in METRICS]
            for begin in range(0, len(values), 1000):
                self.client.log_batch(run, metrics=values[begin:begin + 1000])
            self.client.set_terminated(run)

    def read(self):
        runs = self.client.search_runs(["0"], max_results=50000)
        return [[(each.step, each.value) for each in self.client.get_metric_history(run.info.run_id, metric)]
                for run in runs for metric in METRICS]


class Aim:
    def __init__(self, folder):
        import aim
        self.module = aim
        self.folder = str(folder)

    def write(self, runs, steps):
        for number in range(runs):
            run = self.module.Run(repo=self.folder, system_tracking_interval=None, log_system_params=False)
            for step in range(1, steps + 1):
                for metric in METRICS:
                    run.track(value(number, metric, step), name=metric, step=step)
            run.close()
        # Runs are listed from an index, which its server makes in the background.
        subprocess.run([Path(sys.executable).with_name("aim"), "storage", "--repo", self.folder, "reindex", "--yes"], check=True)

    def read(self):
        found = []
        for run in self.module.Repo(self.folder).iter_runs():
            for metric in run.metrics():
                if metric.name in METRICS:
                    indices, values = metric.values.sparse_list()
                    found.append(list(zip(indices, values)))
        return found


def main():
    name, folder, runs, steps, what = sys.argv[1:]
    side = globals()[name](Path(folder))
    if what == "write":
        side.write(int(runs), int(steps))
        return
    begin = time.monotonic()
    series = side.read()
    seconds = time.monotonic() - begin
    print(json.dumps({"seconds": seconds, "values": sum(len(each) for each in series)}))


if __name__ == "__main__":
    main()
