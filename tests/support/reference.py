#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains with Python's torch what the engine trains, so that tests can compare the two.

    reference.py

says "ready", reads trainings {"folder", "result", "defect", "variant"}, one a line, and answers each with a line once it has
written FOLDER/RESULT.safetensors, or FOLDER/RESULT.error with a sentence. A folder holds `recipe.toml` (docs/recipes.md) and
`start.safetensors`: the initial parameters and buffers as `model.NAME`, and `order`, the samples of each epoch in turn. A result
holds the final ones, `ema.NAME` with optimizer.ema, update by update `steps.samples`, `steps.loss`, `steps.gradient_norm`,
`steps.clipped` and `steps.rate`, and `evaluations.loss`. A defect is one of DEFECTS or ORDERS, or empty. A variant is "float64",
the same training in float64 from the same numbers, "reversed", the same training with every sum over micro-batches and samples
taken the other way round, or empty: how far apart they are is what rounding does to this recipe on this machine.

Nothing here comes from the engine: windows, weights, statistics and rates are read off their definitions in the plainest way,
gradients are autograd's, optimizers, averages and schedules are torch's own. A key of the recipe that nothing here reads is an
error. Exit 77: there is no torch.
"""
import contextlib
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
    from torch.optim import lr_scheduler, swa_utils
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
    header, data, end = {}, [], 0
    for name, tensor in tensors.items():
        values = tensor.detach().contiguous().numpy().tobytes()
        header[name] = {
            "dtype": names[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [end, end + len(values)],
        }
        data.append(values)
        end += len(values)
    text = json.dumps(header).encode()
    path.write_bytes(b"".join([struct.pack("<Q", len(text)), text, *data]))


def read_idx(path):
    data = path.read_bytes()
    sizes = struct.unpack(f">{data[3]}I", data[4 : 4 + 4 * data[3]])
    return torch.frombuffer(bytearray(data[4 + 4 * len(sizes) :]), dtype=torch.uint8).reshape(sizes)


class Recipe:
    """The keys that a recipe gives; the others are asked for with their default."""

    # What changes no result, and what the files beside the recipe hold: initial parameters and the order of samples.
    OTHER = {"data.name", "data.shuffle", "model.init", "model.init_sigma", "run.seed", "run.device", "run.threads",
             "run.deterministic", "run.memory_format", "checkpoint.best"}

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
    """A data set, normalised by the mean and the deviation of all its training pixels."""

    def __init__(self, folder, dtype):
        train, test = (read_idx(folder / f"{split}-images-idx3-ubyte").double() / 255 for split in ("train", "t10k"))
        self.images, self.test_images = (
            ((pixels - train.mean()) / train.std(correction=0)).to(dtype).unsqueeze(1) for pixels in (train, test))
        self.labels, self.test_labels = (
            read_idx(folder / f"{split}-labels-idx1-ubyte").long() for split in ("train", "t10k"))

    def batch(self, samples):
        indices = torch.tensor([index for _, index, _ in samples])
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
        "resnet18": lambda: models.ResNet((2, 2, 2, 2), norm, recipe("model.stem", "imagenet"), channels=1),
        "resnet34": lambda: models.ResNet((3, 4, 6, 3), norm, recipe("model.stem", "imagenet"), channels=1),
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
            layer.given = []
            layer.register_forward_pre_hook(self.note_input)

    @staticmethod
    def note_input(layer, inputs):
        if layer.training:
            layer.given.append(inputs[0].detach())

    @staticmethod
    def values(layer):
        """All that it was given, channel by channel."""
        return torch.cat([given.transpose(0, 1).flatten(1) for given in layer.given], dim=1).double()

    def begin_window(self, passes):
        for layer in self.layers:
            layer.given = []
            layer.count_before = layer.num_batches_tracked.clone()
            layer.momentum = 1 - 0.9 ** (1 / passes) if self.momentum == "corrected" else self.momentum
            if self.pooled:
                layer.momentum = 0.0  # until the window's end

    def end_window(self):
        for layer in self.layers if self.pooled else []:
            values = self.values(layer)
            layer.running_mean.lerp_(values.mean(1).to(layer.running_mean.dtype), self.momentum)
            layer.running_var.lerp_(values.var(1, correction=1).to(layer.running_var.dtype), self.momentum)
            layer.num_batches_tracked.copy_(layer.count_before + 1)

    def recompute(self, forward):
        """Mean and variance of all that each layer is given by `forward`: precise BN."""
        kept = [(layer.given, layer.num_batches_tracked.clone()) for layer in self.layers]
        for layer in self.layers:
            layer.given = []
        forward()
        for layer, (given, count) in zip(self.layers, kept):
            values = self.values(layer)
            layer.running_mean.copy_(values.mean(1))
            layer.running_var.copy_(values.var(1, correction=0))
            layer.num_batches_tracked.copy_(count)
            layer.given = given


# ---- what an update is made of ----


@dataclass
class Update:
    """The samples of one window as (epoch, index), and what was decided when it opened."""

    epoch: int  # in which it opened
    steps: int  # N
    size: int  # samples asked for
    samples: list = field(default_factory=list)
    micro_batches: list = field(default_factory=list)  # lists of (epoch, index, weight of its loss)

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


def weighted(samples, weight):
    return [(epoch, index, weight) for epoch, index in samples]


def fewest_samples(recipe):
    """Of a micro-batch: where a layer is left with one value a channel and sample, BatchNorm needs two."""
    one_value = recipe("model.name") == "mlp" or (
        recipe("model.name", "lenet5").startswith("resnet") and recipe("model.stem", "imagenet") == "imagenet")
    return 2 if one_value and recipe("model.norm") == "batch" else 1


def evened(pieces, micro, fewest):
    """A piece below the fewest samples shares with the one before it, the first with the one behind it."""
    place = 0
    while place < len(pieces):
        if len(pieces[place]) < fewest and len(pieces) > 1:
            first = max(place - 1, 0)
            both = pieces[first] + pieces[first + 1]
            half = len(both) - len(both) // 2
            pieces[first : first + 2] = [both] if len(both) <= micro else [both[:half], both[half:]]
        place += 1
    return pieces


def cut(recipe, window):
    """The window in micro-batches of b. `mean`: a sample weighs 1 / samples of its window; `sum`: 1 / those of its planned
    micro-batch. No forward pass mixes two epochs."""
    _, micro, _ = batch_numbers(recipe)
    fewest = fewest_samples(recipe)
    summed = recipe("batch.reduction", "mean") == "sum"
    pieces = []
    for planned in evened(chunks(window.samples, micro), micro, fewest):
        weight = 1 / len(planned if summed else window.samples)
        for _, piece in itertools.groupby(planned, key=lambda sample: sample[0]):
            pieces.append(weighted(piece, weight))
    for _, of_epoch in itertools.groupby(pieces, key=lambda piece: piece[0][0]):
        yield from evened(list(of_epoch), micro, fewest)


def planned_updates(recipe, order):
    updates = windows(recipe, order)
    for window in updates:
        window.micro_batches = list(cut(recipe, window))
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
                pending.append(weighted(samples, weight_of(len(samples), steps)))
                if step_is_due(k, counter, steps):
                    all_samples = [(epoch, index) for batch in pending for epoch, index, _ in batch]
                    done.append(Update(samples[0][0], steps, 0, all_samples, pending))
                    pending = []
                counter += 1
        return done

    return updates


def reweighted(weight_of):
    """The right windows with wrong weights: `weight_of(n, micro_batches)`."""

    def updates(recipe, order):
        planned = planned_updates(recipe, order)
        for window in planned:
            count = len(window.micro_batches)
            window.micro_batches = [
                [(epoch, index, weight_of(len(samples), count)) for epoch, index, _ in samples]
                for samples in window.micro_batches
            ]
        return planned

    return updates


def without(key):
    """The right windows, and a key that is read and never used."""

    def updates(recipe, order):
        recipe.given.pop(key)
        return planned_updates(recipe, order)

    return updates


def leave_a_slice_out(micro_batches):
    return micro_batches[:-1] + [[(epoch, index, 0.0) for epoch, index, _ in micro_batches[-1]]]


def weigh_a_sample_more(micro_batches):
    (epoch, index, weight), *others = micro_batches[0]
    return [[(epoch, index, 1.01 * weight), *others], *micro_batches[1:]]


def changed(change):
    """The right windows, each with its micro-batches changed."""

    def updates(recipe, order):
        planned = planned_updates(recipe, order)
        for window in planned:
            window.micro_batches = change(window.micro_batches)
        return planned

    return updates


DEFECTS = {
    # The last micro-batch of each window is computed and not added.
    "a slice is left out": changed(leave_a_slice_out),
    # The first sample of each window weighs 1.01 times what it should.
    "one sample weighs 1 % more": changed(weigh_a_sample_more),
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
    if name == "rmsprop":
        return torch.optim.RMSprop(
            parameters,
            **shared,
            alpha=recipe("optimizer.alpha", 0.99),
            eps=recipe("optimizer.eps", 1e-8),
            momentum=recipe("optimizer.momentum", 0.9),
            centered=recipe("optimizer.centered", False),
        )
    betas = (recipe("optimizer.beta1", 0.9), recipe("optimizer.beta2", 0.999))
    make = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[name]
    amsgrad = recipe("optimizer.amsgrad", False)
    return make(parameters, **shared, betas=betas, eps=recipe("optimizer.eps", 1e-8), amsgrad=amsgrad)


def average_of(recipe, model):
    """torch's exponential moving average, which begins with the initial parameters."""
    if not (decay := recipe("optimizer.ema", 0)):
        return None
    average = swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(decay))
    average.update_parameters(model)  # the first one copies
    return average


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


def the_other_way_round(updates, micro_batches_too):
    """Within each epoch that a window has samples of: an evaluation between two epochs stays where it is."""
    for update in updates:
        of_epochs = [list(group) for _, group in itertools.groupby(update.micro_batches, key=lambda batch: batch[0][0])]
        turned = [reversed(group) if micro_batches_too else group for group in of_epochs]
        update.micro_batches = [samples[::-1] for group in turned for samples in group]


PRECISIONS = {"float32": torch.float32, "float64": torch.float64, "bfloat16": torch.float32}  # of the parameters


class Training:
    def __init__(self, recipe, start, order, precision=None):
        precision = precision or recipe("run.precision", "float32")
        self.autocast = precision == "bfloat16"
        dtype = PRECISIONS[precision]
        self.pictures = Pictures(Path(recipe("data.path")), dtype)
        self.model = model_of(recipe, self.pictures).to(dtype)
        weights = recipe("model.init_from")
        self.model.load_state_dict(
            read_safetensors(Path(weights)) if weights else
            {name[6:]: value for name, value in start.items() if name.startswith("model.")})
        self.parameters = list(self.model.parameters())
        self.optimizer = optimizer_of(recipe, self.parameters)
        self.average = average_of(recipe, self.model)
        self.statistics = RunningStatistics(recipe, self.model)
        self.precise = recipe("model.batchnorm_precise", False)
        _, self.micro, _ = batch_numbers(recipe)
        self.recipe, self.order = recipe, order
        self.steps = {"samples": [], "loss": [], "gradient_norm": [], "clipped": []}
        self.evaluations = []

    def logits(self, images):
        with torch.autocast("cpu", torch.bfloat16, enabled=self.autocast):
            return self.model(images).to(images.dtype)

    def run(self, updates, rates):
        firsts = [batch[0][0] for update in updates for batch in update.micro_batches] + [None]
        epoch_ends = (epoch != following for epoch, following in itertools.pairwise(firsts))
        due = False
        for update, rate in zip(updates, rates):
            self.optimizer.zero_grad()
            self.statistics.begin_window(len(update.micro_batches))
            loss_sum = 0.0
            for number, samples in enumerate(update.micro_batches, start=1):
                loss_sum += self.accumulate(samples)
                closes = number == len(update.micro_batches)
                if closes:
                    self.update(update, rate, loss_sum)
                epoch_ends_here = next(epoch_ends)
                due = due or epoch_ends_here
                if due and (closes or epoch_ends_here) and self.steps["loss"]:
                    self.evaluate(epoch=samples[0][0])
                    due = False

    def accumulate(self, samples):
        images, labels = self.pictures.batch(samples)
        losses = F.cross_entropy(self.logits(images), labels, reduction="none")
        (losses * torch.tensor([weight for _, _, weight in samples], dtype=losses.dtype)).sum().backward()
        return losses.double().sum().item()

    def update(self, update, rate, loss_sum):
        """In this order: norm, clip by norm, clip by value, optimizer, average."""
        self.statistics.end_window()
        self.steps["samples"].append(float(len(update.samples)))
        self.steps["loss"].append(loss_sum / len(update.samples))
        gradient = self.gradient()
        self.measure()
        self.clip_norm()
        self.clip_value()
        self.steps["clipped"].append(float(not torch.equal(gradient, self.gradient())))
        self.step(rate)
        self.take_average()

    def measure(self):
        self.steps["gradient_norm"].append(torch.linalg.vector_norm(self.gradient().double()).item())

    def clip_norm(self):
        if norm := self.recipe("optimizer.clip_norm", 0):
            nn.utils.clip_grad_norm_(self.parameters, norm)

    def clip_value(self):
        if value := self.recipe("optimizer.clip_value", 0):
            nn.utils.clip_grad_value_(self.parameters, value)

    def step(self, rate):
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()

    def take_average(self):
        if self.average:
            self.average.update_parameters(self.model)

    def gradient(self):
        return torch.cat([parameter.grad.flatten() for parameter in self.parameters])

    @torch.no_grad()
    def evaluate(self, epoch):
        """The averaged parameters, where there are such, normalised by the running statistics."""
        own = [parameter.clone() for parameter in self.parameters]
        for parameter, averaged in zip(self.parameters, self.average.module.parameters() if self.average else ()):
            parameter.copy_(averaged)
        if self.precise:
            self.statistics.recompute(lambda: self.pass_over(epoch))
        self.model.eval()
        logits = self.logits(self.pictures.test_images)
        self.evaluations.append(F.cross_entropy(logits.double(), self.pictures.test_labels).item())
        self.model.train()
        for parameter, value in zip(self.parameters, own):
            parameter.copy_(value)

    def pass_over(self, epoch):
        """200 micro-batches of the epoch at most, and whole ones only."""
        order = self.order[epoch - 1].tolist()
        size = min(self.micro, len(order))
        for samples in chunks(order, size)[: min(200, len(order) // size)]:
            self.logits(self.pictures.images[torch.tensor(samples)])

    def result(self):
        result = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        if self.average:
            result |= {f"ema.{name}": value for name, value in self.average.module.named_parameters()}
        figures = {f"steps.{name}": values for name, values in self.steps.items()} | {"evaluations.loss": self.evaluations}
        return result | {name: torch.tensor(values, dtype=torch.float64) for name, values in figures.items()}


# ---- an update in another order ----


class ClipsByValueFirst(Training):
    def clip_norm(self):
        super().clip_value()

    def clip_value(self):
        super().clip_norm()


class MeasuresWhatIsClipped(Training):
    def clip_value(self):
        super().clip_value()
        self.steps["gradient_norm"].pop()
        self.measure()


class ClipsEachMicroBatch(Training):
    def accumulate(self, samples):
        loss = super().accumulate(samples)
        self.clip_norm()
        return loss


class AveragesBeforeTheStep(Training):
    def step(self, rate):
        super().take_average()
        super().step(rate)

    def take_average(self):
        pass


class AveragesEachMicroBatch(Training):
    def accumulate(self, samples):
        self.take_average()
        return super().accumulate(samples)


ORDERS = {
    "clips by value first": ClipsByValueFirst,
    "measures what is clipped": MeasuresWhatIsClipped,
    "clips each micro-batch": ClipsEachMicroBatch,
    "averages before the step": AveragesBeforeTheStep,
    "averages each micro-batch": AveragesEachMicroBatch,
}


def moved_each_micro_batch(rates, updates):
    """The schedule N times as fast: it is moved by the loop over micro-batches."""
    moves = itertools.accumulate(len(update.micro_batches) for update in updates)
    return [rates[min(move, len(rates)) - 1] for move in moves]


# ---- what is asked for ----


def train(folder, defect="", variant=""):
    recipe = Recipe((folder / "recipe.toml").read_text())
    start = read_safetensors(folder / "start.safetensors")
    recipe("run.precision")
    training = ORDERS.get(defect, Training)(recipe, start, start["order"], "float64" if variant == "float64" else None)
    updates = DEFECTS.get(defect, planned_updates)(recipe, start["order"])
    updates = updates[: recipe("run.limit_steps", 0) or None]
    if variant == "reversed":
        # BatchNorm's running statistics weigh the last micro-batch most: their order is more than rounding.
        the_other_way_round(updates, micro_batches_too=recipe("model.norm", "none") != "batch")
    training.steps["rate"] = rates(recipe, updates)
    if defect == "schedule moves each micro-batch":
        training.steps["rate"] = moved_each_micro_batch(training.steps["rate"], updates)
    training.run(updates, training.steps["rate"])
    recipe.check_that_all_was_read()
    return training


def answer(asked):
    folder = Path(asked["folder"])
    try:
        result = train(folder, asked["defect"], asked["variant"]).result()
        write_safetensors(folder / (asked["result"] + ".safetensors"), result)
    except Exception as error:  # the next one is trained all the same
        (folder / (asked["result"] + ".error")).write_text(f"{type(error).__name__}: {error}\n")


def main():
    print("ready", flush=True)
    for line in sys.stdin:
        answer(json.loads(line))
        print("done", flush=True)


if __name__ == "__main__":
    main()
