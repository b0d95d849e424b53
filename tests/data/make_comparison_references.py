#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes, with SciPy, the figures that the tests of comparing runs compare with: intervals, paired tests, one-way effects, trends.

    python tests/data/make_comparison_references.py        (writes comparison_references.json beside itself)

Every case has its inputs, so no random state is shared between the two sides. Made with SciPy 1.17.1 and NumPy 2.4.6.
"""
import json
import math
from pathlib import Path

import numpy as np
from scipy import optimize, special, stats

generator = np.random.default_rng(20261127)


def student_t():
    for probability in (0.5, 0.8, 0.95, 0.99, 0.999):
        for degrees in (1, 2, 3, 4, 5, 9, 29, 30, 99, 100, 999, 1500, 12345, 1_000_000):
            t = float(stats.t.isf((1 - probability) / 2, degrees))
            yield {"probability": probability, "degrees": degrees, "t": t}


def tails():
    for t in (0.0, 1e-6, 0.1, 0.7, 1.0, 2.0, 3.5, 8.0, 40.0, 1000.0):
        for degrees in (1, 2, 3, 4, 9, 30, 250, 4000, 1_000_000):
            yield {"t": t, "degrees": degrees, "p": float(2 * stats.t.sf(t, degrees))}


def samples():
    yield [0.9871, 0.9883]
    yield [0.97, 0.98, 0.981]
    yield [1e6 + 1, 1e6 + 2, 1e6 + 4, 1e6 + 8]
    yield [-3.25, 0.0, 12.5, 1e-3, 7.0]
    for count in (2, 3, 5, 10, 40, 300):
        yield list(generator.normal(0.98, 0.004, count))
        yield list(generator.lognormal(5, 1, count))


def means():
    for values in samples():
        low, high = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values))
        yield {"values": values, "mean": float(np.mean(values)), "deviation": float(np.std(values, ddof=1)),
               "low": float(low), "high": float(high)}


def pairs():
    for count in (2, 3, 4, 5, 9, 25, 200):
        for shift in (0.0, 0.001, 0.019, 0.3):
            chance = generator.normal(0.95, 0.01, count)  # what both runs of a seed share
            yield chance + generator.normal(0, 0.006, count), chance + generator.normal(shift, 0.006, count)


def paired():
    for one, other in pairs():
        test = stats.ttest_rel(other, one)
        interval = test.confidence_interval(0.95)
        yield {"one": list(one), "other": list(other), "difference": float(np.mean(other - one)),
               "low": float(interval.low), "high": float(interval.high), "t": float(test.statistic), "p": float(test.pvalue)}


def fewest(mean, deviation):
    for count in range(2, 1001):
        if stats.t.ppf(0.975, count - 1) * deviation / math.sqrt(count) < abs(mean):
            return count
    return None


def counts():
    for ratio in (0.05, 0.062, 0.0621, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 3.0, 10.0, 100.0):
        for deviation in (0.004, 2.5):
            yield {"mean": -ratio * deviation, "deviation": deviation, "count": fewest(ratio * deviation, deviation)}


def below_f():
    for between, within in ((1, 4), (2, 9), (3, 20), (7, 100), (1, 1)):
        for f in (0.05, 0.8, 3.0, 12.0, 90.0):
            for noncentrality in (0.0, 0.5, 4.0, 60.0, 900.0):
                share = stats.ncf.cdf(f, between, within, noncentrality) if noncentrality else stats.f.cdf(f, between, within)
                yield {"f": f, "between": between, "within": within, "noncentrality": noncentrality, "share": float(share)}


def noncentrality(f, between, within, share):
    """The noncentrality for which P(F <= f) is share; 0 if it is lower without any."""
    if special.fdtr(between, within, f) <= share:
        return 0.0
    high = 1.0
    while stats.ncf.cdf(f, between, within, high) > share:
        high *= 2
    return optimize.brentq(lambda each: stats.ncf.cdf(f, between, within, each) - share, 0, high, xtol=1e-13, rtol=1e-14)


def designs():
    for sizes in ((3, 3), (2, 2, 2), (5, 5, 5, 5), (4, 7, 2), (20, 20), (1, 4, 6), (30, 30, 30, 30, 30)):
        for effect in (0.0, 0.004, 0.02, 0.2):
            yield [list(generator.normal(0.9 + effect * group, 0.01, size)) for group, size in enumerate(sizes)]


def effects():
    for groups in designs():
        values = np.concatenate(groups)
        count, many = len(values), len(groups)
        between = sum(len(group) * (np.mean(group) - np.mean(values)) ** 2 for group in groups)
        within = sum(((np.array(group) - np.mean(group)) ** 2).sum() for group in groups)
        square = within / (count - many)
        f, p = stats.f_oneway(*groups)
        low, high = (noncentrality(f, many - 1, count - many, share) for share in (0.975, 0.025))
        yield {"groups": groups, "eta": float(between / (between + within)),
               "omega": max(0.0, float((between - (many - 1) * square) / (between + within + square))), "p": float(p),
               "low": low / (low + count), "high": high / (high + count)}


def tables():
    for table in ([[5, 0], [0, 5]], [[3, 3], [3, 3]], [[4, 1, 2], [0, 3, 3]], [[2, 0, 0], [0, 3, 0], [0, 0, 4], [1, 0, 2]]):
        yield {"table": table, "v": float(stats.contingency.association(np.array(table), method="cramer"))}


def clouds():
    yield [8, 16, 32], [0.91, 0.95, 0.96]  # one degree of freedom
    yield [1, 2, 3, 4, 4], [2, 4, 6, 8, 8]  # on a line
    yield [1.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]  # of one height
    yield [1e6 + each for each in range(6)], [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
    for count in (4, 12, 60, 400):
        for slope in (0.0, -0.003, 2.0):
            x = generator.uniform(-1, 9, count)
            yield list(x), list(0.9 + slope * x + generator.normal(0, 0.01, count))


def trends():
    for x, y in clouds():
        line = stats.linregress(x, y)
        columns = np.column_stack([np.ones(len(x)), np.array(x, dtype=float)])
        upper = np.linalg.qr(columns, mode="r")
        errors = y - columns @ np.linalg.lstsq(columns, np.array(y, dtype=float), rcond=None)[0]
        deviation = math.sqrt(float(errors @ errors) / (len(x) - 2))
        places = [float(np.min(x)), float(np.mean(x)), float(np.max(x)) + 1]
        halves = [float(stats.t.ppf(0.975, len(x) - 2) * deviation * np.linalg.norm(np.linalg.solve(upper.T, [1, place])))
                  for place in places]
        yield {"x": x, "y": y, "slope": float(line.slope), "intercept": float(line.intercept),
               "r_squared": float(line.rvalue) ** 2 if len(set(y)) > 1 else None, "places": places, "halves": halves}


def main():
    made = {part.__name__: list(part()) for part in (student_t, tails, means, paired, counts, below_f, effects, tables, trends)}
    lines = ",\n".join(f" {json.dumps(name)}: [\n  " + ",\n  ".join(json.dumps(case) for case in cases) + "\n ]"
                       for name, cases in made.items())
    (Path(__file__).parent / "comparison_references.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
