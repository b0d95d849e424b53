# SPDX-License-Identifier: Apache-2.0
"""What gpu_first.py reads out of the answers of programs, and the table that it writes. Runs nothing."""

import contextlib
import json
import re
import statistics


def json_lines(text):
    """The objects of an answer of --json that may have been cut off."""
    objects = []
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            objects.append(json.loads(line))
    return [one for one in objects if isinstance(one, dict)]


def events(lines, name):
    return [line for line in lines if line.get("event") == name]


def losses(lines):
    return [line["loss"] for line in events(lines, "step")]


def greatest_distance(ours, theirs):
    """(greatest relative distance, how many were compared)"""
    pairs = list(zip(ours, theirs))
    return max((abs(a - b) / max(abs(b), 1e-30) for a, b in pairs), default=float("nan")), len(pairs)


def mebibytes(count):
    return f"{count / 2**20:.0f} MiB"


def memory_figures(lines):
    """How a run's memory adds up, a sentence; the allocator's own peak of each window comes with its step."""
    windows = [line for line in events(lines, "memory") if line["phases"][0]["phase"] != "evaluation"]
    phases = [phase for line in events(lines, "memory") for phase in line["phases"]]
    if not phases:
        return "no answer"
    wrong = [phase for phase in phases if sum(phase["peak"].values()) != phase["peak_bytes"]
             or sum(phase["end"].values()) != phase["end_bytes"]]
    negative = [phase for phase in phases if min([*phase["peak"].values(), *phase["end"].values(), phase["cached_bytes"],
                                                  phase["other_bytes"]]) < 0]
    peaks = {line["step"]: max(phase["peak_bytes"] for phase in line["phases"]) for line in windows}
    allocator = {line["step"]: line["peak_bytes"] for line in events(lines, "step")}
    apart = max((abs(peaks[step] - allocator[step]) for step in peaks if step in allocator), default=0)
    return (f"{len(phases)} phases, {len(wrong)} do not add up, {len(negative)} negative; outside "
            f"{mebibytes(phases[-1]['other_bytes'])}, cached {mebibytes(phases[-1]['cached_bytes'])}; peaks of phases and of "
            f"windows at most {apart} B apart")


def speed_figures(lines):
    """(milliseconds of a window over the second half of a run, a sentence); (None, why not)"""
    steps = events(lines, "step")
    if len(steps) < 4:
        return None, f"only {len(steps)} windows"
    half = steps[len(steps) // 2:]
    window = 1000 * (half[-1]["seconds"] - half[0]["seconds"]) / (len(half) - 1)
    parts = ", ".join(f"{key} {statistics.median(line[key + '_ms'] for line in half):.3f}"
                      for key in ("step", "data", "forward", "backward", "optimizer"))
    layout = events(lines, "run_started")[0]["memory_format"]
    return window, (f"{window:.3f} ms a window, {1000 * half[0]['window_samples'] / window:.0f} img/s; device ms: {parts}; "
                    f"peak {mebibytes(half[-1]['peak_bytes'])}, {layout}")


def launch_counts(text):
    """Name → count, of what count_kernels.c writes: a line COUNT, MILLISECONDS, NAME each, with tabs between."""
    counts = {}
    for line in text.splitlines():
        count, _, name = line.split("\t", 2)
        counts[name] = int(count)
    return counts


def launches_of_a_window(short, long, windows):
    """What one window adds, from runs that are `windows` windows apart: all launches, and each kind of copy and wait."""
    kinds = {name: (long[name] - short.get(name, 0)) / windows for name in long if name == "TOTAL" or name.startswith("[")}
    return ", ".join(f"{name.strip('[]')} {count:g}" for name, count in kinds.items() if count) or "nothing"


def test_totals(text):
    """What a test program of Qt Test says of itself: its totals, rows that failed, and why rows were skipped."""
    lines = [line.strip() for line in text.splitlines()]
    totals = [line.removeprefix("Totals: ") for line in lines if line.startswith("Totals: ")]
    failed = [line.split("::", 1)[-1] for line in lines if line.startswith("FAIL!")]
    skipped = sorted({re.sub(r"^.*?\([^)]*\)\s*", "", line) for line in lines if line.startswith("SKIP")})
    words = [*totals, *(f"FAILED {name}" for name in failed), *(f"skipped: {why}" for why in skipped)]
    return "; ".join(words) or "no totals"


def markdown_table(rows):
    cells = [("What", "Measured"), ("---", "---"), *rows]
    one_line = [[" ".join(str(cell).split()).replace("|", "\\|") for cell in row] for row in cells]
    return "\n".join("| " + " | ".join(row) + " |" for row in one_line)
