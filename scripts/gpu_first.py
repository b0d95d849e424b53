#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What to run first on a machine with a GPU: ten minutes, the most telling first. Standard library only.

    gpu_first.py OUT [--device cuda] [--limit SECONDS] [--quick] [--accrue LAUNCHER]

Lies in an archive of `scripts/bundle.sh --tests` beside the launchers accrue and accrue-tests, gpu_figures.py, gpu_peer.py
and count_kernels.c, and needs nothing else; Python's torch is that of ACCRUE_PYTHON, or of python3. Each stage has its own
limit and cannot stop the next. Two files come back: OUT/measurements.md, a table for docs/measurements.md that is written anew with
each row, and OUT/log.txt, the ends of all answers. --quick makes everything small, and with --device cpu every stage answers
without a GPU: that shows that this program works, and its figures mean nothing.
"""

import argparse
import contextlib
import datetime
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from gpu_figures import (events, greatest_distance, json_lines, launch_counts, launches_of_a_window, losses, markdown_table,
                         mebibytes, memory_figures, speed_figures, test_totals)

HERE = Path(__file__).resolve().parent
NEEDS_GPU = "needs a GPU"
NO_EVALUATION = "run.evaluate_every=1000000 steps"
RESNET = ["data.name=cifar10", "data.augment=", "data.normalize=published", "model.name=resnet18", "optimizer.lr=0.01",
          "checkpoint.best=false", "run.evaluation_batch=512"]
LAYOUTS = ("channels_last", "contiguous")
PRECISIONS = {"fp32": [], "tf32": ["run.tf32=true"], "bf16": ["run.precision=bfloat16"]}


# ---- running and reporting ------------------------------------------------------------------------------------------------

@dataclass
class Answer:
    code: int  # -1: too slow, no time left, or not started
    out: str
    err: str

    def problem(self):
        return f"exit {self.code}: {(self.err.strip() or self.out.strip())[-300:]}"


def sets(*settings):
    return [word for setting in settings for word in ("--set", setting)]


class Bench:
    """Runs programs within what is left of the time, and keeps what they said."""

    def __init__(self, arguments, work):
        self.began = time.monotonic()
        self.limit, self.device, self.quick = arguments.limit, arguments.device, arguments.quick
        self.accrue = Path(arguments.accrue).absolute()
        self.tests = self.accrue.with_name("accrue-tests")
        self.python = os.environ.get("ACCRUE_PYTHON") or "python3"
        self.work, self.out = work, Path(arguments.out)
        self.data = work / "data"
        self.on_gpu = arguments.device != "cpu"
        self.title, self.rows = "", []

    def left(self):
        return self.limit - (time.monotonic() - self.began)

    def row(self, what, measured):
        print(f"{time.monotonic() - self.began:6.1f} s  {what:34} {measured}", flush=True)
        self.rows.append((what, measured))
        (self.out / "measurements.md").write_text(f"{self.title}\n\n{markdown_table(self.rows)}\n")

    def log(self, title, text):
        with open(self.out / "log.txt", "a") as log:
            log.write(f"==== {title}\n{text}\n")

    def run(self, name, command, seconds, env=None, quiet=False):
        """An answer; one that is not 0 gets a row, unless quiet."""
        command = [str(word) for word in command]
        answer = Answer(-1, "", "no time left")
        if self.left() > 5:
            answer = self.answer_of(command, min(seconds, self.left()), env or {})
        self.log(f"{name}, exit {answer.code}", f"$ {' '.join(command)}\n{answer.out[-6000:]}\n---- stderr\n{answer.err[-3000:]}")
        if answer.code != 0 and not quiet:
            self.row(name, answer.problem())
        return answer

    def answer_of(self, command, seconds, env):
        variables = {**os.environ, "XDG_DATA_HOME": str(self.work / "home"), "XDG_CONFIG_HOME": str(self.work / "config"), **env}
        try:
            process = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        except OSError as problem:
            return Answer(-1, "", str(problem))
        try:
            out, err = process.communicate(timeout=seconds)
            return Answer(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            kill_group(process)
            out, err = process.communicate()
            return Answer(-1, out, f"{err}\nstopped after {seconds:.0f} s")
        finally:
            kill_group(process)

    def train(self, name, *settings, seconds=60, device=None, env=None):
        """The events of a training of the first-run recipe with these settings, evaluated at its end only."""
        command = [self.accrue, "train", "first-run", "--db", "none", "--json", "--device", device or self.device,
                   "--data", self.data, *sets(NO_EVALUATION, *settings)]
        return json_lines(self.run(name, command, seconds, env).out)


def kill_group(process):
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


# ---- the stages -----------------------------------------------------------------------------------------------------------

def describe_machine(bench):
    smi = bench.run("nvidia-smi", ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"], 15,
                    quiet=True)
    bench.run("nvidia-smi -q", ["nvidia-smi", "-q", "-d", "MEMORY,CLOCK,ECC"], 15, quiet=True)
    doctor = bench.run("doctor", [bench.accrue, "doctor", "--json"], 90)
    found = json.loads(doctor.out)
    gpus = [device for device in found.get("devices", []) if device["id"] != "cpu"] if bench.on_gpu else []
    name = ", ".join(device["name"] for device in gpus) or next(
        (device["name"] for device in found.get("devices", [])), "no device")
    driver = f", driver {found['driver']}" if gpus and found["driver"] else ""
    bench.title = (f"{name}{driver}; accrue {found['accrue']} ({found['code_revision']}), LibTorch {found.get('torch', 'none')}; "
                   f"{datetime.date.today().isoformat()}; `gpu_first.py{' --quick' if bench.quick else ''}`")
    bench.row("machine", smi.out.strip() if smi.code == 0 else f"nvidia-smi: {NEEDS_GPU}")
    bench.row("doctor", f"can train: {found['can_train']}; {'; '.join(found['missing']) or 'nothing is missing'}")


def test_itself(bench):
    runs = {"selftest": {}, "selftest without TF32": {"NVIDIA_TF32_OVERRIDE": "0"}}
    for name, env in runs.items():
        if env and not bench.on_gpu:
            bench.row(name, NEEDS_GPU)
            continue
        answer = bench.run(name, [bench.accrue, "selftest", "--device", bench.device, "--json"], 120, env)
        if not answer.out.strip():
            continue
        checks = json.loads(answer.out)["checks"]
        for check in checks:
            if check["result"] == "failed" or (bench.on_gpu and "device" in check["check"]):
                bench.row(f"{name}: {check['check']}", f"{check['measured']}, limit {check['limit']}: {check['result']}")
        counted = ", ".join(f"{sum(check['result'] == result for check in checks)} {result}"
                            for result in ("passed", "failed", "skipped"))
        bench.row(name, f"{counted}; exit {answer.code}")


CURVES = {"float64": ["run.precision=float64"], "float32": [], "float32 again": [], "tf32": ["run.tf32=true"],
          "bfloat16": ["run.precision=bfloat16"], "float16": ["run.precision=float16"],
          "deterministic": ["run.deterministic=true"], "BatchNorm": ["model.norm=batch"],
          "BatchNorm again": ["model.norm=batch"]}
GPU_CURVES = ("tf32", "bfloat16", "float16")


def compare_curves(bench):
    """30 updates: CPU against GPU, twice the same, the other precisions against float32 on the same device."""
    common = ["run.limit_steps=30", "memory.metering=off", "run.threads=1"]
    on_cpu = {name: losses(bench.train(f"curve on the CPU, {name}", *common, f"run.precision={name}", device="cpu"))
              for name in ("float64", "float32")}
    curves = {}
    for name, settings in CURVES.items():
        if name in GPU_CURVES and not bench.on_gpu:
            bench.row(f"curve, {name}", NEEDS_GPU)
            continue
        curves[name] = losses(bench.train(f"curve, {name}", *common, *settings))
        if name.startswith("BatchNorm"):
            continue
        base, where = (on_cpu[name], f"{name} on the CPU") if name in on_cpu else (curves["float32"], "float32 on the device")
        distance, count = greatest_distance(curves[name], base)
        bench.row(f"curve, {name}", f"{count} updates, greatest relative distance {distance:.2e} to {where}")
    for name, base in (("float32 again", "float32"), ("deterministic", "float32"), ("BatchNorm again", "BatchNorm")):
        bench.row(f"curve, {name}", f"equal to {base} bit for bit: {bool(curves[name]) and curves[name] == curves[base]}")


def check_memory(bench):
    lines = bench.train("memory by phases", "run.limit_steps=6", "memory.metering=full", "model.norm=batch")
    bench.row("memory by phases", memory_figures(lines))


def write_cifar(folder, pictures):
    """CIFAR-10's files with noise in them, `pictures` in each."""
    target = folder / "cifar-10"
    target.mkdir(parents=True, exist_ok=True)
    noise = random.Random(2)
    for name in [f"data_batch_{number}.bin" for number in range(1, 6)] + ["test_batch.bin"]:
        pixels = noise.randbytes(3072 * 64)
        target.joinpath(name).write_bytes(b"".join(
            bytes([noise.randrange(10)]) + pixels[3072 * (row % 64):][:3072] for row in range(pictures)))


def short_of_memory(bench):
    """Which micro-batch fits, proved; twice as much must begin again with half of it, and train as the same batch cut by hand."""
    if bench.quick:
        model, budget = ["model.name=lenet5"], "64MiB"
    else:
        model, budget = [*RESNET, "model.stem=cifar", "model.norm=group"], "4GiB"
    answer = bench.run("fit", [bench.accrue, "fit", "first-run", "--json", "--device", bench.device, "--data", bench.data,
                               "--budget", budget, *sets(*model, "batch.steps=1")], 90)
    fit = json.loads(answer.out)
    border = fit["proof"]["micro"]
    residual = max(abs(point["residual_bytes"]) for point in fit["points"])
    bench.row(f"fit, {budget}", f"outside {mebibytes(fit['outside_bytes'])}, proved b {border}, "
                                f"greatest residual {mebibytes(residual)}")
    twice = [*model, f"batch.effective={2 * border}", "batch.steps=auto", "run.limit_steps=8"]
    cut = bench.train("window begins again", *twice, f"batch.micro={2 * border}", f"memory.budget={budget}")
    by_hand = bench.train("window cut by hand", *twice, f"batch.micro={border}")
    distance, count = greatest_distance(losses(cut), losses(by_hand))
    ended = (events(cut, "run_ended") or [{}])[-1]
    cuts = ", ".join(f"b {event['from_micro']} → {event['to_micro']} in {event['phase']}"
                     for event in events(cut, "out_of_memory"))
    bench.row("window begins again", f"{ended.get('outcome', 'no end')} {ended.get('message', '')}; cuts: {cuts or 'none'}; "
                                     f"{count} updates at most {distance:.1e} from the batch cut by hand")


def stop_and_resume(bench):
    """Stopped in mid-window at step 20 and resumed, against a run that was not stopped."""
    log = bench.work / "runs.db"
    settings = ["run.epochs=1", "run.threads=1"]
    command = [bench.accrue, "train", "first-run", "--json", "--device", bench.device, "--db", log,
               *sets(*settings, NO_EVALUATION)]
    variables = {**os.environ, "XDG_DATA_HOME": str(bench.work / "home"), "XDG_CONFIG_HOME": str(bench.work / "config")}
    process = subprocess.Popen([str(word) for word in command], env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    hung = threading.Timer(min(60, max(bench.left(), 1)), kill_group, [process])
    hung.start()
    stopped = []
    for line in process.stdout:
        stopped += json_lines(line)
        if stopped and stopped[-1].get("step") == 20 and stopped[-1]["event"] == "step":
            process.send_signal(signal.SIGINT)
    process.wait()
    hung.cancel()
    resumed = json_lines(bench.run("resume", [bench.accrue, "resume", "1", "--json", "--db", log], 60).out)
    whole = bench.train("not stopped", *settings)
    in_two = {line["step"]: line["loss"] for line in events(stopped + resumed, "step")}
    at_once = {line["step"]: line["loss"] for line in events(whole, "step")}
    bench.row("stop and resume", f"{len(in_two)} and {len(at_once)} updates, equal bit for bit: "
                                 f"{bool(in_two) and in_two == at_once}")


def measure_speed(bench, name, windows, *settings):
    lines = bench.train(f"speed, {name}", *settings, f"run.limit_steps={windows}", "run.epochs=1000")
    window, sentence = speed_figures(lines)
    bench.row(f"speed, {name}", sentence)
    return window


def speed_of_lenet(bench):
    windows = 30 if bench.quick else 1500
    for name, settings in {"": [], ", meter off": ["memory.metering=off"],
                           ", each window read at once": ["run.not_finite=skip"]}.items():
        measure_speed(bench, f"LeNet-5 b 32 × N 4{name}", windows, "batch.micro=32", "batch.steps=4", *settings)


def resnet_cases(quick):
    """Stem, micro-batch, steps."""
    return [("cifar", 4, 2)] if quick else [("cifar", 64, 2), ("imagenet", 128, 4)]


def speed_of_resnet(bench):
    """Each precision in both layouts, and what auto chooses: the rule of run.memory_format is judged by these."""
    windows = 4 if bench.quick else 60
    for stem, micro, steps in resnet_cases(bench.quick):
        base = [*RESNET, f"model.stem={stem}", "model.norm=batch", f"batch.micro={micro}", f"batch.steps={steps}"]
        for precision, settings in PRECISIONS.items():
            for layout in (*LAYOUTS, "auto"):
                name = f"ResNet-18 {stem} b {micro} × N {steps}, {precision}, {layout}"
                if settings and not bench.on_gpu:
                    bench.row(f"speed, {name}", NEEDS_GPU)
                else:
                    measure_speed(bench, name, windows, *base, *settings, f"run.memory_format={layout}")


def speed_of_python(bench):
    """Python's torch on the same work: eager, and with CUDA graphs."""
    if not bench.on_gpu:
        bench.row("Python's torch", NEEDS_GPU)
        return
    cases = [f"lenet5,{mode},float32,contiguous,32,4,{30 if bench.quick else 300}" for mode in ("eager", "graph")]
    cases += [f"{stem},{mode},{precision},{layout},{micro},{steps},{4 if bench.quick else 20}"
              for stem, micro, steps in resnet_cases(bench.quick)
              for precision, layout in (("float32", "contiguous"), ("float32", "channels_last"), ("tf32", "channels_last"),
                                        ("bfloat16", "contiguous"), ("bfloat16", "channels_last"))
              for mode in ("eager", "graph")]
    for told in json_lines(bench.run("Python's torch", [bench.python, HERE / "gpu_peer.py", *cases], 120).out):
        bench.row(f"Python's torch, {told['case']}",
                  told.get("problem") or f"{told['window_ms']:.3f} ms a window, {told['images_per_s']} img/s")


def cupti_folders(python):
    """Folders that may hold include/cupti.h and lib/libcupti.so.13: of the packages of this Python, and of a toolkit."""
    packages = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True,
                              text=True, check=False).stdout.strip()
    toolkits = [os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/usr/local/cuda/extras/CUPTI"]
    found = [*Path(packages).glob("nvidia/*"), *(Path(folder) for folder in toolkits if folder)]
    return [folder for folder in found if (folder / "include/cupti.h").exists()]


def build_counter(bench):
    """(the library of count_kernels.c, "") or (None, why not)"""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    folders = cupti_folders(bench.python)
    if not compiler or not folders:
        return None, "skipped: " + ("no C compiler" if not compiler else "no cupti.h in Python's packages or CUDA's toolkit")
    include = [word for folder in folders for word in ("-I", folder / "include")]
    libraries = [library for folder in folders for library in folder.glob("lib*/libcupti.so.1[0-9]")]
    if not libraries:
        return None, f"skipped: no libcupti.so beside {folders[0]}/include/cupti.h"
    target = bench.work / "libcount.so"
    command = [compiler, "-shared", "-fPIC", "-O2", *include, HERE / "count_kernels.c", "-o", target, libraries[0]]
    built = bench.run("build of count_kernels.c", command, 60, quiet=True)
    return (target, "") if built.code == 0 else (None, f"skipped: {built.problem()}")


def count_launches(bench):
    counter, why_not = build_counter(bench)
    if counter is None or not bench.on_gpu:
        bench.row("launches of a window", why_not or f"the counter was built; {NEEDS_GPU}")
        return
    few, many = (5, 10) if bench.quick else (20, 40)
    resnet = [*RESNET, "model.stem=cifar", "model.norm=batch", "batch.micro=64", "batch.steps=2"]
    for name, settings in {"LeNet-5": ["batch.micro=32", "batch.steps=4"], "ResNet-18": resnet}.items():
        counts = {}
        for windows in (few, many):
            to = bench.work / f"counts-{windows}.tsv"
            bench.train(f"launches of {name}, {windows} windows", *settings, f"run.limit_steps={windows}", seconds=45,
                        env={"CUDA_INJECTION64_PATH": str(counter), "COUNT_TO": str(to)})
            text = to.read_text() if to.exists() else ""
            to.unlink(missing_ok=True)
            bench.log(f"launches of {name}, {windows} windows", "\n".join(text.splitlines()[:80]))
            counts[windows] = launch_counts(text)
        bench.row(f"launches of a window, {name}", launches_of_a_window(counts[few], counts[many], many - few))


def run_tests(bench):
    """The test programs with rows for a GPU, whole: without a GPU those rows skip."""
    if not bench.tests.exists():
        bench.row("tests", "not in this archive; pack it with scripts/bundle.sh --tests")
        return
    for program in bench.run("list of tests", [bench.tests, "--list"], 10).out.split():
        answer = bench.run(program, [bench.tests, program], 120 if bench.on_gpu else 300, quiet=True)
        bench.row(program, f"exit {answer.code}; {test_totals(answer.out)}")


def memory_in_use():
    """MiB that the first GPU's driver counts as used, by everybody."""
    told = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"],
                          capture_output=True, text=True, timeout=15, check=False)
    return int(told.stdout.strip() or 0)


def memory_given_back(bench):
    """One process trains with large micro-batches, then the same with small ones, and both again: what the first took must be
    free while the second trains."""
    if not bench.on_gpu:
        bench.row("memory given back after a run", NEEDS_GPU)
        return
    recipes = []
    for micro, steps in ((512, 1), (8, 64)):
        recipes.append(bench.work / f"b{micro}.toml")
        recipes[-1].write_text('[data]\nname = "cifar10"\nnormalize = "published"\n[model]\nname = "resnet18"\nstem = "cifar"\n'
                               f'[batch]\nmicro = {micro}\nsteps = {steps}\n[run]\nevaluate_every = "1000000 steps"\n')
    before, used, ended = memory_in_use(), [], threading.Event()

    def watch():
        while not ended.wait(0.3):
            used.append(memory_in_use())

    watcher = threading.Thread(target=watch)
    watcher.start()
    answer = bench.run("memory given back", [bench.accrue, "equivalence", *recipes, "--updates", "20", "--db", "none", "--json",
                                             "--device", bench.device, "--data", bench.data], 90, quiet=True)
    ended.set()
    watcher.join()
    after_peak = used[used.index(max(used)):]
    bench.row("memory given back after a run", f"{before} MiB before, at most {max(used)} MiB with b 512, then at least "
                                               f"{min(after_peak)} MiB with b 8, {memory_in_use()} MiB after; exit {answer.code}")


def other_allocator(bench):
    """An allocator that the meter cannot follow is warned of, once."""
    if not bench.on_gpu:
        bench.row("cudaMallocAsync", NEEDS_GPU)
        return
    lines = bench.train("cudaMallocAsync", "run.limit_steps=6",
                        env={"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})
    warnings = [line["text"] for line in events(lines, "message") if line["severity"] == "warning"]
    ended = (events(lines, "run_ended") or [{}])[-1]
    bench.row("cudaMallocAsync", f"{ended.get('outcome', 'no end')}, {len(warnings)} warnings: "
                                 f"{' / '.join(warnings)[:300] or 'none'}")


def sanitize(bench):
    """Wrong addresses, if time is left: each tensor is a block of its own, so that a step beyond it is seen."""
    program = shutil.which("compute-sanitizer")
    if not bench.on_gpu or program is None:
        bench.row("compute-sanitizer", "skipped: it is not installed" if bench.on_gpu else NEEDS_GPU)
        return
    memcheck = [program, "--tool", "memcheck", "--target-processes", "all"]
    train = [bench.accrue, "train", "first-run", "--db", "none", "--device", bench.device,
             *sets("run.limit_steps=2", NO_EVALUATION, "batch.steps=1")]
    for name, command in {"first-run": train, "tst_gather": [bench.tests, "tst_gather"]}.items():
        if bench.left() < 40 or not Path(command[0]).exists():
            bench.row(f"compute-sanitizer, {name}", "no time left" if bench.left() < 40 else "not in this archive")
            continue
        answer = bench.run(f"compute-sanitizer, {name}", [*memcheck, *command], min(bench.left() - 10, 90),
                           {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}, quiet=True)
        found = [line.strip("= ") for line in answer.out.splitlines() if "ERROR SUMMARY" in line]
        bench.row(f"compute-sanitizer, {name}", "; ".join(found) or answer.problem())


STAGES = [describe_machine, test_itself, compare_curves, check_memory, short_of_memory, stop_and_resume, speed_of_lenet,
          speed_of_resnet, speed_of_python, count_launches, run_tests, other_allocator, memory_given_back, sanitize]


def run_stages(bench, stages):
    """A stage that fails says so in a row, and the next begins."""
    for stage in stages:
        try:
            stage(bench)
        except Exception as problem:  # noqa: BLE001
            bench.row(stage.__name__.replace("_", " "), f"no answer: {problem!r}"[:300])


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="the folder for what comes back")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--limit", type=float, default=560, help="seconds for all of it")
    parser.add_argument("--quick", action="store_true", help="everything small")
    parser.add_argument("--accrue", default=HERE / "accrue", help="the command line; default: the launcher beside this file")
    return parser.parse_args(words)


def main():
    arguments = arguments_of(sys.argv[1:])
    if not Path(arguments.accrue).exists():
        sys.exit(f"gpu_first.py: there is no {arguments.accrue}; run it in an archive of scripts/bundle.sh --tests, or name the "
                 "command line with --accrue.")
    Path(arguments.out).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="accrue-first-") as work:
        bench = Bench(arguments, Path(work))
        write_cifar(bench.data, 400 if bench.quick else 10000)
        run_stages(bench, STAGES)
        bench.row("all of it", f"{time.monotonic() - bench.began:.0f} s")


if __name__ == "__main__":
    main()
