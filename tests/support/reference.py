#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains with Python's torch what the engine trains, so that tests can compare the two.

    reference.py TRAININGS.json

reads a list of trainings {"folder", "result", "defect", "spread_over"} and writes FOLDER/RESULT.safetensors for each, or
FOLDER/RESULT.error with a sentence. A folder holds `recipe.toml` (docs/recipes.md) and `start.safetensors`: the initial
parameters and buffers as `model.NAME`, and `order`, the samples of each epoch in turn. A result holds the final ones and, update
by update, `steps.samples`, `steps.loss`, `steps.gradient_norm` and `steps.rate`. With `spread_over` = n it also holds `spread`:
the greatest distance that n orders of the samples give between two trainings, one of which takes every sum the other way round.

Nothing here comes from the engine: windows, weights, statistics and rates are read off their definitions in the plainest way,
gradients are autograd's, optimizers and schedules are torch's own. A key of the recipe that nothing here reads is an error.
Exit 77: there is no torch.
"""
import itertools
import json
import math
import struct
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

try:
    import tomllib

    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch.optim import lr_scheduler
except ImportError as missing:
    print(missing)
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import make_references as models  # noqa: E402

torch.set_num_threads(1)

TYPES = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64, "U8": torch.uint8}


# ---- files ----


def read_safetensors(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = bytearray(data[8 + length + begin : 8 + length + end])
        tensors[name] = torch.frombuffer(values, dtype=TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    names = {dtype: name for name, dtype in TYPES.items()}
    header, data = {}, b""
    for name, tensor in tensors.items():
        values = tensor.detach().contiguous().numpy().tobytes()
        header[name] = {
            "dtype": names[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(values)],
        }
        data += values
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_idx(path):
    data = path.read_bytes()
    sizes = struct.unpack(f">{data[3]}I", data[4 : 4 + 4 * data[3]])
    return torch.frombuffer(bytearray(data[4 + 4 * len(sizes) :]), dtype=torch.uint8).reshape(sizes)


class Recipe:
    """The keys that a recipe gives; the others are asked for with their default."""

    # What changes no result, and what the files beside the recipe hold: initial parameters and the order of samples.
    OTHER = {"data.name", "data.shuffle", "model.init", "model.init_sigma", "run.seed", "run.device", "run.threads"}

    def __init__(self, text):
        self.given = {
            f"{table}.{key}": value
            for table, keys in tomllib.loads(text).items()
            for key, value in (keys.items() if isinstance(keys, dict) else [])
        }
        self.unread = set(self.given) - self.OTHER

    def __call__(self, key, default=None):
        self.unread.discard(key)
        return self.given.get(key, default)

    def check_that_all_was_read(self):
        if self.unread:
            raise ValueError("the reference does not know " + ", ".join(sorted(self.unread)))


# ---- data and model ----


class Pictures:
    """The training set, normalised by the mean and the deviation of all its pixels."""

    def __init__(self, folder, dtype):
        pixels = read_idx(folder / "train-images-idx3-ubyte").double() / 255
        self.images = ((pixels - pixels.mean()) / pixels.std(correction=0)).to(dtype).unsqueeze(1)
        self.labels = read_idx(folder / "train-labels-idx1-ubyte").long()

    def batch(self, samples):
        indices = torch.tensor([index for _, index in samples])
        return self.images[indices], self.labels[indices]


def mlp(norm, features, widths):
    layers = OrderedDict(flatten=nn.Flatten())
    for number, width in enumerate(widths, start=1):
        layers[f"fc{number}"] = nn.Linear(features, width)
        layers[f"norm{number}"] = models.norm1d(norm, width)
        layers[f"relu{number}"] = nn.ReLU()
        features = width
    layers[f"fc{len(widths) + 1}"] = nn.Linear(features, 10)
    return nn.Sequential(layers)


def model_of(recipe, pictures):
    norm = recipe("model.norm", "none")
    features = pictures.images[0].numel()
    model = {
        "lenet5": lambda: models.LeNet5(norm),
        "mlp": lambda: mlp(norm, features, recipe("model.widths", [512, 512])),
        "resnet18": lambda: models.ResNet18(norm, recipe("model.stem", "imagenet"), channels=1),
        "vgg": lambda: models.Vgg(norm, channels=1),
    }[recipe("model.name", "lenet5")]()
    groups = recipe("model.groups") if norm == "group" else None
    for layer in model.modules():
        if groups and isinstance(layer, nn.GroupNorm):
            layer.num_groups = groups
    return model


class RunningStatistics:
    """BatchNorm's: by micro-batch with a fixed momentum, or with one that gives a window the weight of one batch ("corrected"),
    or once a window, of all that the layer was given in it."""

    def __init__(self, recipe, model):
        self.layers = [layer for layer in model.modules() if isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d))]
        self.momentum = recipe("model.batchnorm_momentum", 0.1)
        self.pooled = recipe("model.batchnorm_window", False)
        for layer in self.layers:
            layer.register_forward_pre_hook(lambda layer, inputs: layer.given.append(inputs[0].detach()))

    def begin_window(self, slices):
        for layer in self.layers:
            layer.given = []
            layer.before = [buffer.clone() for buffer in layer.buffers()]
            layer.momentum = 1 - 0.9 ** (1 / slices) if self.momentum == "corrected" else self.momentum

    def end_window(self):
        for layer in self.layers if self.pooled else []:
            values = torch.cat([given.transpose(0, 1).flatten(1) for given in layer.given], dim=1)
            mean, variance, count = layer.before
            layer.running_mean.copy_((1 - self.momentum) * mean + self.momentum * values.mean(1))
            layer.running_var.copy_((1 - self.momentum) * variance + self.momentum * values.var(1, correction=1))
            layer.num_batches_tracked.copy_(count + 1)


# ---- what an update is made of ----


@dataclass
class Update:
    """The samples of one window as (epoch, index), and what was decided when it opened."""

    epoch: int  # in which it opened
    steps: int  # N
    size: int  # samples asked for
    slices: int = 1  # micro-batches that it was planned to be cut into
    samples: list = field(default_factory=list)
    micro_batches: list = field(default_factory=list)  # (samples, weight of each sample's loss)

    @property
    def closed_in(self):
        return self.samples[-1][0]


def batch_numbers(recipe):
    """B = b · N: what is not given is solved."""
    effective, micro, steps = (recipe(f"batch.{key}") for key in ("effective", "micro", "steps"))
    if effective is None:
        micro, steps = micro or 32, steps or 4
        return micro * steps, micro, steps
    if micro is None:
        micro = math.ceil(effective / steps) if steps else min(32, effective)
    return effective, micro, math.ceil(effective / micro)


def windows(recipe, order):
    """B samples at a time. `flush`: an epoch's rest is a window. `drop`: it is left out. `carry`: the next epoch fills it."""
    effective, micro, first_steps = batch_numbers(recipe)
    schedule = recipe("batch.schedule", [])
    tail = recipe("batch.tail", "flush")
    updates = []
    window = None
    for epoch, indices in enumerate(order[: recipe("run.epochs", 10)].tolist(), start=1):
        left = [(epoch, index) for index in indices]
        while left:
            if window is None:
                steps = first_steps
                for entry in schedule:
                    if entry.get("from_epoch", math.inf) <= epoch - 1 or entry.get("from_step", math.inf) <= len(updates):
                        steps = entry["steps"]
                window = Update(epoch, steps, micro * steps if schedule else effective)
            room = window.size - len(window.samples)
            window.samples += left[:room]
            left = left[room:]
            if len(window.samples) == window.size:
                updates.append(window)
                window = None
        if window and tail == "flush":
            updates.append(window)
        if tail != "carry":
            window = None
    if window:
        updates.append(window)
    return updates


def chunks(samples, size):
    return [samples[begin : begin + size] for begin in range(0, len(samples), size)]


def cut(recipe, window):
    """The window in micro-batches of b. `mean`: a sample weighs 1 / samples of its window; `sum`: 1 / those of its micro-batch."""
    planned = chunks(window.samples, batch_numbers(recipe)[1])
    # Where a layer is left with one value a channel and sample, BatchNorm needs two samples.
    one_value = recipe("model.name") == "mlp" or (
        recipe("model.name") == "resnet18" and recipe("model.stem", "imagenet") == "imagenet")
    if one_value and recipe("model.norm") == "batch" and len(planned) > 1 and len(planned[-1]) == 1:
        both = planned[-2] + planned[-1]
        planned[-2:] = [both[: len(both) - len(both) // 2], both[len(both) - len(both) // 2 :]]
    summed = recipe("batch.reduction", "mean") == "sum"
    for samples in planned:
        weight = 1 / len(samples if summed else window.samples)
        # No forward pass mixes two epochs.
        for _, part in itertools.groupby(samples, key=lambda sample: sample[0]):
            yield list(part), weight


def planned_updates(recipe, order):
    updates = windows(recipe, order)
    for window in updates:
        window.micro_batches = list(cut(recipe, window))
        window.slices = math.ceil(len(window.samples) / batch_numbers(recipe)[1])
    return updates


# ---- what published code makes of the same recipe ----


def micro_batches_of_epochs(recipe, order):
    """As a loader yields them: an epoch in micro-batches of b, the last one shorter."""
    _, micro, _ = batch_numbers(recipe)
    recipe("batch.tail")  # which such a loop knows nothing of
    for epoch, indices in enumerate(order[: recipe("run.epochs", 10)].tolist(), start=1):
        yield chunks([(epoch, index) for index in indices], micro)


def loops(step_is_due, weight_of):
    """A training loop that never clears what it has not applied: `step_is_due(k, all, N)` after the k-th micro-batch of its
    epoch, the all-th of the run, both from 0; `weight_of(n, N)` of each of the n samples of a micro-batch."""

    def updates(recipe, order):
        _, _, steps = batch_numbers(recipe)
        done, pending, counter = [], [], 0
        for micro_batches in micro_batches_of_epochs(recipe, order):
            for k, samples in enumerate(micro_batches):
                pending.append((samples, weight_of(len(samples), steps)))
                if step_is_due(k, counter, steps):
                    window = Update(samples[0][0], steps, 0, len(pending), [s for batch, _ in pending for s in batch], pending)
                    done.append(window)
                    pending = []
                counter += 1
        return done

    return updates


def reweighted(weight_of):
    """The right windows with wrong weights: `weight_of(n, slices)`."""

    def updates(recipe, order):
        planned = planned_updates(recipe, order)
        for window in planned:
            slices = len(window.micro_batches)
            window.micro_batches = [(samples, weight_of(len(samples), slices)) for samples, _ in window.micro_batches]
        return planned

    return updates


def without(key):
    """The right windows, and a key that is read and never used."""

    def updates(recipe, order):
        recipe.given.pop(key)
        return planned_updates(recipe, order)

    return updates


DEFECTS = {
    # `if idx % (N - 1) == 0: step()`, the loss divided by N: windows of 1, N - 1, N - 1 … micro-batches.
    "steps at idx % (N - 1)": loops(lambda k, counter, n: k % (n - 1) == 0, lambda samples, n: 1 / (samples * n)),
    # The counter restarts with the epoch, the gradients do not: the rest of an epoch is in the next one's first window.
    "left-over gradients leak": loops(lambda k, counter, n: (k + 1) % n == 0, lambda samples, n: 1 / (samples * n)),
    # The counter runs on over the epochs: the short last micro-batch stands in the midst of a window, as if it were whole.
    "counter runs across epochs": loops(lambda k, counter, n: (counter + 1) % n == 0, lambda samples, n: 1 / (samples * n)),
    # Each micro-batch's mean counts the same, however few samples it has.
    "mean of means": reweighted(lambda samples, slices: 1 / (samples * slices)),
    # The means are added, and nothing is divided.
    "sum without division": reweighted(lambda samples, slices: 1 / samples),
    # `loss += loss / N`, which adds where it should divide.
    "adds where it should divide": reweighted(lambda samples, slices: (1 + 1 / slices) / samples),
    # `clip_norm` is stored, and nothing is clipped.
    "clip_norm is never used": without("optimizer.clip_norm"),
}


# ---- optimizer and schedule ----


def optimizer_of(recipe, parameters):
    name = recipe("optimizer.name", "sgd")
    shared = {"lr": 1.0, "weight_decay": recipe("optimizer.weight_decay", 0.0)}
    if not recipe("optimizer.decay_norm_and_bias", True):
        parameters = [
            {"params": [p for p in parameters if p.dim() > 1]},
            {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
        ]
    if name == "sgd":
        return torch.optim.SGD(
            parameters,
            **shared,
            momentum=recipe("optimizer.momentum", 0.9),
            dampening=recipe("optimizer.dampening", 0.0),
            nesterov=recipe("optimizer.nesterov", False),
        )
    betas = (recipe("optimizer.beta1", 0.9), recipe("optimizer.beta2", 0.999))
    make = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[name]
    return make(parameters, **shared, betas=betas, eps=recipe("optimizer.eps", 1e-8))


def clip(recipe, parameters):
    if norm := recipe("optimizer.clip_norm", 0):
        nn.utils.clip_grad_norm_(parameters, norm)
    if value := recipe("optimizer.clip_value", 0):
        nn.utils.clip_grad_value_(parameters, value)


def updates_within(epochs, updates):
    return sum(update.closed_in <= epochs for update in updates)


def updates_of(span, updates):
    """Of "500 steps" or "30 epochs"."""
    count, unit = span.split()
    return int(count) if unit.startswith("step") else updates_within(int(count), updates)


def falls(recipe, updates):
    """After which updates the rate of step and multistep falls."""
    if recipe("schedule.name") == "multistep":
        return [updates_of(milestone, updates) for milestone in recipe("schedule.milestones")]
    count, unit = recipe("schedule.every", "30 epochs").split()
    return [updates_of(f"{times * int(count)} {unit}", updates) for times in range(1, len(updates) + 1)]


def rates_of(make, base, count):
    """The first ones of a scheduler of torch."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=base)
    scheduler = make(optimizer)
    taken = [optimizer.param_groups[0]["lr"]]
    for _ in range(count - 1):
        optimizer.step()
        scheduler.step()
        taken.append(optimizer.param_groups[0]["lr"])
    return taken


def rates(recipe, updates):
    """One an update: the warm-up, then torch's scheduler (step and multistep run beside the warm-up); times the rule by which
    the rate follows N."""
    base = recipe("optimizer.lr", 0.01)
    name = recipe("schedule.name", "constant")
    final = recipe("schedule.final_factor", 0.0)
    warmup = recipe("schedule.warmup_steps", 0) + updates_within(recipe("schedule.warmup_epochs", 0), updates)
    beside = name in ("step", "multistep")
    length = len(updates) - (0 if beside else warmup)
    make = {
        "constant": lambda o: lr_scheduler.ConstantLR(o, factor=1.0),
        "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=length, eta_min=base * final),
        "linear": lambda o: lr_scheduler.LinearLR(o, 1.0, final, total_iters=length),
        "step": lambda o: lr_scheduler.MultiStepLR(o, falls(recipe, updates), recipe("schedule.gamma", 0.1)),
        "multistep": lambda o: lr_scheduler.MultiStepLR(o, falls(recipe, updates), recipe("schedule.gamma", 0.1)),
        "onecycle": lambda o: lr_scheduler.OneCycleLR(
            o, base, total_steps=length, pct_start=float(recipe("schedule.peak_share", 0.3)), cycle_momentum=False,
            div_factor=25, final_div_factor=1 / (25 * final) if final else math.inf),
    }[name]
    taken = rates_of(make, base, length)
    rise = [1.0] * len(updates)
    if warmup:
        rise[:warmup] = rates_of(lambda o: lr_scheduler.LinearLR(o, 1 / warmup, total_iters=warmup - 1), 1.0, warmup)
    if not beside:
        taken = taken[:1] * warmup + taken
    rule = {"none": lambda ratio: 1.0, "linear": lambda ratio: ratio, "sqrt": math.sqrt}[recipe("optimizer.lr_rule", "none")]
    return [
        rate * factor * rule(update.steps / updates[0].steps) for rate, factor, update in zip(taken, rise, updates)
    ]


# ---- training ----


def reordered(order, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(epoch.numel(), generator=generator) for epoch in order])


def the_other_way_round(updates):
    for update in updates:
        update.micro_batches = [(samples[::-1], weight) for samples, weight in reversed(update.micro_batches)]


def train(folder, defect="", samples_by=0, reversed_sums=False):
    """`samples_by`: 0 for the order of samples that is given, otherwise the seed of another."""
    recipe = Recipe((folder / "recipe.toml").read_text())
    start = read_safetensors(folder / "start.safetensors")
    dtype = {"float32": torch.float32, "float64": torch.float64}[recipe("run.precision", "float32")]
    pictures = Pictures(Path(recipe("data.path")), dtype)
    model = model_of(recipe, pictures).to(dtype)
    model.load_state_dict({name[6:]: value for name, value in start.items() if name.startswith("model.")})
    order = reordered(start["order"], samples_by) if samples_by else start["order"]
    updates = (DEFECTS[defect] if defect else planned_updates)(recipe, order)
    updates = updates[: recipe("run.limit_steps", 0) or None]
    if reversed_sums:
        the_other_way_round(updates)
    parameters = list(model.parameters())
    optimizer = optimizer_of(recipe, parameters)
    statistics = RunningStatistics(recipe, model)
    steps = {"samples": [], "loss": [], "gradient_norm": [], "rate": rates(recipe, updates)}
    for update, rate in zip(updates, steps["rate"]):
        loss_sum = 0.0
        optimizer.zero_grad()
        statistics.begin_window(update.slices)
        for samples, weight in update.micro_batches:
            images, labels = pictures.batch(samples)
            losses = F.cross_entropy(model(images), labels, reduction="none")
            (losses * weight).sum().backward()
            loss_sum += losses.double().sum().item()
        statistics.end_window()
        gradient = torch.cat([parameter.grad.flatten() for parameter in parameters])
        clip(recipe, parameters)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        steps["samples"].append(float(len(update.samples)))
        steps["loss"].append(loss_sum / len(update.samples))
        steps["gradient_norm"].append(torch.linalg.vector_norm(gradient).item())
    recipe.check_that_all_was_read()
    result = {f"model.{name}": value for name, value in model.state_dict().items()}
    result |= {f"steps.{name}": torch.tensor(values, dtype=torch.float64) for name, values in steps.items()}
    return model, result


def distance(model, other):
    """Relative L2 over all parameters."""
    left, right = (torch.cat([p.detach().double().flatten() for p in m.parameters()]) for m in (model, other))
    return ((left - right).norm() / right.norm()).item()


def spread(folder, orders):
    both = lambda seed: (train(folder, samples_by=seed, reversed_sums=way)[0] for way in (True, False))  # noqa: E731
    return max(distance(*both(seed)) for seed in range(orders))


def main():
    for training in json.loads(Path(sys.argv[1]).read_text()):
        folder = Path(training["folder"])
        try:
            _, result = train(folder, training["defect"])
            if training["spread_over"]:
                result["spread"] = torch.tensor(spread(folder, training["spread_over"]), dtype=torch.float64)
            write_safetensors(folder / (training["result"] + ".safetensors"), result)
        except Exception as error:  # the others are trained all the same
            (folder / (training["result"] + ".error")).write_text(f"{type(error).__name__}: {error}\n")


if __name__ == "__main__":
    main()
