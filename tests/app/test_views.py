#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The views of a run log (docs/run_log_format.md), read as other programs read them: of logs that earlier versions wrote they have
what `accrue export` says of the same runs, and the document's three lines for pandas, DuckDB and SQLite's shell do what they
promise. A line whose program is not installed is skipped."""

import csv
import importlib.util
import io
import math
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ACCRUE = Path(os.environ["ACCRUE_BIN"]) / "accrue"
SOURCE = Path(__file__).resolve().parents[2]
FORMATS = (1, 2, 5, 7)
LIMIT = 300  # seconds of one process


class Views(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, version):
        """The log of an earlier version, opened for writing once by this one."""
        self.log = self.folder / f"v{version}.db"
        connection = sqlite3.connect(self.log)
        connection.executescript((SOURCE / f"tests/data/run_log_v{version}.sql").read_text(encoding="utf-8"))
        connection.commit()
        connection.close()
        self.assertEqual(self.query("SELECT count(*) AS views FROM sqlite_schema WHERE type = 'view'"), [{"views": 0}])
        self.accrue("tag", "1", "+seen")

    def accrue(self, *words):
        return subprocess.run([ACCRUE, *words, "--db", self.log], capture_output=True, text=True, check=True, timeout=LIMIT).stdout

    def query(self, sql):
        connection = sqlite3.connect(self.log)
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute(sql)]
        connection.close()
        return rows

    def exported(self, *words):
        return list(csv.DictReader(io.StringIO(self.accrue("export", "--csv", "-", *words))))

    def assert_same(self, found, written, where):
        """A value of a view beside its text in CSV."""
        expected = float(written) if written else None
        if expected is None or math.isnan(expected):
            self.assertIsNone(found, where)
        else:
            self.assertEqual(found, expected, where)

    def test_values_of_every_metric_are_those_of_the_export(self):
        for version in FORMATS:
            with self.subTest(version=version):
                self.make(version)
                views = [self.query(f"SELECT * FROM {view} WHERE archived = 0") for view in ("v_steps", "v_epochs")]
                found = {(row["run"], row["step"], metric): value for rows in views for row in rows for metric, value in row.items()}
                written = {(int(row["run"]), int(row["step"]), row["metric"]): row["value"] for row in self.exported()
                           if row["rank"] == "0" and not row["metric"].startswith("traced_")}
                self.assertGreater(len(written), 100)
                for place, value in written.items():
                    self.assert_same(found[place], value, place)
                metrics = {metric for _, _, metric in written}
                values = {place for place, value in found.items() if place[2] in metrics and value is not None}
                self.assertEqual(values - set(written), set())  # nothing that a later attempt computed again

    def test_runs_are_those_of_the_wide_export(self):
        for version in FORMATS:
            with self.subTest(version=version):
                self.make(version)
                found = {str(row["run"]): row for row in self.query("SELECT * FROM v_runs WHERE archived = 0")}
                written = self.exported("--wide")
                self.assertEqual(set(found), {row["run"] for row in written})
                for row in written:
                    self.assertEqual(set(row) - set(found[row["run"]]), {"created", "ended"})  # created_ms, ended_ms
                    for column in ("name", "outcome", "attempt", "step", "plan.effective", "optimizer.name", "batch.micro"):
                        value = found[row["run"]][column]
                        self.assertEqual("" if value is None else str(value), row[column], column)
                    for column in row:
                        if re.search(r"\.(final|best|best_step|min|max)$", column) and column != "checkpoint.best":
                            self.assert_same(found[row["run"]][column], row[column], column)

    def lines_of_the_document(self):
        text = (SOURCE / "docs/run_log_format.md").read_text(encoding="utf-8")
        block = re.search(r"### Views\n.*?```sh\n(.*?)```", text, re.DOTALL).group(1)
        return {line.split()[0]: line.replace("runs.db", str(self.log)).replace("run = 12", "run = 1") for line in block.splitlines()}

    def run_line(self, program):
        self.make(7)
        line = self.lines_of_the_document()[program]
        if program == "python3":
            line = line.replace("python3", shlex.quote(sys.executable), 1)
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, timeout=LIMIT).stdout

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_the_line_for_pandas(self):
        printed = self.run_line("python3")
        self.assertIn("loss", printed)
        self.assertRegex(printed, r"(?m)^0\s+1\s+\d")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_pandas_reads_numbers_as_numbers(self):
        import pandas  # pylint: disable=import-outside-toplevel
        self.make(7)
        connection = sqlite3.connect(self.log)
        steps = pandas.read_sql("SELECT * FROM v_steps", connection)
        self.assertEqual(str(steps.loss.dtype), "float64")
        self.assertTrue(steps.loss.isna().any())  # of the run that diverged
        self.assertEqual(str(steps.step.dtype), "int64")
        runs = pandas.read_sql("SELECT * FROM v_runs", connection).set_index("run")
        self.assertEqual(str(runs["optimizer.lr"].dtype), "float64")
        self.assertEqual(steps.groupby("run").step.max()[1], runs.step[1])
        connection.close()

    @unittest.skipUnless(shutil.which("duckdb"), "DuckDB's shell is not installed")
    def test_the_line_for_duckdb(self):
        self.assertIn("avg", self.run_line("duckdb"))

    @unittest.skipUnless(shutil.which("sqlite3"), "SQLite's shell is not installed")
    def test_the_line_for_the_shell_of_sqlite(self):
        self.assertIn("optimizer.lr", self.run_line("sqlite3"))


if __name__ == "__main__":
    unittest.main()
