#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it brings that two ranks sum their gradients in buckets while they compute them, over links of several rates.

    scripts/measure_overlap.py [--links 1gbit,100mbit] [--steps 1,2,4,8] [--buckets 0,4194304] [--rounds 5] [--recipe first-run]
                               [--set KEY=VALUE]…

The ranks are on two hosts as those of measure_scaling.py, with one thread each. 0 bytes: one sum, after the last backward pass.
Each round measures every size of buckets once, one after the other, so that a while in which the machine is slower does not
fall on one of them. A case is measured again, at most --tries times, if other programs needed more than --others of the
machine meanwhile, and a round with such a case does not count unless there is no other. Prints a table in Markdown with medians
of the rounds: the time of a window, in brackets how long the ranks wait for sums in it, and the share of the time with the
first size that it is.

Needs root, ip and tc (Debian's iproute2), and the release build.
"""

import argparse
import os
import statistics
import sys
import tempfile

import measure_scaling as scaling


def round_of(arguments, case, home):
    """The figures with each size of buckets."""
    found = {}
    for bucket in arguments.buckets:
        os.environ["ACCRUE_OVERLAPPED_BYTES"] = str(bucket)
        found[bucket] = scaling.measured(arguments, case, home)
        print(f"{case.link}, N {case.steps}, {bucket} bytes: {1000 * found[bucket]['window_seconds']:.0f} ms, "
              f"others {found[bucket]['others']:.1%}", file=sys.stderr, flush=True)
    return found


def disturbance(figures):
    return max(each["others"] for each in figures.values())


def name_of(bucket):
    return f"{bucket / 2**20:g} MiB" if bucket else "one sum"


def row_of(arguments, case, rounds):
    rounds = [each for each in rounds if disturbance(each) <= arguments.others] or [min(rounds, key=disturbance)]
    median = {key: {bucket: statistics.median(each[bucket][key] for each in rounds) for bucket in arguments.buckets}
              for key in ("window_seconds", "communication_ms")}
    cells = [f"`{case.link}`", str(case.steps), str(len(rounds))]
    for bucket in arguments.buckets:
        cells.append(f"{1000 * median['window_seconds'][bucket]:.0f} ms ({median['communication_ms'][bucket]:.0f})")
        if bucket != arguments.buckets[0]:
            shares = [each[bucket]["window_seconds"] / each[arguments.buckets[0]]["window_seconds"] for each in rounds]
            cells.append(f"{statistics.median(shares):.0%}")
    return "| " + " | ".join(cells) + " |"


def measure(arguments, home):
    sizes = [name_of(arguments.buckets[0])]
    for bucket in arguments.buckets[1:]:
        sizes += [name_of(bucket), "of the time"]
    print("| Link | N | Rounds | " + " | ".join(sizes) + " |")
    print("|---|--:|--:|" + "--:|" * len(sizes), flush=True)
    for link in arguments.links.split(","):
        scaling.limit(link)
        for steps in arguments.steps.split(","):
            case = scaling.Case(2, int(steps), link=link)
            rounds = [round_of(arguments, case, home) for _ in range(arguments.rounds)]
            print(row_of(arguments, case, rounds), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", default="1gbit,100mbit", help="unlimited, or rates as tc has them")
    parser.add_argument("--steps", default="1,2,4,8")
    parser.add_argument("--buckets", default="0,4194304", help="bytes, the first one is compared with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--micro-batches", type=int, default=8, help="of each rank in each case; five windows at least")
    parser.add_argument("--tries", type=int, default=2)
    parser.add_argument("--others", type=float, default=0.05, help="share of the machine that other programs may need")
    parser.add_argument("--recipe", default="first-run")
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    arguments.buckets = [int(size) for size in arguments.buckets.split(",")]
    try:
        scaling.connect()
        with tempfile.TemporaryDirectory() as home:
            measure(arguments, home)
    finally:
        scaling.disconnect()


if __name__ == "__main__":
    main()
