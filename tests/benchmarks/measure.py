#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/measurements.md states about training, through the real programs.

    scripts/measure.sh accuracy           final test accuracy of LeNet-5 on MNIST over three seeds
    scripts/measure.sh speed              epoch time against both peers, all sides in one run, in about five minutes
    scripts/measure.sh log                epoch time with a run log and with `--db none`, in turn; no window on either side
    scripts/measure.sh tax                what accumulation costs: epoch time and memory of b 64 × N 8, b 64 × N 1, b 512 × N 1
    scripts/measure.sh resnet             images a second of ResNet-18 on CIFAR-10 against a Python loop in both memory formats
    scripts/measure.sh checkpoint         for how long saving ResNet-18 with momentum holds the training
    scripts/measure.sh law [--device cuda]  how far the law of memory is from the peaks of runs of 72 other micro-batches
    scripts/measure.sh update_ratio       what logging the update ratio costs a window, for several networks and N
    scripts/measure.sh against --other BIN  the windows of this build against those of another, whose programs are in BIN
    scripts/measure.sh ranks              what two ranks that synchronise once per window of N 8 cost against two that never do,
                                          and against one with two threads
    scripts/measure.sh parts              memory of a rank of ResNet-18 with what is in parts, at W 1, 2, 4, 8, and what `accrue fit` told
    scripts/measure.sh sweep              a sweep of 24 runs with two workers against half the time of its runs one by one
    scripts/measure.sh workers            16 workers at one log for ten minutes: rows, damage, runs of each
    scripts/measure.sh reading            500,000 values read back into lists, beside TensorBoard, MLflow and Aim (by pip)
    scripts/measure.sh to99               seconds to 99.0 % on MNIST over ten seeds, and those of two Python loops

Exit code 1 when a figure is not what is wanted. `--smoke` makes everything tiny, on pictures of noise, and judges nothing: it
proves that the measurement runs.
"""
import argparse
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sweeps import measure_reading, measure_sweep, measure_workers

PEERS = Path(__file__).parent / "peers"
WANTED_MEAN, WANTED_EACH = 0.987, 0.984
WANTED_AGAINST_HAND_TUNED, WANTED_AGAINST_USUAL = 1.0, 1.5
WANTED_MEAN_OF_LAW, WANTED_WORST_OF_LAW = 0.005, 0.016


class Sides:
    """The programs that are measured, on one data folder and device."""

    def __init__(self, data, device, programs=None):
        self.programs = Path(programs or os.environ["ACCRUE_BIN"])
        self.data = data
        self.device = device

    def asked(self, command, settings, recipe):
        asked = [self.programs / "accrue", command, recipe, "--json", "--device", self.device, "--data", self.data]
        last = {setting.split("=", 1)[0]: setting for setting in settings}  # a key is set once
        return asked + [part for setting in last.values() for part in ("--set", setting)]

    def command(self, settings, log, recipe):
        return self.asked("train", settings, recipe) + ["--db", log]

    def fit(self, *settings):
        """What `accrue fit` tells."""
        done = subprocess.run(self.asked("fit", settings, "first-run"), check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    def train(self, *settings, log="none", recipe="lenet5-mnist"):
        """The JSON events of `accrue train`."""
        done = subprocess.run(self.command(settings, log, recipe), check=True, stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def first_events(self, steps, *settings, recipe="lenet5-mnist"):
        """The events of a training up to that many updates, after which it is stopped: its evaluation is not waited for."""
        command = self.command(settings, "none", recipe)
        found = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as training:
            for line in training.stdout:
                found.append(json.loads(line))
                if len(events(found, "step")) == steps:
                    break
            training.terminate()
            said = training.communicate()[1]
        if len(events(found, "step")) < steps:
            sys.exit(f"{command} ended before its step {steps}: {said}")
        return found

    def first_steps(self, count, *settings, recipe="lenet5-mnist"):
        return events(self.first_events(count, *settings, recipe=recipe), "step")

    def accrue(self, epochs, log="none"):
        """Seconds of each epoch's training; evaluation is put at the very end."""
        lines = self.train(f"run.epochs={epochs}", "run.evaluate_every=1000 epochs", log=log)
        ends = [0.0] + [line["seconds"] for line in events(lines, "epoch")]
        return [later - earlier for earlier, later in zip(ends, ends[1:])]

    def loop(self, script, data, *flags):
        """What a Python loop prints."""
        command = [sys.executable, PEERS / script, "--data", Path(self.data) / data, *flags]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)

    def peer(self, script, epochs, *flags):
        return self.loop(script, "mnist", "--epochs", str(epochs), *flags)["epoch_seconds"]

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


CUTS = {"b 64 × N 8": (64, 8), "b 64 × N 1": (64, 1), "b 512 × N 1": (512, 1)}


def measure_tax(sides, args):
    """Accumulation must cost neither time nor memory: N = 8 against N = 1 at the same micro-batch."""
    peaks = {}

    def side(name):
        micro, steps = CUTS[name]

        def run(epochs):
            lines = sides.train(f"batch.micro={micro}", f"batch.steps={steps}", f"run.epochs={epochs}", "run.threads=2",
                                "run.evaluate_every=1000 epochs")
            peaks[name] = max(line["peak_bytes"] for line in events(lines, "step"))
            ends = [0.0] + [line["seconds"] for line in events(lines, "epoch")]
            return [later - earlier for earlier, later in zip(ends, ends[1:])]
        return run

    seconds = in_turn({name: side(name) for name in CUTS}, args.rounds, args.epochs or 2)
    row("cut", "epoch, median s", "min s", "max s", "peak bytes of a window")
    row("---", "--:", "--:", "--:", "--:")
    for name, values in seconds.items():
        row(name, f"{statistics.median(values):.2f}", f"{min(values):.2f}", f"{max(values):.2f}", f"{peaks[name]:,}")
    ratio = statistics.median(seconds["b 64 × N 8"]) / statistics.median(seconds["b 64 × N 1"])
    extra = peaks["b 64 × N 8"] - peaks["b 64 × N 1"]
    row("N 8 against N 1", f"{ratio:.2f} ×", "", "", f"{extra:+,}")
    reached = ratio <= 1 and extra == 0
    print(verdict(reached, args.smoke))
    return reached


RESNET = ("data.name=cifar10", "data.augment=", "data.normalize=published", "model.name=resnet18", "run.threads=2",
          "optimizer.lr=0.1", "optimizer.weight_decay=0.0005", "run.evaluate_every=1000000 steps", "checkpoint.best=false")


def resnet_rate(sides, stem, norm, micro, steps, windows):
    """Images a second of Accrue's windows after the first two."""
    done = sides.first_steps(windows + 2, *RESNET, f"model.stem={stem}", f"model.norm={norm}", f"batch.micro={micro}",
                             f"batch.steps={steps}")
    return statistics.median(1000 * line["window_samples"] / line["step_ms"] for line in done[2:])


def measure_resnet(sides, args):
    micro, steps = (2, 2) if args.smoke else (64, 2)
    row("stem, norm", "Accrue img/s", "Python contiguous", "Python channels_last", "against the better")
    row("---", "--:", "--:", "--:", "--:")
    all_reached = True
    for stem, windows in (("imagenet", 20), ("cifar", 6)):  # some seconds each
        windows = 1 if args.smoke else windows
        for norm in ("batch", "group"):
            rates = {"Accrue": [], "contiguous": [], "channels_last": []}
            for _ in range(args.rounds):
                rates["Accrue"].append(resnet_rate(sides, stem, norm, micro, steps, windows))
                for layout in ("contiguous", "channels_last"):
                    told = sides.loop("resnet18_loop.py", "cifar-10", "--stem", stem, "--norm", norm, "--memory-format", layout,
                                      "--micro", str(micro), "--steps", str(steps), "--windows", str(windows))
                    rates[layout].append(told["window_samples"] / statistics.median(told["window_seconds"]))
            medians = {name: statistics.median(values) for name, values in rates.items()}
            ratio = medians["Accrue"] / max(medians["contiguous"], medians["channels_last"])
            all_reached = all_reached and ratio >= 1
            row(f"{stem}, {norm}", *(f"{medians[name]:.1f}" for name in rates), f"{ratio:.2f} ×")
    print(verdict(all_reached, args.smoke))
    return all_reached


# Settings on top of first-run, whose digits take little beside what a window needs.
CIFAR10 = ("data.name=cifar10",)
OF_LAW = {
    "LeNet-5": (), "LeNet-5, BatchNorm, Adam": ("model.norm=batch", "optimizer.name=adam"),
    "LeNet-5, GroupNorm, float64": ("model.norm=group", "run.precision=float64"),
    "LeNet-5, bfloat16": ("run.precision=bfloat16",),
    "perceptron": ("model.name=mlp",),
    "perceptron, BatchNorm, AdamW": ("model.name=mlp", "model.norm=batch", "optimizer.name=adamw"),
    "VGG": ("model.name=vgg", *CIFAR10), "VGG, GroupNorm, bfloat16": ("model.name=vgg", "model.norm=group", "run.precision=bfloat16", *CIFAR10),
    "VGG, BatchNorm, float64": ("model.name=vgg", "model.norm=batch", "run.precision=float64", *CIFAR10),
    "ResNet-18, imagenet, BatchNorm": ("model.name=resnet18", "model.norm=batch", *CIFAR10),
    "ResNet-18, cifar, BatchNorm": ("model.name=resnet18", "model.norm=batch", "model.stem=cifar", *CIFAR10),
    "ResNet-18, imagenet, GroupNorm, Adam": ("model.name=resnet18", "model.norm=group", "optimizer.name=adam", *CIFAR10),
}


def told_by(law, micro):
    return max(line["base_bytes"] + line["bytes_per_sample"] * micro for line in law["lines"] if line["phase"] != "evaluation")


def sizes_held_out(name, law, count):
    """Micro-batches of the law's range that it was not fitted to, drawn by the configuration's name."""
    fitted = {point["micro"] for point in law["points"]}
    others = [micro for micro in range(law["from"], law["to"] + 1) if micro not in fitted]
    return sorted(random.Random(name).sample(others, min(count, len(others))))


def measure_law(sides, args):
    """|law − measured| / measured over windows of real runs, of which the law was told nothing."""
    row("configuration", "law holds for b", "held-out b", "mean error", "worst error")
    row("---", "--:", "---", "--:", "--:")
    errors = []
    for name, settings in list(OF_LAW.items())[:1 if args.smoke else None]:
        settings = (*settings, "run.threads=2")
        law = sides.fit(*settings)
        sizes = sizes_held_out(name, law, 2 if args.smoke else 6)
        these = []
        for micro in sizes:
            windows = events(sides.first_events(3, *settings, f"batch.micro={micro}", "batch.steps=2",
                                                "run.evaluate_every=1000000 steps", "run.epochs=1000", recipe="first-run"), "memory")
            measured = max(phase["peak_bytes"] + phase["cached_bytes"] for window in windows for phase in window["phases"])
            these.append(abs(told_by(law, micro) - measured) / measured)
        row(name, f"{law['from']}–{law['to']}", ", ".join(map(str, sizes)), f"{statistics.mean(these):.3%}", f"{max(these):.3%}")
        errors += these
    mean, worst = statistics.mean(errors), max(errors)
    reached = mean <= WANTED_MEAN_OF_LAW and worst <= WANTED_WORST_OF_LAW
    row(f"all {len(errors)}", "", "", f"{mean:.3%}", f"{worst:.3%}")
    print(verdict(reached, args.smoke))
    return reached


def measure_checkpoint(sides, args):
    """The time between two steps that neither of them took, where a checkpoint was begun between them."""
    with tempfile.TemporaryDirectory() as folder:
        size = ("batch.micro=2", "batch.steps=2", "optimizer.lr=0.00001") if args.smoke else ("batch.micro=64", "batch.steps=2")
        lines = sides.train(*RESNET, *size, "checkpoint.every=4 steps", "run.limit_steps=14", log=Path(folder) / "runs.db")
    done = events(lines, "step")
    stops = {later["step"]: 1000 * (later["seconds"] - earlier["seconds"]) - later["step_ms"]
             for earlier, later in zip(done, done[1:])}
    saved = [line["step"] for line in events(lines, "checkpoint")]
    held = {step + 1: stops[step + 1] for step in saved if step + 1 in stops}
    step_ms = statistics.median(line["step_ms"] for line in done)
    row("checkpoints", "longest stop, ms", "median step, ms", "share of a step")
    row("--:", "--:", "--:", "--:")
    longest = max(held.values())
    row(str(len(held)), f"{longest:.0f}", f"{step_ms:.0f}", f"{longest / step_ms:.2f}")
    reached = longest <= step_ms
    print(verdict(reached, args.smoke))
    return reached


# What the ratio costs follows from the parameters, what a window costs from the network and N.
OF_UPDATE_RATIO = {
    "LeNet-5, b 32 × N 4": ("batch.micro=32", "batch.steps=4"),
    "LeNet-5, b 32 × N 32": ("batch.micro=32", "batch.steps=32"),
    "perceptron, b 32 × N 4": ("model.name=mlp", "batch.micro=32", "batch.steps=4"),
    "ResNet-18, imagenet, b 64 × N 2": (*RESNET, "batch.micro=64", "batch.steps=2"),
    "ResNet-18, cifar, b 64 × N 2": (*RESNET, "model.stem=cifar", "batch.micro=64", "batch.steps=2"),
    "ResNet-18, cifar, b 64 × N 8": (*RESNET, "model.stem=cifar", "batch.micro=64", "batch.steps=8"),
}
WANTED_OF_UPDATE_RATIO = 0.005


def measure_update_ratio(sides, args):
    """The median window with trace.update_ratio against the one without it; both sides in turn. A window of LeNet-5 on digits
    takes milliseconds, so it is the median of many."""
    row("configuration", "without, ms", "with, ms", "cost", "")
    row("---", "--:", "--:", "--:", "---")
    for name, settings in list(OF_UPDATE_RATIO.items())[:1 if args.smoke else None]:
        windows = 2 if args.smoke else 4 if "cifar" in name else 20 if "ResNet" in name else 200
        found = {"false": [], "true": []}
        for turn in range(args.rounds):
            for value in sorted(found, reverse=turn % 2 == 1):
                done = sides.first_steps(windows + 2, *settings, "run.threads=2", "run.epochs=1000", "run.evaluate_every=1000000 steps",
                                         f"trace.update_ratio={value}", recipe="first-run")
                found[value] += [line["step_ms"] for line in done[2:]]
        without, with_it = (statistics.median(found[value]) for value in ("false", "true"))
        cost = with_it / without - 1
        row(name, f"{without:.2f}", f"{with_it:.2f}", f"{cost:+.2%}",
            "" if args.smoke else f"{'within' if cost <= WANTED_OF_UPDATE_RATIO else 'above'} {WANTED_OF_UPDATE_RATIO:.1%}")
    return True  # where it costs more the key stays off, its default


OF_AGAINST = {  # settings and windows, some seconds of each
    "LeNet-5, digits, b 32 × N 4": (("batch.micro=32", "batch.steps=4"), 400),
    "ResNet-18, imagenet, b 64 × N 2": ((*RESNET, "batch.micro=64", "batch.steps=2"), 24),
    "ResNet-18, cifar, b 16 × N 2": ((*RESNET, "model.stem=cifar", "batch.micro=16", "batch.steps=2"), 10),
}


def measure_against(sides, args):
    """The median window of both builds, in turn, and the median of the rounds' ratios."""
    other = Sides(sides.data, sides.device, args.other)
    row("configuration", "the other, ms", "this, ms", "this against the other", "least", "most")
    row("---", "--:", "--:", "--:", "--:", "--:")
    for name, (settings, windows) in list(OF_AGAINST.items())[:1 if args.smoke else None]:
        windows = 2 if args.smoke else windows
        found = {"other": [], "this": []}
        for turn in range(args.rounds):
            for side in sorted(found, reverse=turn % 2 == 1):
                done = {"other": other, "this": sides}[side].first_steps(
                    windows + 2, *settings, "run.threads=2", "run.epochs=1000", "run.evaluate_every=1000000 steps", recipe="first-run")
                found[side].append(statistics.median(line["step_ms"] for line in done[2:]))
        ratios = [this / before for before, this in zip(found["other"], found["this"])]
        row(name, *(f"{statistics.median(values):.2f}" for values in found.values()), f"{statistics.median(ratios):.3f} ×",
            f"{min(ratios):.3f} ×", f"{max(ratios):.3f} ×")
    return True


WANTED_OF_RANKS, WANTED_OF_THREADS = 0.02, 0.0
SLICE = 1.0  # seconds in which one side computes while the other is stopped
OF_RANKS = ("batch.micro=32", "batch.steps=8", "run.epochs=1000000", "run.evaluate_every=1000000 steps")


class Stoppable:
    """A training that computes only while it may, with what it prints in a file: a reader would take time from it."""

    def __init__(self, command, output):
        self.output = output
        with output.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)

    def steps(self):
        lines = self.output.read_text().splitlines(keepends=True)
        return events([json.loads(line) for line in lines if line.endswith("\n")], "step")

    def signal(self, number):
        """To its other ranks, too, which are its children."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for process in [self.process.pid, *map(int, children)]:
            os.kill(process, number)

    def end(self):
        with contextlib.suppress(OSError):
            self.signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait()


def mean_windows(steps):
    """The mean seconds of the windows between each two stops, during which the clock went on; without those that began
    before a run had warmed up or that a stop cut."""
    times = [later["seconds"] - earlier["seconds"] for earlier, later in zip(steps, steps[1:])]
    cut = SLICE / 2 + statistics.median(times)
    slices = [[]]
    for seconds in times:
        if seconds >= cut:
            slices.append([])
        else:
            slices[-1].append(seconds)
    return [statistics.mean(each) for each in slices[1:-1] if each]


def in_slices(sides, count):
    """Lets one side compute after the other, a slice of time each; `sides`: lists of Stoppable."""
    for each in [one for side in sides for one in side]:
        while not each.steps():
            if each.process.poll() is not None:
                sys.exit("a training ended at once")
            time.sleep(0.1)
    for side in sides:
        for each in side:
            each.signal(signal.SIGSTOP)
    time.sleep(SLICE)  # so that mean_windows sees this stop, too
    for turn in range(2 * count):
        side = sides[turn % 2]
        for each in side:
            each.signal(signal.SIGCONT)
        time.sleep(SLICE)
        for each in side:
            each.signal(signal.SIGSTOP)


def alternately(sides, args, reference, candidate):
    """Mean seconds of the windows in each slice of two sides that compute in turn, and by how much more the candidate takes.
    A side: the settings of each of its trainings."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ends:
        def started(name, settings):
            one = Stoppable(sides.asked("train", [*OF_RANKS, *settings], "first-run") + ["--db", "none"], Path(folder) / name)
            ends.callback(one.end)
            return one
        both = [[started(f"{side}-{number}", settings) for number, settings in enumerate(trainings)]
                for side, trainings in (("reference", reference), ("candidate", candidate))]
        in_slices(both, 4 if args.smoke else 30 * args.rounds)
        first, second = ([statistics.mean(all_of) for all_of in zip(*(mean_windows(one.steps()) for one in side))]
                         for side in both)
    # Each slice against the mean of the one before and the one after it.
    return first, second, [2 * own / (before + after) - 1 for before, after, own in zip(first, first[1:], second)]


def measure_ranks(sides, args):
    """Two ranks with a thread each that add up gradients once per window of N 8: against two trainings that know nothing of
    each other, than which no synchronisation could be faster, and against one rank with two threads and the same slices."""
    reached = []
    row("windows of two ranks", "ms, median of slices", "slices", "quarter below", "quarter above")
    row("---", "--:", "--:", "--:", "--:")
    two, wide = [("run.threads=1", "batch.devices=2")], [("run.threads=2", "batch.micro=64")]
    for name, reference, wanted in (("two trainings without synchronisation", [("run.threads=1",)] * 2, WANTED_OF_RANKS),
                                    ("one rank with two threads", wide, WANTED_OF_THREADS)):
        before, after, costs = alternately(sides, args, reference, two)
        for side, seconds in ((name, before), ("two ranks with a thread each", after)):
            low, _, high = statistics.quantiles(seconds, n=4)
            row(side, f"{1000 * statistics.median(seconds):.2f}", str(len(seconds)), f"{1000 * low:.2f}", f"{1000 * high:.2f}")
        low, cost, high = statistics.quantiles(costs, n=4)
        row("cost", f"{cost:+.2%}", str(len(costs)), f"{low:+.2%}", f"{high:+.2%}")
        reached.append(cost <= wanted)
    print(verdict(all(reached), args.smoke))
    return all(reached)


def mebibytes(count):
    return f"{count / 2**20:.1f} MiB"


def measure_parts(sides, args):
    """What a rank of ResNet-18 with Adam has between its windows, and its peak, against the memory model of one rank."""
    row("in parts", "W", "parameters", "gradients", "optimizer's state", "peak", "told by accrue fit", "error")
    row("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:")
    errors = []
    for shard, ranks in [("none", 1)] + [(shard, ranks) for ranks in ([2] if args.smoke else [2, 4, 8])
                                         for shard in ("optimizer", "parameters")]:
        settings = ("model.name=lenet5" if args.smoke else "model.name=resnet18", "model.norm=group",
                    "optimizer.name=adam", f"distributed.shard={shard}",
                    f"batch.devices={ranks}", "batch.effective=auto", "batch.micro=32", "batch.steps=2", "run.threads=1")
        told = told_by(sides.fit(*settings), 32)
        windows = events(sides.first_events(3, *settings, "run.evaluate_every=1000000 steps", "run.epochs=1000",
                                            recipe="first-run"), "memory")
        between = windows[-1]["phases"][0]["peak"]
        peak = max(phase["peak_bytes"] + phase["cached_bytes"] for window in windows for phase in window["phases"])
        errors.append(abs(told - peak) / peak)
        row(shard, str(ranks), *(mebibytes(between[what]) for what in ("parameters", "gradients", "optimizer_state")),
            mebibytes(peak), mebibytes(told), f"{errors[-1]:.2%}")
    reached = max(errors) <= WANTED_WORST_OF_LAW
    print(verdict(reached, args.smoke))
    return reached


def seconds_to(lines, wanted):
    """Training and evaluating until the test accuracy was first reached; None where it never was."""
    return next((line["seconds"] for line in events(lines, "evaluation") if line["test_accuracy"] >= wanted), None)


def measure_to99(sides, args):
    wanted = 0 if args.smoke else 0.99
    seeds = range(1, 2 if args.smoke else 11)
    settings = ("run.epochs=1",) if args.smoke else ()
    peer_seeds = {"tuned": range(1, 2 if args.smoke else args.rounds + 1), "example": [1]}  # the example takes minutes
    found = {"Accrue, mnist-99": [seconds_to(sides.train(f"run.seed={seed}", *settings, recipe="mnist-99"), wanted)
                                  for seed in seeds]}
    for name in ("tuned", "example"):
        found[f"Python, {name}"] = [
            sides.loop("mnist_99_loop.py", "mnist", "--settings", name, "--seed", str(seed),
                       *(("--epochs", "1") if args.smoke else ()))["seconds"] for seed in peer_seeds[name]]
    row("side", "seeds", "reached 99.0 %", "mean s", "min s", "max s")
    row("---", "--:", "--:", "--:", "--:", "--:")
    for name, values in found.items():
        times = [value for value in values if value is not None] or [float("nan")]
        row(name, str(len(values)), str(sum(value is not None for value in values)), f"{statistics.mean(times):.1f}",
            f"{min(times):.1f}", f"{max(times):.1f}")
    return None not in found["Accrue, mnist-99"]


def write_cifar_noise(folder):
    """Five files of 40 pictures of noise and one of 20, in CIFAR-10's binary layout."""
    noise = random.Random(2)
    (folder / "cifar-10").mkdir()
    for name, count in [(f"data_batch_{number}.bin", 40) for number in range(1, 6)] + [("test_batch.bin", 20)]:
        (folder / "cifar-10" / name).write_bytes(
            b"".join(bytes([noise.randrange(10)]) + noise.randbytes(3072) for _ in range(count)))


def write_noise(folder):
    """A data folder whose mnist/ holds 1,280 and 256 pictures of noise."""
    write_cifar_noise(folder)
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
    measures = {"accuracy": measure_accuracy, "speed": measure_speed, "log": measure_log, "tax": measure_tax,
                "resnet": measure_resnet, "law": measure_law, "checkpoint": measure_checkpoint,
                "update_ratio": measure_update_ratio, "against": measure_against, "ranks": measure_ranks, "parts": measure_parts,
                "to99": measure_to99, "sweep": measure_sweep, "workers": measure_workers, "reading": measure_reading}
    parser.add_argument("what", choices=list(measures))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, help="of each training: 10 for accuracy, otherwise 2")
    parser.add_argument("--device", default="cpu", help="of law: cpu or cuda")
    parser.add_argument("--other", help="of against: the folder of the other build's programs; default: this build's own")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    measure = measures[args.what]
    if args.smoke:
        args.rounds, args.epochs = 1, 1
        with tempfile.TemporaryDirectory() as folder:
            measure(Sides(write_noise(Path(folder)), args.device), args)
        return 0
    data = Path(os.environ.get("ACCRUE_DATA_DIR", ""))
    if args.what not in ("ranks", "parts", "sweep", "workers", "reading") and not (data / "mnist").is_dir():
        print("measure: MNIST was not found; set ACCRUE_DATA_DIR to the folder that holds mnist/", file=sys.stderr)
        return 2
    return 0 if measure(Sides(data, args.device), args) else 1


if __name__ == "__main__":
    sys.exit(main())
