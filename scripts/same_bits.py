#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a change of the code leaves every trained bit as it was.

    scripts/same_bits.py record BIN FILE      trains the cases below with BIN/accrue and writes what they gave
    scripts/same_bits.py compare FILE FILE    says where two such files differ; exit 1 where they do
    scripts/same_bits.py cases                lists the cases

Each case trains 60 updates on the CPU with two threads, and records the SHA-256 of the checkpoint's model.safetensors and
state.safetensors, every logged value that no clock decides, and what the command line says where it refuses. Two recordings are
alike only on one machine: kernels differ from processor to processor. Record with the build before a change and with the one after it.
"""

import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# A clock or the machine decides these.
UNSTEADY = ("_ms", "seconds", "throughput", "_bytes")

BASE = {
    "data.name": "digits", "batch.micro": "16", "batch.steps": "3", "optimizer.lr": "0.02", "optimizer.momentum": "0.9",
    "run.epochs": "50", "run.limit_steps": "60", "run.threads": "2", "run.device": "cpu", "run.evaluate_every": "30 steps",
    "checkpoint.every": "25 steps",
}


def small(**settings):
    """A case of few samples, for networks that take long."""
    return {"batch.micro": "4", "batch.steps": "2", "run.evaluate_every": "60 steps", "data.test": "0", **settings}


CASES = {
    "lenet5": {},
    "lenet5 batch": {"model.norm": "batch"},
    "lenet5 batch over the window": {
        "model.norm": "batch", "model.batchnorm_window": "true", "model.batchnorm_momentum": "corrected",
        "model.batchnorm_precise": "true"},
    "lenet5 group, adam": {"model.norm": "group", "optimizer.name": "adam", "optimizer.lr": "0.001"},
    "lenet5 layer, adamw": {
        "model.norm": "layer", "optimizer.name": "adamw", "optimizer.lr": "0.001", "optimizer.weight_decay": "0.05",
        "optimizer.decay_norm_and_bias": "false"},
    "lenet5 instance, average": {"model.norm": "instance", "optimizer.ema": "0.9", "checkpoint.best": "true"},
    "mlp, normal start": {
        "model.name": "mlp", "model.widths": "64, 32", "model.init": "normal", "optimizer.nesterov": "true",
        "optimizer.weight_decay": "0.001"},
    "vgg batch": small(**{"model.name": "vgg", "model.norm": "batch", "run.limit_steps": "6", "run.evaluate_every": "6 steps"}),
    "resnet18 group": small(**{
        "model.name": "resnet18", "model.stem": "cifar", "model.norm": "group", "run.limit_steps": "6",
        "run.evaluate_every": "6 steps"}),
    "tail drop, sum": {"batch.tail": "drop", "batch.reduction": "sum", "batch.micro": "100", "batch.steps": "7"},
    "tail carry": {"batch.tail": "carry", "batch.micro": "100", "batch.steps": "7", "run.limit_steps": "60"},
    "tail flush, odd": {"batch.effective": "700", "batch.micro": "96", "batch.steps": "auto"},
    "float64": {"run.precision": "float64"},
    "bfloat16": {"run.precision": "bfloat16", "run.limit_steps": "20"},
    "float16, skips": {"run.precision": "float16", "run.not_finite": "skip", "run.limit_steps": "10"},
    "diverges": {"optimizer.lr": "1000"},
    "metering full, traced": {"memory.metering": "full", "trace.parameters": "first"},
    "metering off": {"memory.metering": "off"},
    "steps schedule, onecycle": {
        "batch.steps": None, "batch.schedule": "1 from step 0, 3 from step 20, 6 from step 40", "optimizer.lr_rule": "linear",
        "schedule.name": "onecycle"},
    "clipped, cosine": {
        "optimizer.clip_norm": "0.5", "optimizer.clip_value": "0.1", "schedule.name": "cosine", "schedule.warmup_steps": "10",
        "optimizer.dampening": "0.1"},
    "validation, augmented": {
        "data.validation": "0.1", "data.augment": "crop:2, cutout:4", "data.normalize": "measured", "schedule.name": "step",
        "schedule.every": "20 steps"},
    "deterministic, channels last": {"run.deterministic": "true", "run.memory_format": "channels_last", "schedule.name": "linear"},
    "unshuffled, multistep": {"data.shuffle": "false", "schedule.name": "multistep", "schedule.milestones": "20 steps, 40 steps"},
    "one thread, seed": {"run.threads": "1", "run.seed": "7"},
    "budget, halved": {"memory.budget": "24MiB", "batch.micro": "256", "batch.steps": "2", "run.limit_steps": "8"},
    "budget, too small": {"memory.budget": "1MiB"},
    "refused": {"batch.steps": "auto", "batch.micro": "auto", "batch.effective": "auto", "optimizer.beta1": "2"},
}
RESUMED = ("lenet5", "lenet5 batch over the window", "lenet5 instance, average", "tail carry", "float16, skips", "lenet5 group, adam")


def settings_of(case, **more):
    wanted = {**BASE, **CASES[case], **more}
    return [word for key, value in wanted.items() if value is not None for word in ("--set", f"{key}={value}")]


def call(program, folder, *words):
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"),
                   "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.run([str(program), *words], env=environment, capture_output=True, text=True, cwd=folder)


def digests(folder):
    """Of the checkpoints that were kept. The folder of the run's checkpoints has a random name."""
    files = sorted(folder.glob("runs.checkpoints/*/*/*.safetensors"))
    return {"/".join(path.parts[-2:]): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def steady(name):
    return not name.endswith(UNSTEADY)


def logged(program, folder):
    """Every logged value that no clock decides: metric, step, value."""
    target = folder / "values.csv"
    call(program, folder, "export", "--csv", str(target), "--db", str(folder / "runs.db"))
    if not target.exists():
        return []
    with target.open(newline="", encoding="utf-8") as file:
        return [[row["metric"], row["step"], row["samples"], row["value"]] for row in csv.DictReader(file) if steady(row["metric"])]


def recorded(program, case, resumed):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = str(folder / "runs.db")
        recipe = folder / "case.toml"
        recipe.touch()
        words = ["train", str(recipe), "--db", database]
        if resumed:
            stop = int({**BASE, **CASES[case]}["run.limit_steps"])
            first = call(program, folder, *words, *settings_of(case, **{"run.limit_steps": str(stop // 2)}))
            end = call(program, folder, "resume", "1", "--db", database, "--set", f"run.limit_steps={stop}")
            code = [first.returncode, end.returncode]
        else:
            end = call(program, folder, *words, *settings_of(case))
            code = [end.returncode]
        said = end.stderr.replace(str(folder), "FOLDER").splitlines() if any(code) else []
        values = logged(program, folder)
        return {"codes": code, "said": said, "files": digests(folder), "values": values}


def names():
    return [(case, False) for case in CASES] + [(case, True) for case in RESUMED]


def record(folder, target):
    program = Path(folder).resolve() / "accrue"
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    found = {}
    for case, resumed in names():
        name = case + (", resumed" if resumed else "")
        found[name] = recorded(program, case, resumed)
        print(f"{name}: {found[name]['codes']}, {len(found[name]['values'])} values, {len(found[name]['files'])} files", flush=True)
    Path(target).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def of_both(left, right):
    """What differs of two lists or dictionaries."""
    if not isinstance(left, dict):
        return f"{left} and {right}"
    return ", ".join(sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name)))


def differences(a, b):
    for case in sorted(a.keys() | b.keys()):
        left, right = a.get(case), b.get(case)
        if left is None or right is None:
            yield f"{case}: only in one of the files"
            continue
        for part in ("codes", "said", "files"):
            if left[part] != right[part]:
                yield f"{case}: {part} differ: {of_both(left[part], right[part])}"
        known = {name for name, *_ in left["values"]}
        new = [row for row in right["values"] if row[0] in known]
        if left["values"] != new:
            first = next((pair for pair in zip(left["values"], new) if pair[0] != pair[1]), (len(left["values"]), len(new)))
            yield f"{case}: values: first {first}"


def compare(one, other):
    a, b = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (one, other))
    found = list(differences(a, b))
    for line in found:
        print(line)
    files = sum(len(case["files"]) for case in a.values())
    values = sum(len(case["values"]) for case in a.values())
    print(f"{len(a)} cases, {files} files, {values} values: {len(found)} differences")
    return 1 if found else 0


def main(words):
    if words[:1] == ["record"] and len(words) == 3:
        record(words[1], words[2])
        return 0
    if words[:1] == ["compare"] and len(words) == 3:
        return compare(words[1], words[2])
    if words == ["cases"]:
        print("\n".join(case + (", resumed" if resumed else "") for case, resumed in names()))
        return 0
    print(__doc__.strip())
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
