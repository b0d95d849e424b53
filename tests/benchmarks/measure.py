#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/measurements.md states about training, through the real programs.

    scripts/measure.sh accuracy           final test accuracy of LeNet-5 on MNIST over three seeds
    scripts/measure.sh speed              epoch time against both peers, all sides in one run

`--smoke` makes everything tiny: it proves that the measurement runs, its figures mean nothing.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PEERS = Path(__file__).parent / "peers"
BIN = Path(os.environ["ACCRUE_BIN"])
DATA = os.environ.get("ACCRUE_DATA_DIR", "")


def train(*settings, db="none", device="cpu"):
    """Runs `accrue train lenet5-mnist`; its JSON events."""
    command = [BIN / "accrue", "train", "lenet5-mnist", "--json", "--db", db, "--device", device]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def events(lines, name):
    return [line for line in lines if line["event"] == name]


def epoch_seconds(lines):
    """Seconds of each epoch's training; the caller puts evaluation at the very end."""
    ends = [0.0] + [line["seconds"] for line in events(lines, "epoch")]
    return [later - earlier for earlier, later in zip(ends, ends[1:])]


def peer(script, *flags):
    command = [sys.executable, PEERS / script, "--data", Path(DATA) / "mnist", *map(str, flags)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)["epoch_seconds"]


def row(name, *cells):
    print("| " + " | ".join([name, *cells]) + " |", flush=True)


def measure_accuracy(args):
    row("seed", "final test accuracy", "best")
    row("---", "--:", "--:")
    finals = []
    for seed in range(1, 4):
        limits = ["run.epochs=1", "run.limit_steps=20"] if args.smoke else ["run.epochs=10"]
        shares = [line["test_accuracy"] for line in events(train(f"run.seed={seed}", *limits), "evaluation")]
        finals.append(shares[-1])
        row(str(seed), f"{shares[-1]:.2%}", f"{max(shares):.2%}")
    row("mean", f"{statistics.mean(finals):.2%}", "")


def ours(args):
    return epoch_seconds(train(f"run.epochs={args.epochs}", "run.evaluate_every=1000 epochs"))


def measure_speed(args):
    sides = {"Accrue": lambda: ours(args)}
    for threads in (1, 2):
        sides[f"hand-tuned loop, {threads} thread(s)"] = lambda threads=threads: peer(
            "hand_tuned_loop.py", "--threads", threads, "--epochs", args.epochs)
    for workers in (0, 1):
        sides[f"usual loop, {workers} worker(s)"] = lambda workers=workers: peer(
            "usual_loop.py", "--workers", workers, "--epochs", max(1, args.epochs // 2))
    seconds = {name: [] for name in sides}
    for _ in range(args.rounds):
        for name, side in sides.items():
            seconds[name] += side()
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    row("side", "epoch, median s", "min s", "max s", "against Accrue")
    row("---", "--:", "--:", "--:", "--:")
    for name, values in seconds.items():
        row(name, f"{medians[name]:.2f}", f"{min(values):.2f}", f"{max(values):.2f}",
            f"{medians[name] / medians['Accrue']:.2f} ×")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["accuracy", "speed"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=2, help="epochs a round")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    if not (Path(DATA) / "mnist").is_dir():
        print("measure: skipped, MNIST was not found; set ACCRUE_DATA_DIR to the folder that holds mnist/")
        return
    if args.smoke:
        args.rounds, args.epochs = 1, 1
    {"accuracy": measure_accuracy, "speed": measure_speed}[args.what](args)


if __name__ == "__main__":
    main()
