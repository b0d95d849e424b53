#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the windows of one and of two ranks over links of several rates, and writes what `accrue scale --points` reads.

    scripts/measure_scaling.py FILE [--links local,unlimited,1gbit,100mbit] [--shards none,optimizer,parameters]
                               [--steps 1,2,4,8,16] [--rounds 3] [--micro-batches 160] [--recipe first-run] [--set KEY=VALUE]…

The two ranks are on two hosts, which are network namespaces of this machine with a cable between them; of the link `local`
both are on this machine and share memory. Each rank has one thread. What one rank needs is measured while the other host
trains the same, without a connection: so both sides of a comparison have a machine that is equally busy.

Each round measures every case once, and a point is the median of its rounds, so a while in which the machine is slower does
not fall on one case. A case is measured again, at most --tries times, if other programs needed more than --others of the
machine meanwhile, and a round in which they always did does not count unless there is no other. If FILE exists, its rounds
are kept and more are added.

Needs root, ip and tc (Debian's iproute2), and the release build.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ACCRUE = Path(os.environ.get("ACCRUE_BIN", ROOT / "build/release/bin")) / "accrue"
HOSTS = (f"accrue-a-{os.getpid()}", f"accrue-b-{os.getpid()}")
ADDRESSES = ("10.78.0.1", "10.78.0.2")
PORT = "29500"
WARM_UP = 2  # windows
LEAST_WINDOWS = 5  # of a case
FIGURES = ("window_seconds", "samples_per_second", "communication_ms", "wait_ms", "bytes")


@dataclass(frozen=True)
class Case:
    ranks: int
    steps: int
    synchronize: str = "window"
    shard: str = "none"
    link: str = "local"
    chunks: int = 2
    kept_bytes: int = 0


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def connect():
    for host in HOSTS:
        run("ip", "netns", "add", host)
    run("ip", "link", "add", "cable", "netns", HOSTS[0], "type", "veth", "peer", "name", "cable", "netns", HOSTS[1])
    for host, address in zip(HOSTS, ADDRESSES, strict=True):
        run("ip", "-n", host, "address", "add", f"{address}/24", "dev", "cable")
        run("ip", "-n", host, "link", "set", "cable", "up")
        run("ip", "-n", host, "link", "set", "lo", "up")


def limit(rate):
    """Holds both directions of the cable to a rate."""
    for host in HOSTS:
        subprocess.run(["tc", "-n", host, "qdisc", "delete", "dev", "cable", "root"], check=False, capture_output=True)
        if rate not in ("unlimited", "local"):
            run("tc", "-n", host, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", rate, "burst", "256kbit", "latency",
                "100ms")


def disconnect():
    for host in HOSTS:
        subprocess.run(["ip", "netns", "delete", host], check=False, capture_output=True)


def cases_of(arguments):
    """One rank has no link, nothing to share and nothing to add up; with one step both ways to add up are the same."""
    steps = [int(count) for count in arguments.steps.split(",")]
    yield from (Case(1, count) for count in steps)
    for link in arguments.links.split(","):
        for shard in arguments.shards.split(","):
            for count in steps:
                yield Case(2, count, "window", shard, link, arguments.chunks,
                           arguments.kept_bytes if shard == "parameters" else 0)
                if count > 1 and shard == "none":
                    yield Case(2, count, "micro_batch", shard, link)


def command(arguments, case):
    windows = WARM_UP + max(LEAST_WINDOWS, arguments.micro_batches // case.steps)
    settings = [f"batch.devices={case.ranks}", f"batch.steps={case.steps}", f"distributed.synchronize={case.synchronize}",
                f"distributed.shard={case.shard}", f"run.limit_steps={windows}", "run.epochs=1000000", "run.threads=1",
                "run.evaluate_every=1000000 steps", "memory.metering=off", "run.device=cpu", "batch.tail=drop", *arguments.set]
    words = [str(ACCRUE), "train", arguments.recipe, "--json", "--db", "none"]
    for setting in settings:
        words += ["--set", setting]
    return words


def places_of(case):
    """The words in front of each process's command, and its variables."""
    if case.ranks == 1:
        return [((), {}), ((), {})]  # two that do not know each other
    if case.link == "local":
        return [((), {})]  # starts the other one itself
    return [(("ip", "netns", "exec", HOSTS[rank]),
             {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": "0", "MASTER_ADDR": ADDRESSES[0], "MASTER_PORT": PORT})
            for rank in range(2)]


def outputs_of(arguments, case, home):
    """What each process of a case prints. To files: whoever read it meanwhile would take time from those that compute."""
    processes = []
    for number, (before, variables) in reversed(list(enumerate(places_of(case)))):
        output, problems = Path(home) / f"out-{number}", Path(home) / f"problems-{number}"
        with output.open("w") as out, problems.open("w") as err:
            processes.append((subprocess.Popen([*before, *command(arguments, case)], stdout=out, stderr=err,
                                               env=dict(os.environ, XDG_DATA_HOME=home, **variables)), output, problems))
    for process, _, problems in processes:
        if process.wait() != 0:
            sys.exit(f"{case} failed: {problems.read_text()}")
    return [output.read_text() for _, output, _ in reversed(processes)]


def figures_of(text):
    """The medians of the windows after those to warm up; None of a process that prints no events, as all ranks but 0."""
    events = [json.loads(line) for line in text.splitlines()]
    windows = [event for event in events if event["event"] == "step"]
    if not windows:
        return None
    started = next(event for event in events if event["event"] == "run_started")
    times = [later["seconds"] - earlier["seconds"] for earlier, later in zip(windows, windows[1:])][WARM_UP - 1:]
    measured = [rank for event in events if event["event"] == "ranks" and event["step"] > WARM_UP for rank in event["ranks"]]
    seconds, samples = statistics.median(times), windows[-1]["window_samples"]
    found = {"effective": samples, "gradient_bytes": 4 * started["parameters"], "window_seconds": seconds,
             "samples_per_second": samples / seconds}
    for metric, key in (("communication_ms",) * 2, ("wait_ms",) * 2, ("communication_bytes", "bytes")):
        found[key] = statistics.fmean(rank[metric] for rank in measured) if measured else 0
    return found


def busy_seconds():
    """Of all programs of this machine since it started, without interrupts and what a hypervisor takes."""
    ticks = [int(number) for number in Path("/proc/stat").read_text().splitlines()[0].split()[1:4]]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def measured_once(arguments, case, home):
    began, busy, own = time.monotonic(), busy_seconds(), own_seconds()
    outputs = outputs_of(arguments, case, home)
    others = busy_seconds() - busy - (own_seconds() - own)
    found = [figures for figures in map(figures_of, outputs) if figures]
    figures = dict(found[0], others=max(0, others) / ((time.monotonic() - began) * os.cpu_count()))
    for key in FIGURES:
        figures[key] = statistics.fmean(each[key] for each in found)
    return figures


def measured(arguments, case, home):
    """The least disturbed try."""
    best = None
    for _ in range(arguments.tries):
        figures = measured_once(arguments, case, home)
        if best is None or figures["others"] < best["others"]:
            best = figures
        if best["others"] <= arguments.others:
            break
    return best


def point_of(case, rounds, most_others):
    """The median of each figure over the rounds that other programs did not disturb, or of the least disturbed."""
    rounds = [figures for figures in rounds if figures["others"] <= most_others] or [min(rounds, key=lambda each: each["others"])]
    point = dict(asdict(case), effective=rounds[0]["effective"], gradient_bytes=rounds[0]["gradient_bytes"])
    for key in FIGURES:
        point[key] = statistics.median(figures[key] for figures in rounds)
    return point


def write(file, rounds, most_others):
    """`rounds`: (case, figures), in the order in which they were measured."""
    by_case = {}
    for case, figures in rounds:
        by_case.setdefault(case, []).append(figures)
    text = json.dumps({"points": [point_of(case, each, most_others) for case, each in by_case.items()],
                       "rounds": [dict(asdict(case), **figures) for case, figures in rounds]}, indent=1)
    Path(file).write_text(text + "\n")


def earlier_rounds(file):
    if not Path(file).exists():
        return []
    names = Case.__dataclass_fields__
    return [(Case(**{name: entry[name] for name in names if name in entry}), {key: entry[key] for key in entry if key not in names})
            for entry in json.loads(Path(file).read_text())["rounds"]]


def measure(arguments, home):
    rounds = earlier_rounds(arguments.file)
    for number in range(arguments.rounds):
        held = None
        for case in cases_of(arguments):
            if case.link != held:
                limit(held := case.link)
            rounds.append((case, measured(arguments, case, home)))
            figures = rounds[-1][1]
            print(f"round {number + 1}: {case}: {1000 * figures['window_seconds']:.2f} ms, others {figures['others']:.1%}",
                  file=sys.stderr, flush=True)
            write(arguments.file, rounds, arguments.others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--links", default="local,unlimited,1gbit,100mbit", help="local, unlimited, or rates as tc has them")
    parser.add_argument("--shards", default="none,optimizer,parameters")
    parser.add_argument("--steps", default="1,2,4,8,16")
    parser.add_argument("--chunks", type=int, default=2, help="in which the recipe's parameters are gathered (distributed.chunk)")
    parser.add_argument("--kept-bytes", type=int, default=0, help="of the last of them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--micro-batches", type=int, default=160, help="of each rank in each case")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--others", type=float, default=0.03, help="share of the machine that other programs may need")
    parser.add_argument("--recipe", default="first-run")
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    try:
        connect()
        with tempfile.TemporaryDirectory() as home:
            measure(arguments, home)
    finally:
        disconnect()


if __name__ == "__main__":
    main()
