# SPDX-License-Identifier: Apache-2.0
"""What scripts/measure.sh measures of sweeps, of their workers, and of reading many runs back (measure.py lists them)."""
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

READERS = Path(__file__).parent / "peers" / "readers.py"
WANTED_AGAINST_HALF = 1.15
PEERS = {"TensorBoard": "tensorboard", "MLflow": "mlflow", "Aim": "aim"}


def accrue(sides, *words, db):
    done = subprocess.run([sides.programs / "accrue", *words, "--db", db], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    return done.stdout


def runs_in(sides, db):
    return json.loads(accrue(sides, "list", "--all", "--json", db=db))


def enqueue(sides, db, runs, updates, recipe="first-run"):
    words = ["sweep", recipe, "--seeds", str(runs), "--set", "run.threads=1", "--set", f"run.limit_steps={updates}",
             "--set", "run.epochs=1000"]
    accrue(sides, *words, db=db)


def drained(sides, db, jobs):
    begin = time.monotonic()
    accrue(sides, "work", "--jobs", str(jobs), "--data", sides.data, db=db)
    return time.monotonic() - begin


def measure_sweep(sides, args):
    """The wall time of a sweep with two workers, loading included, beside half the training time of its runs one by one."""
    runs, updates = (4, 5) if args.smoke else (24, 200)
    ratios = []
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory() as home:
            alone, shared = f"{home}/alone.db", f"{home}/shared.db"
            enqueue(sides, alone, runs, updates)
            drained(sides, alone, 1)
            seconds = sum(run["seconds"] for run in runs_in(sides, alone))
            enqueue(sides, shared, runs, updates)
            wall = drained(sides, shared, 2)
            ratios.append(wall / (seconds / 2))
            print(f"{runs} runs of {updates} updates: {seconds:.1f} s of training one after the other, "
                  f"{wall:.1f} s with two workers: {ratios[-1]:.2f} of half", file=sys.stderr, flush=True)
    print(f"Two workers: {statistics.median(ratios):.2f} of half the training time (wanted ≤ {WANTED_AGAINST_HALF})")
    return args.smoke or statistics.median(ratios) <= WANTED_AGAINST_HALF


def pids_of(db):
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as log:
        return Counter(pid for (pid,) in log.execute("SELECT pid FROM attempts"))


def measure_workers(sides, args):
    """Sixteen workers at one log: every row is there, and nobody starves."""
    workers, runs, updates, minutes = (4, 8, 5, 0) if args.smoke else (16, 4000, 30, 10)
    with tempfile.TemporaryDirectory() as home:
        db = f"{home}/runs.db"
        enqueue(sides, db, runs, updates)
        pool = subprocess.Popen([sides.programs / "accrue", "work", "--jobs", str(workers), "--data", sides.data, "--db", db],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if minutes:
            time.sleep(60 * minutes)
            pool.terminate()
        pool.wait()
        ended = [run for run in runs_in(sides, db) if run["outcome"] == "completed"]
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as log:
            steps = dict(log.execute("SELECT run_id, count(*) FROM steps GROUP BY run_id"))
        lost = [run["id"] for run in ended if steps.get(run["id"]) != updates or run["attempt"] != 1]
        undamaged = subprocess.run([sides.programs / "accrue", "doctor", "--check-log", "--db", db],
                                   stdout=subprocess.DEVNULL).returncode == 0
        shares = sorted(pids_of(db).values())
        print(f"{workers} workers in {minutes} min: {len(ended)} runs of {updates} updates, {sum(steps.values())} rows of steps, "
              f"{len(lost)} runs with rows that are missing or twice, log {'undamaged' if undamaged else 'DAMAGED'}")
        print(f"Runs of each worker: {shares[0]} to {shares[-1]}, median {statistics.median(shares):g}")
        return args.smoke or (undamaged and not lost and len(shares) >= workers and shares[0] >= shares[-1] / 3)


def environment_of_peers(home):
    """A Python with the other programs, of the measurement's own; None for those that pip cannot install."""
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = Path(home) / "bin" / "python"
    found = []
    for name, package in PEERS.items():
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", package], capture_output=True, text=True)
        if done.returncode == 0:
            found.append(name)
        else:
            print(f"{name} cannot be installed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    return python, found


def measure_reading(sides, args):
    """Reading back 100 runs of 1,000 steps and five metrics, as lists, beside three others."""
    runs, steps = (3, 20) if args.smoke else (100, 1000)
    package = Path(__file__).parents[2] / "app" / "python"
    with tempfile.TemporaryDirectory() as home:
        python, peers = (Path(sys.executable), []) if args.smoke else environment_of_peers(f"{home}/python")
        seconds = {}
        for name in ["Accrue", *peers]:
            folder = Path(home) / name
            folder.mkdir()
            call = [python, READERS, name, folder, str(runs), str(steps)]
            environment = {**os.environ, "PYTHONPATH": str(package)}
            subprocess.run([*call, "write"], check=True, stdout=subprocess.DEVNULL, env=environment)
            rounds = [json.loads(subprocess.run([*call, "read"], check=True, stdout=subprocess.PIPE, text=True,
                                                env=environment).stdout) for _ in range(args.rounds)]
            assert all(each["values"] == runs * steps * 5 for each in rounds), f"{name} does not read all values"
            seconds[name] = statistics.median(each["seconds"] for each in rounds)
            shutil.rmtree(folder)
        print("| | Time | Of Accrue's |\n|---|--:|--:|")
        for name, value in seconds.items():
            print(f"| {name} | {value:.2f} s | {value / seconds['Accrue']:.1f} × |")
    return True
