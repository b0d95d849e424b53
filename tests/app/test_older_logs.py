#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs as earlier versions wrote them (tests/data/run_log_v*.sql): the program lists, compares, exports and checks each as it is, brings
it to the newest format without changing what was logged, and resumes its runs."""

import hashlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

ACCRUE = Path(os.environ.get("ACCRUE_BIN", "")) / "accrue"
DATA = Path(__file__).resolve().parents[1] / "data"
LIMIT = 300  # seconds of one process
NEWEST = 10  # format

# Format: the runs, newest first, as (id, state, outcome, step), and the SHA-256 of the CSV of all that they logged, which the
# versions gave that wrote these logs.
TWO_RUNS = ([(2, "interrupted", None, 12), (1, "finished", "completed", 20)],
            "ef981907def1619c8c6bf2496ba7a04cb53efb578d4ec7141a9cc78a725fde04")
THREE_RUNS = ([(4, "finished", "completed", 20), (2, "interrupted", None, 12), (1, "finished", "completed", 20)],
              "533a955c46e2e897cc57f32fd963b7e4af576d78f2085a8caf0345e8494ba224")
LOGS = {
    1: TWO_RUNS,
    2: TWO_RUNS,
    3: TWO_RUNS,
    4: TWO_RUNS,
    5: THREE_RUNS,
    6: ([(4, "finished", "completed", 20), (2, "unknown", None, 12), (1, "finished", "completed", 20)],  # of another machine
        THREE_RUNS[1]),
    7: ([(4, "finished", "out_of_memory", 0), (3, "finished", "diverged", 4), (2, "finished", "completed", 8),
         (1, "finished", "completed", 6)],
        "0de16f879c7711c4608fe068b096b6c5437e3060714bc60e530a6d3dd38f2294"),
}


class TestOlderLogs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = self.folder / "runs.db"

    def make(self, version):
        """The log, as if this machine had written it."""
        connection = sqlite3.connect(self.log)
        connection.executescript((DATA / f"run_log_v{version}.sql").read_text(encoding="utf-8"))
        if version < 6:  # later ones have checksums
            connection.execute("UPDATE runs SET host = ?", (socket.gethostname(),))
        connection.commit()
        connection.close()
        checkpoints = DATA / f"run_log_v{version}.checkpoints"
        if checkpoints.exists():
            shutil.copytree(checkpoints, self.folder / "runs.checkpoints")

    def call(self, *words, code=0, language="en"):
        environment = {**os.environ, "GOMP_SPINCOUNT": "0", "ACCRUE_LANG": language}
        for name in ("DATA", "CONFIG", "CACHE"):
            environment[f"XDG_{name}_HOME"] = str(self.folder / name.lower())
        done = subprocess.run([ACCRUE, *words, "--db", self.log], capture_output=True, text=True, env=environment,
                              cwd=self.folder, timeout=LIMIT)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def version(self):
        connection = sqlite3.connect(f"file:{self.log}?mode=ro", uri=True)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.close()
        return version

    def exported(self, runs):
        self.call("export", "--csv", "values.csv", "--runs", *(str(run) for run, *_ in runs))
        lines = (self.folder / "values.csv").read_bytes().splitlines(keepends=True)
        self.assertTrue(lines[0].endswith(b",rank\r\n") or lines[0].endswith(b",rank\n"), lines[0])
        # Those versions had no column for the rank that measured a value; all were of one rank.
        without = [line.rpartition(b",")[0] + line[len(line.rstrip()):] for line in lines]
        self.assertEqual({line.rstrip().rpartition(b",")[2] for line in lines[1:]}, {b"0"})
        return hashlib.sha256(b"".join(without)).hexdigest()

    def assert_reads(self, runs, digest):
        listed = json.loads(self.call("list", "--all", "--json"))
        self.assertEqual([(run["id"], run["state"], run["outcome"], run["step"]) for run in listed], runs)
        for run, *_ in runs:
            self.assertEqual(json.loads(self.call("show", str(run), "--json"))["id"], run)
        compared = json.loads(self.call("compare", "1", "2", "--json"))
        self.assertTrue(compared)
        # Before format 9 the data are described by a text alone, which each language shows.
        described = json.loads(self.call("show", "1", "--json"))["data"]
        self.assertIn(described, self.call("show", "1", language="zh_CN"))
        self.assertEqual(self.exported(runs), digest)

    def assert_kept(self, version):
        runs, digest = LOGS[version]
        self.make(version)
        self.assert_reads(runs, digest)
        self.assertEqual(self.version(), version)
        self.call("note", "1", "brought up to date")
        self.assertEqual(self.version(), NEWEST)
        self.assertEqual(Path(f"{self.log}.backup-v{version}").exists(), version < NEWEST)
        self.assert_reads(runs, digest)
        self.assertIn("match their checksums", self.call("doctor", "--check-log"))

    def test_each_format_is_read_and_brought_up_to_date(self):
        for version in LOGS:
            with self.subTest(format=version):
                self.setUp()
                self.assert_kept(version)

    def test_a_run_that_was_cut_off_is_trained_anew_from_each_format(self):
        for version in range(1, 6):  # that of format 6 was written by another machine
            with self.subTest(format=version):
                self.setUp()
                self.make(version)
                self.call("resume", "2", "--set", "run.limit_steps=20")
                run = json.loads(self.call("show", "2", "--json"))
                self.assertEqual((run["outcome"], run["attempt"]), ("completed", 2))
                self.call("doctor", "--check-log")

    def test_a_run_of_format_7_is_made_longer_from_its_checkpoint(self):
        self.make(7)
        self.call("resume", "2", "--set", "run.limit_steps=10")
        run = json.loads(self.call("show", "2", "--json"))
        self.assertEqual((run["outcome"], run["attempt"], run["step"]), ("completed", 3, 10))
        self.call("doctor", "--check-log")
        self.call("doctor", "--check-checkpoints")


if __name__ == "__main__":
    unittest.main()
