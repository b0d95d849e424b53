#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/measurements.md states about training, through the real programs.

    scripts/measure.sh accuracy           final test accuracy of LeNet-5 on MNIST over three seeds
    scripts/measure.sh speed              epoch time against both peers, all sides in one run, in about five minutes
    scripts/measure.sh log                epoch time with a run log and with `--db none`, in turn; no window on either side

Exit code 1 when a figure is not what is wanted. `--smoke` makes everything tiny, on pictures of noise, and judges nothing: it
proves that the measurement runs.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PEERS = Path(__file__).parent / "peers"
WANTED_MEAN, WANTED_EACH = 0.987, 0.984
WANTED_AGAINST_HAND_TUNED, WANTED_AGAINST_USUAL = 1.0, 1.5


class Sides:
    """The programs that are measured, on one data folder."""

    def __init__(self, data):
        self.data = data

    def train(self, *settings, log="none"):
        """The JSON events of `accrue train lenet5-mnist`."""
        command = [Path(os.environ["ACCRUE_BIN"]) / "accrue", "train", "lenet5-mnist", "--json", "--db", log,
                   "--device", "cpu", "--data", self.data]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def accrue(self, epochs, log="none"):
        """Seconds of each epoch's training; evaluation is put at the very end."""
        lines = self.train(f"run.epochs={epochs}", "run.evaluate_every=1000 epochs", log=log)
        ends = [0.0] + [line["seconds"] for line in events(lines, "epoch")]
        return [later - earlier for earlier, later in zip(ends, ends[1:])]

    def peer(self, script, epochs, *flags):
        command = [sys.executable, PEERS / script, "--data", Path(self.data) / "mnist", "--epochs", str(epochs), *flags]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)["epoch_seconds"]

    def named(self):
        """Each side: a name, and what takes a number of epochs and gives their seconds."""
        hand_tuned = {f"hand-tuned loop, {threads} thread(s)":
                      lambda epochs, threads=threads: self.peer("hand_tuned_loop.py", epochs, "--threads", threads)
                      for threads in "12"}
        usual = {f"{kind} loop, {workers} worker(s)":
                 lambda epochs, transform=transform, workers=workers: self.peer(
                     "usual_loop.py", epochs, "--transform", transform, "--workers", workers)
                 for kind, transform in (("usual", "torchvision"), ("lightened usual", "light")) for workers in "01"}
        return {"Accrue": self.accrue, **hand_tuned, **usual}


def events(lines, name):
    return [line for line in lines if line["event"] == name]


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def verdict(reached, smoke):
    return "" if smoke else "reached" if reached else "**not reached**"


def measure_accuracy(sides, args):
    row("seed", "final test accuracy", "best")
    row("---", "--:", "--:")
    finals = []
    for seed in range(1, 4):
        shares = [line["test_accuracy"] for line in events(sides.train(f"run.seed={seed}", f"run.epochs={args.epochs or 10}"),
                                                           "evaluation")]
        finals.append(shares[-1])
        row(str(seed), f"{shares[-1]:.2%}", f"{max(shares):.2%}")
    mean = statistics.mean(finals)
    reached = mean >= WANTED_MEAN and min(finals) >= WANTED_EACH
    row("mean", f"{mean:.2%}", verdict(reached, args.smoke))
    return reached


def in_turn(sides, rounds, epochs):
    """Seconds of every epoch of every side; each round begins with another side, so that none is always the first."""
    seconds = {name: [] for name in sides}
    names = list(sides)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            seconds[name] += sides[name](epochs)
    return seconds


def best_ratio(medians, kind):
    """How many times as long the better side of a kind takes as Accrue, and which it is."""
    name = min((name for name in medians if name.startswith(kind)), key=medians.get)
    return medians[name] / medians["Accrue"], name


def measure_speed(sides, args):
    seconds = in_turn(sides.named(), args.rounds, args.epochs or 2)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    row("side", "epoch, median s", "min s", "max s", "against Accrue")
    row("---", "--:", "--:", "--:", "--:")
    for name, values in seconds.items():
        row(name, f"{medians[name]:.2f}", f"{min(values):.2f}", f"{max(values):.2f}",
            f"{medians[name] / medians['Accrue']:.2f} ×")
    print()
    row("the better of", "against Accrue", "wanted", "")
    row("---", "--:", "--:", "---")
    all_reached = True
    for kind, wanted in (("hand-tuned loop", WANTED_AGAINST_HAND_TUNED), ("usual loop", WANTED_AGAINST_USUAL),
                         ("lightened usual loop", None)):
        ratio, name = best_ratio(medians, kind)
        reached = wanted is None or ratio >= wanted
        all_reached = all_reached and reached
        row(f"{kind}: {name.split(', ')[1]}", f"{ratio:.2f} ×", f"at least {wanted} ×" if wanted else "–",
            verdict(reached, args.smoke) if wanted else "")
    return all_reached


def measure_log(sides, args):
    """Says what a run log costs a training, as the median over the rounds; a part of what bench_window judges."""
    with tempfile.TemporaryDirectory() as folder:
        named = {"--db none": sides.accrue, "with a log": lambda epochs: sides.accrue(epochs, log=Path(folder) / "runs.db")}
        seconds = in_turn(named, args.rounds, args.epochs or 2)
    row("epoch", *named, "cost")
    row("---", "--:", "--:", "--:")
    costs = [logged / alone - 1 for alone, logged in zip(*seconds.values())]
    for number, (alone, logged, cost) in enumerate(zip(*seconds.values(), costs), 1):
        row(str(number), f"{alone:.2f}", f"{logged:.2f}", f"{cost:+.1%}")
    row("median", *(f"{statistics.median(values):.2f}" for values in seconds.values()), f"{statistics.median(costs):+.1%}")
    return True


def write_noise(folder):
    """A data folder whose mnist/ holds 1,280 and 256 pictures of noise."""
    (folder / "mnist").mkdir()
    noise = random.Random(1)
    for part, count in (("train", 1280), ("t10k", 256)):
        size = count.to_bytes(4, "big")
        side = (28).to_bytes(4, "big")
        (folder / f"mnist/{part}-images-idx3-ubyte").write_bytes(
            b"\0\0\x08\x03" + size + side + side + noise.randbytes(count * 28 * 28))
        (folder / f"mnist/{part}-labels-idx1-ubyte").write_bytes(
            b"\0\0\x08\x01" + size + bytes(noise.randrange(10) for _ in range(count)))
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["accuracy", "speed", "log"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, help="of each training: 10 for accuracy, otherwise 2")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    measure = {"accuracy": measure_accuracy, "speed": measure_speed, "log": measure_log}[args.what]
    if args.smoke:
        args.rounds, args.epochs = 1, 1
        with tempfile.TemporaryDirectory() as folder:
            measure(Sides(write_noise(Path(folder))), args)
        return 0
    data = Path(os.environ.get("ACCRUE_DATA_DIR", ""))
    if not (data / "mnist").is_dir():
        print("measure: MNIST was not found; set ACCRUE_DATA_DIR to the folder that holds mnist/", file=sys.stderr)
        return 2
    return 0 if measure(Sides(data), args) else 1


if __name__ == "__main__":
    sys.exit(main())
