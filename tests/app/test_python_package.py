#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that any Python script logs with app/python/accrue.py: what a script may call, killed writers, many writers, refusals, ranks,
and what Accrue makes of them.

    ACCRUE_KILLS=1000 ACCRUE_SEED=7 tests/app/test_python_package.py Killed
"""

import csv
import json
import math
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "app" / "python"
BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ACCRUE = BIN / "accrue"
HAS_ENGINE = (BIN / "libaccrue_engine.so").exists()
KILLS = int(os.environ.get("ACCRUE_KILLS", "25"))
SEED = int(os.environ.get("ACCRUE_SEED", "1"))
LIMIT = 300  # seconds of one process

sys.path.insert(0, str(PACKAGE))
import accrue  # noqa: E402  pylint: disable=wrong-import-position


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="accrue python "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = self.folder / "runs.db"

    def environment(self, **changes):
        path = os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")]))  # pandas may be there
        variables = {**os.environ, "PYTHONPATH": path, "GOMP_SPINCOUNT": "0", "ACCRUE_LANG": "en", "LOG": str(self.log)}
        for name in ("DATA", "CONFIG", "CACHE"):
            variables[f"XDG_{name}_HOME"] = str(self.folder / name.lower())
        for name in ("RANK", "WORLD_SIZE", "GROUP_RANK", "ACCRUE_RUN_KEY"):
            variables.pop(name, None)
        return {**variables, **{name: str(value) for name, value in changes.items()}}

    def start(self, code, **variables):
        """A Python script; `accrue`, `log` (a path) and `Run` (in that log) are at hand."""
        head = "import accrue, os, sys\nlog = os.environ['LOG']\ndef Run(**more):\n    return accrue.Run(db=log, **more)\n"
        return subprocess.Popen([sys.executable, "-c", head + textwrap.dedent(code)], env=self.environment(**variables), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)

    def script(self, code, code_of_exit=0, **variables):
        script = self.start(code, **variables)
        output, errors = script.communicate(timeout=LIMIT)
        self.assertEqual(script.returncode, code_of_exit, output + errors)
        return output, errors

    def call(self, *words, code=0):
        done = subprocess.run([ACCRUE, *map(str, words), "--db", self.log], capture_output=True, text=True, env=self.environment(),
                              cwd=self.folder, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def query(self, sql, *values):
        connection = sqlite3.connect(f"file:{self.log}?mode=ro", uri=True)
        rows = connection.execute(sql, values).fetchall()
        connection.close()
        return rows

    def run_of(self, number=1):
        return json.loads(self.call("show", number, "--json"))

    def require_whole(self):
        self.call("doctor", "--check-log")

    def values(self, number, metric, rank=0):
        return self.query("SELECT step, value FROM metric_values WHERE run_id = ? AND metric = ? AND rank = ? ORDER BY step, micro_batches",
                          number, metric, rank)


class Logging(Case):
    def test_what_a_script_logs_is_in_the_log_and_accrue_shows_it(self):
        self.script("""
            with Run(name="my loop", settings={"batch": {"micro": 8}, "lr": 0.1, "nesterov": True, "widths": [64, 32], "data": None},
                     tags=["baseline", "mnist"], note="first try") as run:
                for step in range(1, 201):
                    run.log(step=step, loss=1 / step, **{"grad/norm": step * 0.5})
                run.log(epoch=1, test_accuracy=0.75)
                run.log({"test_accuracy": 0.7}, epoch=2, step=400)
        """)
        run = self.run_of()
        self.assertEqual((run["name"], run["state"], run["outcome"], run["step"], run["epoch"]), ("my loop", "finished", "completed", 400, 2))
        self.assertEqual((run["tags"], run["note"]), (["baseline", "mnist"], "first try"))
        self.assertEqual(run["settings"], {"batch.micro": 8, "data": "none", "lr": 0.1, "nesterov": True, "widths": "[64, 32]"})
        self.assertEqual(run["best"], {"metric": "test_accuracy", "value": 0.75, "step": 200})
        self.assertEqual(self.values(1, "loss"), [(step, 1 / step) for step in range(1, 201)])
        self.assertEqual(self.values(1, "grad/norm")[-1], (200, 100.0))
        self.require_whole()

    def test_numbers_of_any_kind_and_those_that_are_not_finite(self):
        self.script("""
            class Tensor:
                shape = ()
                def __float__(self):
                    return 0.25
            import decimal, fractions
            with Run() as run:
                for step, value in enumerate((1, True, Tensor(), decimal.Decimal("0.5"), fractions.Fraction(1, 3), float("nan"),
                                              float("inf"), -float("inf"), -0.0, 5e-324, 2**70)):
                    run.log(step=step, loss=value)
        """)
        stored = [value for _, value in self.values(1, "loss")]
        self.assertEqual(stored, [1.0, 1.0, 0.25, 0.5, 1 / 3, "nan", "inf", "-inf", 0.0, 5e-324, float(2**70)])
        self.assertEqual(math.copysign(1, stored[8]), -1)
        self.assertEqual({type(value) for value in stored}, {float, str})
        self.require_whole()

    def test_steps_are_counted_where_none_is_given(self):
        self.script("""
            with Run() as run:
                for _ in range(3):
                    run.log(loss=1.0)
                run.log(epoch=1, step=None, test_loss=2.0)
                run.log(loss=1.0)
        """)
        self.assertEqual([step for step, _ in self.values(1, "loss")], [1, 2, 3, 4])
        self.assertEqual(self.values(1, "test_loss"), [(3, 2.0)])

    def test_values_may_come_in_any_order_and_the_last_of_a_place_counts(self):
        self.script("""
            import random
            draw = random.Random(3)
            with Run() as run:
                for _ in range(3000):
                    run.log(step=draw.randrange(500), loss=draw.random(), test_accuracy=draw.random(), unknown=draw.random())
                    if draw.random() < 0.02:
                        run.flush()
        """)
        self.require_whole()  # sums are computed again from the rows

    def test_what_is_not_a_number_a_place_or_a_name_is_one_sentence_that_names_it(self):
        output, _ = self.script("""
            class Tensor:
                shape = (3,)
                def __float__(self):
                    raise RuntimeError("a Tensor with 3 elements cannot be converted to Scalar")
            run = Run()
            calls = [lambda: run.log(loss=Tensor()), lambda: run.log(loss=None), lambda: run.log(loss="a"), lambda: run.log(step=-1, loss=1),
                     lambda: run.log(step=1.5, loss=1), lambda: run.log({"": 1}), lambda: run.log({"a\\nb": 1}), lambda: run.log({3: 1}),
                     lambda: run.log(epoch=float("nan")), lambda: run.tag("two words,"), lambda: run.tag("+"), lambda: run.end("done"),
                     lambda: run.note("x" * 2_000_000), lambda: Run(name="two\\nlines"), lambda: Run(name="x" * 201),
                     lambda: Run(tags="+a"), lambda: Run(settings={"a\\nb": 1})]
            for call in calls:
                try:
                    call()
                except (TypeError, ValueError) as error:
                    print(str(error).replace("\\n", "<line break>"))
                else:
                    print("nothing")
        """)
        said = output.splitlines()
        self.assertEqual(len(said), 17)
        for text in said:
            self.assertRegex(text, r"^[^<]+[.]$")
        self.assertIn("'loss' is a Tensor of shape (3,), not one number", said[0])
        self.assertIn("step is -1; it is a whole number from 0", said[3])
        self.assertEqual(len(self.query("SELECT 1 FROM metric_values")), 0)

    def test_notes_and_tags_change_while_it_runs(self):
        self.script("""
            with Run(tags="draft a") as run:
                run.tag("b", "-draft")
                run.note("zwölf 十二")
                run.log(loss=1.0)
        """)
        run = self.run_of()
        self.assertEqual((run["tags"], run["note"]), (["a", "b"], "zwölf 十二"))
        self.require_whole()

    def test_two_runs_at_once_in_one_process(self):
        self.script("""
            import threading
            a, b = Run(name="a"), Run(name="b")
            def work(run):
                for step in range(1, 501):
                    run.log(step=step, loss=step)
            threads = [threading.Thread(target=work, args=(run,)) for run in (a, b, a)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            a.end()
            b.log(step=501, loss=0)
            b.end("stopped", "enough")
        """)
        self.assertEqual(len(self.values(1, "loss")), 500)
        self.assertEqual((self.run_of(2)["outcome"], self.run_of(2)["step"]), ("stopped", 501))
        self.require_whole()

    def test_logging_costs_microseconds(self):
        output, _ = self.script("""
            import time
            run = Run()
            took = []
            for step in range(1, 20001):
                began = time.perf_counter()
                run.log(step=step, loss=0.5, accuracy=0.5)
                took.append(time.perf_counter() - began)
            print(sorted(took)[len(took) // 2])
        """)
        self.assertLess(float(output), 50e-6)


class Endings(Case):
    def ending(self, code, exit_code=0):
        self.script(code, exit_code)
        run = self.run_of(self.query("SELECT max(id) FROM runs")[0][0])
        self.require_whole()
        return run["outcome"], (run["message"] or {}).get("text", "") if isinstance(run["message"], dict) else run["message"] or ""

    def test_with_says_how_it_ended(self):
        raising = "try:\n    with Run() as run:\n        run.log(loss=1.0)\n        raise {}\nexcept BaseException:\n    pass\n"
        self.assertEqual(self.ending("with Run() as run:\n    run.log(loss=1.0)\n"), ("completed", ""))
        self.assertEqual(self.ending(raising.format("ValueError('two\\nlines')")), ("failed", "ValueError: two lines"))
        self.assertEqual(self.ending(raising.format("KeyboardInterrupt")), ("stopped", "Stopped by Ctrl-C."))
        self.assertEqual(self.ending(raising.format("MemoryError('no')")), ("out_of_memory", "MemoryError: no"))
        self.assertEqual(self.ending(raising.format("SystemExit(0)")), ("completed", ""))
        self.assertEqual(self.ending(raising.format("SystemExit(3)")), ("failed", "The script ended with exit code 3."))

    def test_so_does_the_end_of_the_script_without_with(self):
        self.assertEqual(self.ending("run = Run()\nrun.log(loss=1.0)\n"), ("completed", ""))
        self.assertEqual(self.ending("run = Run()\nrun.log(loss=1.0)\n1 / 0\n", 1), ("failed", "ZeroDivisionError: division by zero"))
        self.assertEqual(self.values(2, "loss"), [(1, 1.0)])

    def test_ctrl_c_ends_it_as_stopped(self):
        script = self.start("""
            run = Run()
            run.log(loss=1.0)
            run.flush()
            print("ready", flush=True)
            import time
            time.sleep(60)
        """)
        script.stdout.readline()
        script.send_signal(signal.SIGINT)
        script.communicate(timeout=LIMIT)
        self.assertEqual((self.run_of()["state"], self.run_of()["outcome"]), ("finished", "stopped"))
        self.require_whole()

    def test_a_run_that_has_ended_logs_no_more(self):
        _, errors = self.script("run = Run()\nrun.end()\nrun.end()\nrun.log(loss=1.0)\n", 1)
        self.assertIn("Run #1 has ended; begin another one to log more.", errors)

    def test_forked_children_neither_keep_a_run_alive_nor_end_it(self):
        output, _ = self.script("""
            import multiprocessing, signal, time
            run = Run()
            run.log(loss=1.0)
            run.flush()
            child = os.fork()
            if child == 0:
                try:
                    run.log(loss=2.0)
                except accrue.LogError as error:
                    print(error, flush=True)
                time.sleep(3)
                sys.exit(0)  # with atexit
            print(child, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        """, -signal.SIGKILL)
        self.assertIn("This run belongs to process", output)
        self.assertEqual(self.run_of()["state"], "interrupted")
        self.assertEqual(len(self.values(1, "loss")), 1)
        self.require_whole()


class Killed(Case):
    WRITER = """
        import random
        draw = random.Random(int(os.environ["SEED"]))
        run = Run(settings={"a": 1, "b": "two"}, tags="killed")
        step = 0
        print(run.id, 0, flush=True)
        while True:
            for _ in range(draw.randrange(1, 300)):
                step += 1
                run.log(step=step, loss=step * 0.5, other=-step)
            if draw.random() < 0.3:
                run.log(epoch=step // 500, test_accuracy=draw.random())
            if draw.random() < 0.1:
                run.note("note %d" % step)
            if draw.random() < 0.8:
                run.flush()
                print(run.id, step, flush=True)
            if draw.random() < 0.05:
                run.end()
                run = Run(name="another")
                step = 0
                print(run.id, 0, flush=True)
    """

    def test_nothing_that_was_acknowledged_is_lost_and_the_file_is_whole(self):
        draw = random.Random(SEED)
        acknowledged = {}
        for kill in range(KILLS):
            writer = self.start(self.WRITER, SEED=draw.randrange(10**6))
            time.sleep(draw.random() ** 2 * 1.5)  # many of them while it starts and makes its file
            writer.kill()
            output, _ = writer.communicate(timeout=LIMIT)
            for line in output.splitlines(keepends=True):
                if line.endswith("\n"):
                    run, step = map(int, line.split())
                    acknowledged[run] = step
            if self.log.exists():
                self.require_whole()
            with self.subTest(kill=kill):
                for run, step in acknowledged.items():
                    stored = self.values(run, "loss")
                    self.assertGreaterEqual(len(stored), step)
                    self.assertEqual(stored, [(at, at * 0.5) for at in range(1, len(stored) + 1)])
        self.assertTrue(acknowledged)
        self.assertNotIn("running", {run["state"] for run in json.loads(self.call("list", "--json"))})


class Together(Case):
    def test_processes_and_accrue_itself_write_at_once(self):
        writers = [self.start("""
            import time
            with Run(name="writer") as run:
                for step in range(1, 1501):
                    run.log(step=step, loss=step, a=1, b=2)
                    if step % 100 == 0:
                        run.flush()
        """) for _ in range(4)]
        trained = [subprocess.Popen([ACCRUE, "train", "first-run", "--set", "run.limit_steps=60", "--set", "run.device=cpu", "--set",
                                     "run.threads=1", "--db", self.log], env=self.environment(), stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True) for _ in range(2)] if HAS_ENGINE else []
        for process in writers + trained:
            _, errors = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 0, errors)
        runs = json.loads(self.call("list", "--json"))
        self.assertEqual(len(runs), 4 + len(trained))
        self.assertEqual({run["outcome"] for run in runs}, {"completed"})
        for run in runs:
            if run["name"] == "writer":
                self.assertEqual(len(self.values(run["id"], "loss")), 1500)
        self.require_whole()

    def test_a_run_that_is_renamed_or_deleted_while_it_is_logged(self):
        script = self.start("""
            run = Run(name="before")
            run.log(loss=1.0)
            run.flush()
            print("ready", flush=True)
            sys.stdin = open("/dev/stdin")
            import time
            for step in range(2, 100):
                run.log(step=step, loss=1.0)
                time.sleep(0.02)
        """)
        script.stdout.readline()
        self.call("rename", "1", "after")
        self.call("tag", "1", "+seen")
        _, errors = script.communicate(timeout=LIMIT)
        self.assertEqual(script.returncode, 0, errors)
        run = self.run_of()
        self.assertEqual((run["name"], run["tags"], run["step"]), ("after", ["seen"], 99))
        self.require_whole()

    def test_ranks_log_into_the_run_of_rank_0(self):
        code = """
            import time
            run = Run(settings={"lr": 0.1})
            for step in range(1, 301):
                run.log(step=step, loss=1.0 + run.rank, wait_ms=step)
                if step % 50 == 0:
                    run.flush()
            run.note("of rank %d" % run.rank)
            run.flush()
            while run.rank == 0 and not os.path.exists("done"):
                time.sleep(0.05)
            run.end()
        """
        ranks = [self.start(code, RANK=rank, WORLD_SIZE=3) for rank in range(3)]
        for rank in (1, 2):
            _, errors = ranks[rank].communicate(timeout=LIMIT)
            self.assertEqual(ranks[rank].returncode, 0, errors)
        (self.folder / "done").touch()
        _, errors = ranks[0].communicate(timeout=LIMIT)
        self.assertEqual(ranks[0].returncode, 0, errors)
        self.assertEqual(len(json.loads(self.call("list", "--json"))), 1)
        for rank in range(3):
            self.assertEqual(self.values(1, "loss", rank), [(step, 1.0 + rank) for step in range(1, 301)])
        self.assertEqual(self.run_of()["note"], "of rank 0")
        self.require_whole()

    def test_a_rank_of_another_machine_trains_on_without_a_log(self):
        output, errors = self.script("run = Run()\nrun.log(loss=1.0)\nrun.flush()\nrun.end()\nprint('done')\n", RANK=8, GROUP_RANK=1)
        self.assertEqual(output, "done\n")
        self.assertIn("Rank 8 logs nothing: it is on another machine than rank 0", errors)
        self.assertFalse(self.log.exists())


class Files(Case):
    def refused(self, code="run = Run()\n", **variables):
        _, errors = self.script("try:\n    " + code.replace("\n", "\n    ") + "\nexcept accrue.LogError as error:\n"
                                "    print(error, file=sys.stderr)\n    sys.exit(7)\n", 7, **variables)
        said = errors.strip()
        self.assertNotIn("\n", said)
        self.assertRegex(said, r"[.]$")
        return said

    @unittest.skipUnless(HAS_ENGINE, "this build trains nothing")
    def test_a_log_that_it_makes_has_the_tables_of_one_that_accrue_makes(self):
        def schema(log):
            self.log = log
            return (self.query("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'view' ORDER BY type, name"),
                    [self.query(f"PRAGMA {name}") for name in ("user_version", "application_id", "journal_mode", "page_size", "encoding")])
        self.log = self.folder / "accrue.db"
        self.call("train", "first-run", "--set", "run.limit_steps=1", "--set", "run.device=cpu")
        ours = self.log
        self.log = self.folder / "script.db"
        self.script("Run().end()\n")
        self.assertEqual(schema(self.log), schema(ours))

    def test_what_is_no_log_of_this_format_is_refused_and_left_alone(self):
        self.script("Run().end()\n")
        whole = self.log.read_bytes()
        cases = {
            "newer": (lambda db: db.execute("PRAGMA user_version = 999"), "has format 999, so a newer version of Accrue wrote it"),
            "older": (lambda db: db.execute("PRAGMA user_version = 8"), "has the older format 8"),
            "foreign": (lambda db: db.execute("PRAGMA application_id = 7"), "is a database of another program"),
            "triggers": (lambda db: db.execute("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM steps; END"), "has triggers"),
        }
        for name, (change, sentence) in cases.items():
            with self.subTest(name):
                self.log = self.folder / f"{name}.db"
                self.log.write_bytes(whole)
                db = sqlite3.connect(self.log, isolation_level=None)
                change(db)
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                db.close()
                before = self.log.read_bytes()
                self.assertIn(sentence, self.refused())
                self.assertEqual(self.log.read_bytes(), before)
                self.assertFalse(Path(f"{self.log}-lock").exists())

    def test_files_that_are_no_database_and_places_that_cannot_be_written(self):
        self.log.write_text("not a database, but long enough to have a header " * 40)
        self.assertIn("is not a database", self.refused())
        self.log = self.folder
        self.assertIn("is not a regular file", self.refused())
        (self.folder / "file").touch()
        self.log = self.folder / "file" / "runs.db"
        self.assertIn("cannot be created", self.refused())
        self.log = self.folder / "far.db"
        self.assertIn("is on a network file system (NFS)", self.refused("accrue._file_system_type = lambda _: 0x6969\nRun()\n"))
        self.assertFalse(self.log.exists())

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_may_not_be_written(self):
        (self.folder / "closed").mkdir(mode=0o500)
        self.log = self.folder / "closed" / "runs.db"
        self.assertIn("is in a folder that cannot be written", self.refused())

    def test_a_full_disk_is_one_sentence_and_loses_nothing(self):
        mounted = self.folder / "small"
        mounted.mkdir()
        self.log = mounted / "runs.db"
        code = """
            run = Run()
            run.log(step=1, loss=1.0)
            run.flush()
            filler = open(os.path.dirname(log) + "/filler", "wb", buffering=0)
            try:
                while filler.write(bytes(4096)) == 4096:
                    pass
            except OSError:
                pass
            for step in range(2, 5001):
                run.log(step=step, loss=step)
            try:
                run.flush()
            except accrue.LogError as error:
                print(error, flush=True)
            try:
                accrue.Run(db=os.path.dirname(log) + "/other.db")
            except accrue.LogError as error:
                print(error, flush=True)
            os.remove(filler.name)
            filler.close()
            run.end()
            import sqlite3
            print(sqlite3.connect(log).execute("SELECT count(*) FROM metric_values").fetchone()[0])
            print(sqlite3.connect(log).execute("SELECT outcome FROM runs").fetchone()[0])
        """
        head = "import accrue, os, sys\nlog = os.environ['LOG']\ndef Run(**more):\n    return accrue.Run(db=log, **more)\n"
        mount = 'mount -t tmpfs -o size=1m none "$0" || exit 77; exec "$@"'
        done = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", mount, mounted, sys.executable, "-c",
                               head + textwrap.dedent(code)], env=self.environment(), text=True, capture_output=True,
                              timeout=LIMIT, check=False)
        if done.returncode in (1, 77) and "accrue" not in done.stderr.split("\n")[-1] and "Traceback" not in done.stderr:
            self.skipTest(f"no disk of a size can be mounted here: {done.stderr}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = done.stdout.splitlines()
        self.assertEqual(said[0], f"The run log {self.log} cannot grow: the disk is full. Free some space.")
        self.assertIn("other.db cannot grow: the disk is full", said[1])
        self.assertEqual(said[2:], ["5000", "completed"])
        self.assertIn("What is logged meanwhile waits in memory.", done.stderr)
        self.assertIn("can be written again; nothing is lost", done.stderr)

    def test_a_log_that_is_deleted_is_put_back_and_one_that_is_moved_is_waited_for(self):
        _, errors = self.script("""
            import time
            run = Run()
            run.log(step=1, loss=1.0)
            run.flush()
            for suffix in ("", "-wal", "-shm", "-lock"):
                os.remove(log + suffix)
            run.log(step=2, loss=2.0)
            run.flush()
            os.rename(log, log + ".away")
            run.log(step=3, loss=3.0)
            try:
                run.flush()
            except accrue.LogError as error:
                print(error, file=sys.stderr)
            os.rename(log + ".away", log)
            run.flush()
            run.end()
        """)
        self.assertIn("was moved away while it was open. Move it back to its place.", errors)
        self.assertEqual(self.values(1, "loss"), [(1, 1.0), (2, 2.0), (3, 3.0)])
        self.assertEqual(self.run_of()["outcome"], "completed")
        markers = [text for text, in self.query("SELECT text FROM markers WHERE kind = 'message'")]
        self.assertEqual(len(markers), 1)
        self.assertIn("was deleted while this run was writing to it", markers[0])
        self.require_whole()

    def test_another_file_in_its_place_is_not_touched(self):
        self.script("Run(name='other').end()\n")
        other = self.log.rename(self.folder / "other.db")
        before = other.read_bytes()
        _, errors = self.script("""
            run = Run()
            run.log(step=1, loss=1.0)
            run.flush()
            os.rename(log, log + ".mine")
            os.rename(os.path.dirname(log) + "/other.db", log)
            run.log(step=2, loss=2.0)
            try:
                run.flush()
            except accrue.LogError as error:
                print(error, file=sys.stderr)
            os.rename(log, os.path.dirname(log) + "/other.db")
            os.rename(log + ".mine", log)
            run.end()
        """)
        self.assertIn("was replaced by another file while a run was writing to it", errors)
        self.assertEqual(other.read_bytes(), before)
        self.assertEqual(self.values(1, "loss"), [(1, 1.0), (2, 2.0)])
        self.require_whole()

    def test_a_run_is_running_while_its_process_lives_and_interrupted_after_a_kill(self):
        script = self.start("""
            run = Run()
            run.log(loss=1.0)
            run.flush()
            print("ready", flush=True)
            import time
            time.sleep(60)
        """)
        script.stdout.readline()
        self.assertEqual(self.run_of()["state"], "running")
        script.kill()
        script.communicate()
        self.assertEqual(self.run_of()["state"], "interrupted")

    def test_the_example_is_a_loop_of_pytorch_whose_run_stands_beside_those_of_accrue(self):
        python = os.environ.get("ACCRUE_PYTHON", sys.executable)
        if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode != 0:
            self.skipTest(f"{python} has no torch")
        done = subprocess.run([python, PACKAGE / "examples" / "accumulation.py", "--db", self.log, "--micro", "8", "--steps", "8"],
                              env=self.environment(OMP_NUM_THREADS=1), capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        run = self.run_of()
        self.assertEqual((run["name"], run["outcome"], run["step"], run["epoch"]), ("accumulation", "completed", 160, 5))
        self.assertEqual((run["samples"], run["micro_batches"]), (10_000, 1250))
        self.assertEqual({key: run["settings"][key] for key in ("batch.micro", "batch.steps", "batch.effective")},
                         {"batch.micro": 8, "batch.steps": 8, "batch.effective": 64})
        self.assertGreater(run["best"]["value"], 0.9)
        losses = [loss for _, loss in self.values(1, "loss")]
        self.assertLess(losses[-1], losses[0] / 4)
        self.require_whole()

    def test_pip_installs_it_without_the_network(self):
        copy = shutil.copytree(PACKAGE, self.folder / "package")
        target = self.folder / "site"
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--target", target, copy], capture_output=True,
                              text=True, env=self.environment(PYTHONPATH=""), timeout=LIMIT, check=False)
        if "No module named pip" in done.stderr:
            self.skipTest("this Python has no pip")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.script("run = Run()\nrun.log(loss=1.0)\nrun.end()\nassert 'site' in accrue.__file__\n", PYTHONPATH=target)
        self.assertEqual(self.values(1, "loss"), [(1, 1.0)])


def has_pandas():
    return subprocess.run([sys.executable, "-c", "import pandas"], capture_output=True, check=False).returncode == 0


class Reading(Case):
    def frame(self, expression):
        """What a script gets from `expression`, as a CSV of pandas."""
        output, _ = self.script(f"print({expression}.to_csv())")
        return list(csv.DictReader(output.strip().splitlines()))

    def test_without_pandas_it_says_what_to_install(self):
        self.script("Run().end()\n")
        output, _ = self.script("sys.modules['pandas'] = None\ntry:\n    accrue.runs(log)\nexcept ImportError as error:\n    print(error)\n")
        self.assertIn("pip install pandas", output)

    @unittest.skipUnless(has_pandas(), "pandas is not installed")
    def test_frames_have_what_the_csv_of_accrue_has(self):
        self.script("""
            with Run(name="script", settings={"lr": 0.1, "flag": True, "batch.micro": 8}) as run:
                for step in range(1, 51):
                    run.log(step=step, loss=[float("nan"), float("inf"), -float("inf"), 1 / step][step % 4])
                run.log(epoch=1, **{"val/loss": 0.25})
        """)
        runs = ["1"]
        if HAS_ENGINE:
            self.call("train", "first-run", "--set", "run.limit_steps=30", "--set", "run.device=cpu", "--set", "run.evaluate_every=10 steps")
            runs.append("2")
        self.call("export", "--csv", "long.csv", "--runs", *runs)
        with open(self.folder / "long.csv", newline="", encoding="utf-8") as text:
            rows = list(csv.DictReader(text))
        for run in runs:
            frame = self.frame(f"accrue.steps(log, {run})")
            expected = {(row["step"], row["metric"]): row["value"] for row in rows if row["run"] == run}
            for (step, metric), value in expected.items():
                with self.subTest(run=run, step=step, metric=metric):
                    found = [row[metric] for row in frame if row["step"] == step]
                    same = {"nan": "", "": "nan"}.get(value, value)
                    self.assertTrue(any(text == same or (text and float(text) == float(value)) for text in found), (found, value))
        listed = self.frame("accrue.runs(log)")
        self.assertEqual([row["name"] for row in listed], ["script", "first-run"][:len(runs)])
        self.assertEqual((listed[0]["lr"], listed[0]["flag"], listed[0]["state"], listed[0]["val/loss.final"]),
                         ("0.1", "True", "finished", "0.25"))
        series = self.frame("accrue.series(log, 'script', 'loss')")
        self.assertEqual([row["loss"] for row in series[:4]], ["inf", "-inf", str(1 / 3), ""])

    @unittest.skipUnless(has_pandas(), "pandas is not installed")
    def test_what_a_resumed_run_computed_again_is_left_out(self):
        for version in range(1, 8):
            with self.subTest(version=version):
                self.log = self.folder / f"v{version}.db"
                connection = sqlite3.connect(self.log)
                connection.executescript((SOURCE / "tests" / "data" / f"run_log_v{version}.sql").read_text(encoding="utf-8"))
                connection.commit()
                connection.close()
                listed = self.frame("accrue.runs(log, archived=True)")
                for run in (row["id"] for row in listed):
                    frame = self.frame(f"accrue.steps(log, {run})")
                    places = [(row["step"], row["micro_batches"]) for row in frame]
                    self.assertEqual(len(places), len(set(places)))
                    highest = self.query("SELECT step FROM runs WHERE id = ?", int(run))[0][0]
                    self.assertEqual(max([0] + [int(row["step"]) for row in frame]), highest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
