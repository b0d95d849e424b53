#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/scaling.md from the points in docs/scaling_points.json, by `accrue scale`.

    scripts/write_scaling_tables.py            writes
    scripts/write_scaling_tables.py --check    exit 1 where docs/scaling.md is not current

A table follows a comment with its name, `<!-- table: NAME -->`. Needs the release build.
"""

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ACCRUE = Path(os.environ.get("ACCRUE_BIN", ROOT / "build/release/bin")) / "accrue"
DOCUMENT, POINTS = ROOT / "docs/scaling.md", ROOT / "docs/scaling_points.json"
PREDICTED = ("--predict", "8,64,1024,16384", "--steps", "1,4,16", "--per-machine", "8", "--critical-batch", "65536", "--assume",
             "25us,10gbit", "--assume", "5us,100gbit")
RATES = {"1gbit": 125e6, "100mbit": 12.5e6}  # bytes per second
TABLE = re.compile(r"(<!-- table: (\w+) -->\n\n)((?:\|.*\n)*)")


def told(*options):
    return json.loads(subprocess.run([ACCRUE, "scale", "--points", POINTS, "--json", *options], check=True, capture_output=True,
                                     text=True).stdout)


def table(head, rows, left):
    """The first `left` columns begin at the left."""
    lines = [head, ["---" if column < left else "--:" for column in range(len(head))], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("| --- ", "|---").replace("| --: ", "|--:").replace(
        "--- |\n", "---|\n").replace("--: |\n", "--:|\n")


def named(link):
    return "one machine (`local`)" if link == "local" else f"`{link}`"


def percent(share):
    return f"{100 * share:.0f} %"


def grouped(count):
    return f"{count:,}".replace(",", " ")


class Points:
    def __init__(self, points):
        self.all = points
        self.steps = sorted({point["steps"] for point in points})
        self.links = list(dict.fromkeys(point["link"] for point in points))
        self.alone = {point["steps"]: point["window_seconds"] for point in points if point["ranks"] == 1}

    def row(self, link, synchronize, shard, figure):
        """A cell for each N; once per window and each micro-batch are the same with one step."""
        by_steps = {point["steps"]: point for point in self.all
                    if (point["ranks"], point["link"], point["shard"]) == (2, link, shard)
                    and (point["synchronize"] == synchronize or point["steps"] == 1)}
        return [percent(figure(by_steps[steps])) for steps in self.steps]

    def efficiency(self, point):
        return self.alone[point["steps"]] / point["window_seconds"]

    @staticmethod
    def communication(point):
        return point["communication_ms"] / 1000 / point["window_seconds"]

    def head(self, title):
        return [title, *(f"N {steps}" for steps in self.steps)]

    def by_synchronisation(self, title, figure):
        rows = [[f"{named(link)}, {words}", *self.row(link, synchronize, "none", figure)] for link in self.links
                for synchronize, words in (("window", "once per window"), ("micro_batch", "each micro-batch"))]
        return table(self.head(title), rows, 1)

    def by_shard(self):
        rows = [[f"{named(link)}, `{shard}`", *self.row(link, "window", shard, self.efficiency)] for link in self.links
                for shard in ("optimizer", "parameters")]
        return table(self.head("Efficiency"), rows, 1)


def constants(law):
    rows = []
    for link in (link for link in law["links"] if not link["assumed"]):
        speed, rate = link["bytes_per_second"], RATES.get(link["link"])
        rows.append([named(link["link"]), f"{1e6 * link['latency_seconds']:.0f} µs",
                     "no limit" if speed is None else f"{speed / 1e9:.1f} GB" if speed >= 1e9 else f"{speed / 1e6:.3g} MB",
                     percent(speed / rate) if speed and rate else "–"])
    return table(["Link", "Latency of a message", "Bytes per second", "Of the rate"], rows, 1)


def errors(points, found):
    def row(name, chosen):
        errors_of = [error for point, error in zip(points, found) if chosen(point)]
        cells = [name, str(len(errors_of)), f"{100 * statistics.median(errors_of):.1f} %", f"{100 * max(errors_of):.1f} %"]
        return [f"**{cell}**" for cell in cells] if name == "all" else cells

    two = [("two ranks, nothing in parts, once per window", "none", "window"),
           ("two ranks, nothing in parts, each micro-batch", "none", "micro_batch"),
           ("two ranks, optimizer", "optimizer", "window"), ("two ranks, parameters", "parameters", "window")]
    rows = [row("one rank", lambda point: point["ranks"] == 1)]
    rows += [row(named(link), lambda point, link=link: point["ranks"] == 2 and point["link"] == link)
             for link in dict.fromkeys(point["link"] for point in points)]
    rows += [row(name, lambda point, of=(2, shard, when): (point["ranks"], point["shard"], point["synchronize"]) == of)
             for name, shard, when in two]
    return table(["Points", "Count", "Median", "Largest"], [*rows, row("all", lambda point: True)], 1)


def ranged(found, show):
    """The value, and how far it may be from there."""
    value, least, most = (show(found[key]) for key in ("value", "least", "most"))
    return value if least == most else f"{value} ({least}–{most})"


def shown_efficiency(found):
    digits = ranged(found, lambda share: f"{100 * share:.3g}")
    return f"{digits} %"


def shown_count(found):
    return ranged(found, lambda count: "none" if count is None else grouped(count))


def within_critical(found):
    if not found or not found["steps"]:
        return "N 1 is beyond it"
    return f"{'yes' if found['is_enough'] else 'no'}, N {found['steps']}: {percent(found['efficiency']['value'])}"


def predictions(all_of_them, links, shards):
    rows = []
    for one in (one for one in all_of_them if one["link"] in links and one["shard"] in shards):
        by_steps = {step["steps"]: step["efficiency"] for step in one["steps"]}
        value = one["effective_for_90_percent"]["value"]
        rows.append([f"`{one['link']}`", grouped(one["ranks"]),
                     "ring" if one["per_machine"] == 1 else f"{one['per_machine']} per machine", f"`{one['shard']}`",
                     shown_efficiency(by_steps[1]), shown_efficiency(by_steps[16]), shown_count(one["steps_for_90_percent"]),
                     "none" if value is None else grouped(value), within_critical(one["within_critical_batch"])])
    head = ["Link", "W", "Reduction", "Shard", "N 1", "N 16", "Fewest N for 90 %", "B", "Within B 65 536"]
    lines = table(head, rows, 1).split("\n")
    lines[1] = "|---|--:|---|---|--:|--:|--:|--:|---|"
    return "\n".join(lines)


def tables():
    found = told(*PREDICTED)
    points = Points(found["points"])
    return {
        "efficiency": points.by_synchronisation("Efficiency", points.efficiency),
        "communication": points.by_synchronisation("Communication", points.communication),
        "parts": points.by_shard(),
        "constants": constants(found["law"]),
        "errors": errors(found["points"], found["law"]["held_out_errors"]),
        "measured": predictions(found["predictions"], ("1gbit", "100mbit"), ("none",)),
        "assumed": predictions(found["predictions"], ("25us,10gbit", "5us,100gbit"), ("none", "parameters")),
    }


def main():
    fresh = tables()
    text = DOCUMENT.read_text(encoding="utf-8")
    current = TABLE.sub(lambda match: match[1] + fresh.pop(match[2]), text)
    if fresh:
        sys.exit(f"docs/scaling.md has no place for: {', '.join(fresh)}")
    if "--check" in sys.argv and current != text:
        sys.exit("docs/scaling.md is not what its points tell; scripts/write_scaling_tables.py writes it")
    if "--check" not in sys.argv:
        DOCUMENT.write_text(current, encoding="utf-8")


if __name__ == "__main__":
    main()
