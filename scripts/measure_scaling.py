#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures two ranks on two hosts, which are network namespaces of this machine with a cable of a limited rate between them,
and writes the points that `accrue scale --points` reads.

    scripts/measure_scaling.py FILE [--rate 1gbit|100mbit|unlimited] [--steps 1,2,4,8,16] [--updates 10] [--shard none]
                               [--recipe first-run] [--set KEY=VALUE]…

Needs root, ip and tc (Debian's iproute2), and the release build. Each rank has one thread.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ACCRUE = Path(os.environ.get("ACCRUE_BIN", ROOT / "build/release/bin")) / "accrue"
HOSTS = (f"accrue-a-{os.getpid()}", f"accrue-b-{os.getpid()}")
ADDRESSES = ("10.78.0.1", "10.78.0.2")
WARM_UP = 2  # windows


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def connect(rate):
    for host in HOSTS:
        run("ip", "netns", "add", host)
    run("ip", "link", "add", "cable", "netns", HOSTS[0], "type", "veth", "peer", "name", "cable", "netns", HOSTS[1])
    for host, address in zip(HOSTS, ADDRESSES, strict=True):
        run("ip", "-n", host, "address", "add", f"{address}/24", "dev", "cable")
        run("ip", "-n", host, "link", "set", "cable", "up")
        run("ip", "-n", host, "link", "set", "lo", "up")
        if rate != "unlimited":
            run("tc", "-n", host, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", rate, "burst", "256kbit", "latency",
                "100ms")


def disconnect():
    for host in HOSTS:
        subprocess.run(["ip", "netns", "delete", host], check=False, capture_output=True)


def command(arguments, ranks, steps, synchronize):
    settings = [f"batch.devices={ranks}", f"batch.steps={steps}", f"distributed.synchronize={synchronize}",
                f"distributed.shard={arguments.shard}", f"run.limit_steps={WARM_UP + arguments.updates}", "run.epochs=1000",
                "run.threads=1", "run.evaluate_every=1000000 steps", "memory.metering=off", "run.device=cpu", *arguments.set]
    words = [str(ACCRUE), "train", arguments.recipe, "--json", "--db", "none"]
    for setting in settings:
        words += ["--set", setting]
    return words


def events_of(arguments, ranks, steps, synchronize, home):
    """The events of a run of one rank, or of two on the two hosts."""
    processes = []
    for rank in reversed(range(ranks)):
        environment = dict(os.environ, XDG_DATA_HOME=home)
        words = command(arguments, ranks, steps, synchronize)
        if ranks > 1:
            environment.update(RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK="0", MASTER_ADDR=ADDRESSES[0], MASTER_PORT="29500")
            words = ["ip", "netns", "exec", HOSTS[rank], *words]
        processes.append(subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    text, problems = processes[-1].communicate()
    for process in processes[:-1]:
        process.communicate()
    if processes[-1].returncode != 0:
        sys.exit(f"rank 0 failed: {problems}")
    return [json.loads(line) for line in text.splitlines()]


def point_of(events, ranks, steps, synchronize):
    started = next(event for event in events if event["event"] == "run_started")
    windows = [event for event in events if event["event"] == "step"]
    times = [later["seconds"] - earlier["seconds"] for earlier, later in zip(windows, windows[1:])][WARM_UP - 1:]
    measured = [rank for event in events if event["event"] == "ranks" and event["step"] > WARM_UP for rank in event["ranks"]]

    def mean(metric):
        return statistics.fmean(rank[metric] for rank in measured) if measured else 0

    seconds = statistics.median(times)
    samples = windows[-1]["window_samples"]
    return {"ranks": ranks, "steps": steps, "synchronize": synchronize, "effective": samples,
            "gradient_bytes": 4 * started["parameters"], "window_seconds": seconds, "samples_per_second": samples / seconds,
            "communication_ms": mean("communication_ms"), "wait_ms": mean("wait_ms"), "bytes": mean("communication_bytes")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--rate", default="unlimited")
    parser.add_argument("--steps", default="1,2,4,8,16")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--shard", default="none")
    parser.add_argument("--recipe", default="first-run")
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    points = []
    try:
        connect(arguments.rate)
        with tempfile.TemporaryDirectory() as home:
            for ranks in (1, 2):
                for steps in map(int, arguments.steps.split(",")):
                    for synchronize in ("window", "micro_batch") if ranks > 1 and steps > 1 else ("window",):
                        events = events_of(arguments, ranks, steps, synchronize, home)
                        points.append(point_of(events, ranks, steps, synchronize))
                        print(f"W {ranks}, N {steps}, {synchronize}: {1000 * points[-1]['window_seconds']:.1f} ms",
                              file=sys.stderr)
    finally:
        disconnect()
    Path(arguments.file).write_text(json.dumps({"rate": arguments.rate, "shard": arguments.shard, "points": points}, indent=2))


if __name__ == "__main__":
    main()
