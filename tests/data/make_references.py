#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes, with Python's torch in float64, the numbers that the tests of the engine compare with.

    python tests/data/make_references.py        (writes references.json beside itself)

Inputs come from a formula that the tests repeat: no random state is shared between the two sides. What is large is stored
as its norm and its first values.
"""
import json
import math
import re
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def wave(count, shift):
    """sin(0.37 · i + shift) for i = 0, 1, …: values in -1 … 1 that any language computes alike."""
    return torch.tensor([math.sin(0.37 * i + shift) for i in range(count)])


def fill(module):
    """Every parameter by the wave, scaled down by its size; the shift counts the parameters."""
    with torch.no_grad():
        for index, parameter in enumerate(module.parameters()):
            scale = 1.0 / math.sqrt(parameter[0].numel()) if parameter.dim() > 1 else 0.1
            values = scale * wave(parameter.numel(), float(index)).reshape(parameter.shape)
            parameter.copy_(values)


NORMS = ("none", "batch", "group", "layer", "instance")


def noise(count, stream):
    """Values in -1 … 1 without any pattern, from whole numbers that any language computes alike (MurmurHash3's mixing of
    i + 2²⁰ · stream): networks of many normalised layers are ill-conditioned where their weights have one."""
    x = (torch.arange(count) + (stream << 20)) & 0xFFFFFFFF
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = ((x ^ (x >> shift)) * factor) & 0xFFFFFFFF
    return (x ^ (x >> 16)).double() / 2**31 - 1


def fill_by_noise(module):
    """As initialised for ReLU, the weights of norm layers around 1 and biases around 0; the stream counts the parameters."""
    with torch.no_grad():
        for index, (name, parameter) in enumerate(module.named_parameters(), start=1):
            values = noise(parameter.numel(), index).reshape(parameter.shape)
            if parameter.dim() > 1:
                parameter.copy_(math.sqrt(6.0 / parameter[0].numel()) * values)
            else:
                parameter.copy_((1.0 if name.endswith("weight") else 0.0) + 0.1 * values)


def norm2d(kind, channels):
    return {"none": nn.Identity, "batch": lambda: nn.BatchNorm2d(channels),
            "group": lambda: nn.GroupNorm(groups(channels), channels),
            "layer": lambda: nn.GroupNorm(1, channels),
            "instance": lambda: nn.InstanceNorm2d(channels, affine=True)}[kind]()


def norm1d(kind, channels):
    return {"none": nn.Identity, "batch": lambda: nn.BatchNorm1d(channels),
            "group": lambda: nn.GroupNorm(groups(channels), channels),
            "layer": lambda: nn.LayerNorm(channels)}[kind]()


def groups(channels):
    return max(g for g in range(1, 33) if channels % g == 0 and channels // g >= 2)


class LeNet5(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.norm1 = norm2d(kind, 6)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.norm2 = norm2d(kind, 16)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc3(F.relu(self.fc2(x)))


class Mlp(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.fc1 = nn.Linear(784, 512)
        self.norm1 = norm1d(kind, 512)
        self.fc2 = nn.Linear(512, 512)
        self.norm2 = norm1d(kind, 512)
        self.fc3 = nn.Linear(512, 10)

    def forward(self, x):
        x = F.relu(self.norm1(self.fc1(x.flatten(1))))
        return self.fc3(F.relu(self.norm2(self.fc2(x))))


class BasicBlock(nn.Module):
    """As torchvision.models.resnet.BasicBlock."""

    def __init__(self, kind, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = norm2d(kind, outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = norm2d(kind, outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), norm2d(kind, outputs))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        return F.relu(self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))) + identity)


class ResNet(nn.Module):
    """As torchvision.models.resnet18 and its like of basic blocks, by the number of blocks in each stage; with the cifar stem
    3 × 3 without max-pool."""

    def __init__(self, blocks, kind, stem="imagenet", channels=3):
        super().__init__()
        imagenet = stem == "imagenet"
        self.conv1 = nn.Conv2d(channels, 64, 7, 2, 3, bias=False) if imagenet else nn.Conv2d(channels, 64, 3, 1, 1, bias=False)
        self.bn1 = norm2d(kind, 64)
        self.maxpool = nn.MaxPool2d(3, 2, 1) if imagenet else nn.Identity()
        self.layer1 = self.layer(kind, 64, 64, 1, blocks[0])
        self.layer2 = self.layer(kind, 64, 128, 2, blocks[1])
        self.layer3 = self.layer(kind, 128, 256, 2, blocks[2])
        self.layer4 = self.layer(kind, 256, 512, 2, blocks[3])
        self.fc = nn.Linear(512, 10)

    @staticmethod
    def layer(kind, inputs, outputs, stride, blocks):
        first = BasicBlock(kind, inputs, outputs, stride)
        return nn.Sequential(first, *(BasicBlock(kind, outputs, outputs, 1) for _ in range(blocks - 1)))

    def forward(self, x):
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Vgg(nn.Module):
    def __init__(self, kind, channels=3):
        super().__init__()
        widths = (channels, 64, 128, 256, 256)
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in zip(widths, widths[1:]))
        self.norms = nn.ModuleList(norm2d(kind, width) for width in widths[1:])
        self.fc = nn.Linear(256, 10)

    def forward(self, x):
        for conv, norm in zip(self.convs, self.norms):
            x = F.max_pool2d(F.relu(norm(conv(x))), 2)
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


LABELS = torch.tensor([0, 3, 9, 1, 1, 7])

# What each is built by, how many samples of which size it takes here, its norms, and the stream of its pictures: one with
# which float32, too, stays on its side of every kink (of ReLU and max-pool), where a gradient jumps.
MODELS = {
    "lenet5": (LeNet5, 6, (1, 28, 28), NORMS, 154),
    "mlp": (Mlp, 6, (1, 28, 28), NORMS[:4], 132),
    "resnet18 imagenet": (lambda kind: ResNet((2, 2, 2, 2), kind), 2, (3, 72, 68), NORMS, 276),
    "resnet18 cifar": (lambda kind: ResNet((2, 2, 2, 2), kind, "cifar"), 2, (3, 24, 20), NORMS, 486),
    "resnet34 cifar": (lambda kind: ResNet((3, 4, 6, 3), kind, "cifar"), 2, (3, 24, 20), ("batch", "group"), 536),
    "vgg": (Vgg, 4, (3, 20, 16), NORMS, 171),
}


def models():
    cases = {}
    for name, (make, samples, picture, norms, stream) in MODELS.items():
        images = noise(samples * math.prod(picture), stream).reshape(-1, *picture)
        for kind in norms:
            model = make(kind)
            fill_by_noise(model)
            logits = model(images)
            loss = F.cross_entropy(logits, LABELS[:samples])
            loss.backward()
            cases[f"{name} {kind}"] = {
                "picture": list(picture),
                "samples": samples,
                "stream": stream,
                "shapes": {key: list(value.shape) for key, value in model.named_parameters()},
                "loss": loss.item(),
                "logits": logits.flatten().tolist(),
                "gradients": {key: [value.grad.norm().item()] + value.grad.flatten()[:3].tolist()
                              for key, value in model.named_parameters()},
                "buffers": {key: value.double().flatten()[:3].tolist() for key, value in model.named_buffers()},
            }
    return cases


DTYPES = (torch.float64, torch.float32)


def kind(dtype):
    return str(dtype).removeprefix("torch.")


def small_layer(dtype):
    layer = nn.Linear(3, 2)
    fill(layer)
    return layer.to(dtype)


def flat(parameters):
    return torch.cat([parameter.detach().flatten() for parameter in parameters]).tolist()


# Settings as the command line takes them, and what torch makes of them.
OPTIMIZERS = {
    "optimizer.momentum=0": lambda p: torch.optim.SGD(p, lr=0.1),
    "optimizer.momentum=0.9": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "optimizer.dampening=0.3": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.3),
    "optimizer.nesterov=true": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "optimizer.weight_decay=0.05": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.05),
    "optimizer.name=adam": lambda p: torch.optim.Adam(p, lr=0.1),
    "optimizer.name=adam optimizer.beta1=0.8 optimizer.beta2=0.95 optimizer.eps=1e-6 optimizer.weight_decay=0.05":
        lambda p: torch.optim.Adam(p, lr=0.1, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.05),
    "optimizer.name=adamw optimizer.weight_decay=0.05": lambda p: torch.optim.AdamW(p, lr=0.1, weight_decay=0.05),
    "optimizer.name=adam optimizer.beta1=0.8 optimizer.beta2=0.6 optimizer.amsgrad=true":
        lambda p: torch.optim.Adam(p, lr=0.1, betas=(0.8, 0.6), amsgrad=True),
    "optimizer.name=adamw optimizer.beta1=0.8 optimizer.beta2=0.6 optimizer.weight_decay=0.05 optimizer.amsgrad=true":
        lambda p: torch.optim.AdamW(p, lr=0.1, betas=(0.8, 0.6), weight_decay=0.05, amsgrad=True),
    "optimizer.name=rmsprop optimizer.momentum=0": lambda p: torch.optim.RMSprop(p, lr=0.1),
    "optimizer.name=rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.1, momentum=0.9),
    "optimizer.name=rmsprop optimizer.momentum=0 optimizer.alpha=0.9 optimizer.eps=1e-3 optimizer.centered=true":
        lambda p: torch.optim.RMSprop(p, lr=0.1, alpha=0.9, eps=1e-3, centered=True),
    "optimizer.name=rmsprop optimizer.alpha=0.95 optimizer.eps=1e-3 optimizer.weight_decay=0.05 optimizer.centered=true":
        lambda p: torch.optim.RMSprop(p, lr=0.1, alpha=0.95, eps=1e-3, weight_decay=0.05, momentum=0.9, centered=True),
}


def bias_apart(layer):
    return [{"params": [layer.weight]}, {"params": [layer.bias], "weight_decay": 0.0}]


def steps_of(make, group, dtype):
    layer = small_layer(dtype)
    optimizer = make(group(layer))
    steps = {}
    for step in range(1, 21):
        for index, parameter in enumerate(layer.parameters()):
            parameter.grad = wave(parameter.numel(), step + 10.0 * index).reshape(parameter.shape).to(dtype)
        optimizer.step()
        if step in (1, 2, 5, 20):
            steps[str(step)] = flat(layer.parameters())
    return steps


def optimizers():
    """A linear layer 3 → 2, 20 steps; step t's gradient is the wave with shift t. Where there is a decay, also one that leaves
    the bias out."""
    cases = {}
    for name, make in OPTIMIZERS.items():
        groupings = {"": lambda layer: layer.parameters()}
        if "weight_decay" in name:
            groupings[" optimizer.decay_norm_and_bias=false"] = bias_apart
        for suffix, group in groupings.items():
            cases[name + suffix] = {kind(dtype): steps_of(make, group, dtype) for dtype in DTYPES}
    return cases


def clipped(norm, value, dtype):
    """Gradients of shapes [4, 3] and [5], the wave in one piece, whose L2 norm is 2.9."""
    gradient = wave(17, 0.5).to(dtype)
    parameters = [nn.Parameter(torch.zeros(4, 3, dtype=dtype)), nn.Parameter(torch.zeros(5, dtype=dtype))]
    parameters[0].grad, parameters[1].grad = gradient[:12].reshape(4, 3), gradient[12:]
    if norm:
        nn.utils.clip_grad_norm_(parameters, norm)
    if value:
        nn.utils.clip_grad_value_(parameters, value)
    return gradient.tolist()


def clipping():
    cases = {"norm": (1.0, 0), "norm above": (5.0, 0), "value": (0, 0.3), "both": (1.0, 0.3)}
    return {name: {kind(dtype): clipped(norm, value, dtype) for dtype in DTYPES} for name, (norm, value) in cases.items()}


def averages_of(decay, dtype):
    layer = small_layer(dtype)
    average = torch.optim.swa_utils.AveragedModel(layer, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(decay))
    average.update_parameters(layer)  # the first one copies
    steps = []
    for step in range(1, 6):
        with torch.no_grad():
            for index, parameter in enumerate(layer.parameters()):
                parameter.copy_(wave(parameter.numel(), step + 10.0 * index).reshape(parameter.shape))
        average.update_parameters(layer)
        steps.append(flat(average.module.parameters()))
    return steps


def averages():
    """A linear layer 3 → 2 whose parameters are the wave with shift t at step t."""
    return {str(decay): {kind(dtype): averages_of(decay, dtype) for dtype in DTYPES} for decay in (0.0, 0.3, 0.9)}


sched = torch.optim.lr_scheduler
# Settings as the command line takes them, for 20 updates in epochs of 4, and what torch makes of them: the warm-up's length,
# the schedule, and whether it begins after the warm-up (else it runs beside it).
SCHEDULES = {
    "schedule.name=constant": (0, lambda o: sched.ConstantLR(o, factor=1.0), True),
    "schedule.name=constant schedule.warmup_steps=5": (5, lambda o: sched.ConstantLR(o, factor=1.0), True),
    "schedule.name=cosine": (0, lambda o: sched.CosineAnnealingLR(o, T_max=20), True),
    "schedule.name=cosine schedule.warmup_steps=5 schedule.final_factor=0.1":
        (5, lambda o: sched.CosineAnnealingLR(o, T_max=15, eta_min=0.04), True),
    "schedule.name=linear": (0, lambda o: sched.LinearLR(o, 1.0, 0.0, total_iters=20), True),
    "schedule.name=linear schedule.warmup_steps=1 schedule.warmup_epochs=1 schedule.final_factor=0.25":
        (5, lambda o: sched.LinearLR(o, 1.0, 0.25, total_iters=15), True),
    "schedule.name=step schedule.every=6steps": (0, lambda o: sched.StepLR(o, 6), False),
    "schedule.name=step schedule.every=2epochs schedule.gamma=0.5 schedule.warmup_steps=5":
        (5, lambda o: sched.StepLR(o, 8, gamma=0.5), False),
    "schedule.name=multistep schedule.milestones=3steps,10steps,11steps":
        (0, lambda o: sched.MultiStepLR(o, [3, 10, 11]), False),
    "schedule.name=multistep schedule.milestones=1epoch,9steps,4epochs schedule.gamma=0.3 schedule.warmup_steps=5":
        (5, lambda o: sched.MultiStepLR(o, [4, 9, 16], gamma=0.3), False),
}
# The same for torch's one-cycle schedule: its length, its pct_start and the share of the last rate.
CYCLES = {
    "schedule.name=onecycle schedule.final_factor=0.01": (20, 0.3, 0.01),
    "schedule.name=onecycle schedule.peak_share=0.5 schedule.warmup_steps=5 schedule.final_factor=0.1": (15, 0.5, 0.1),
    "schedule.name=onecycle schedule.peak_share=0 schedule.final_factor=0.1 schedule.warmup_steps=12": (8, 0.0, 0.1),
    "schedule.name=onecycle schedule.peak_share=1 schedule.final_factor=0.1": (20, 1.0, 0.1),
}


def rates_of(optimizer, scheduler, count):
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(count - 1):
        optimizer.step()
        scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    return rates


def sgd_for_rates():
    return torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.4)


def schedules():
    cases = {}
    for name, (warmup, make, after) in SCHEDULES.items():
        optimizer = sgd_for_rates()
        main = make(optimizer)
        if warmup:
            linear = sched.LinearLR(optimizer, start_factor=1 / warmup, total_iters=warmup - 1)
            main = (sched.SequentialLR(optimizer, [linear, main], milestones=[warmup]) if after
                    else sched.ChainedScheduler([linear, main], optimizer=optimizer))
        cases[name] = rates_of(optimizer, main, 20)
    for name, (length, peak, final) in CYCLES.items():
        optimizer = sgd_for_rates()
        cycle = sched.OneCycleLR(optimizer, 0.4, total_steps=length, pct_start=peak, cycle_momentum=False,
                                 div_factor=25, final_div_factor=1 / (25 * final))
        rates = rates_of(optimizer, cycle, length)
        warmup = 20 - length
        cases[name] = [rates[0] * step / warmup for step in range(1, warmup + 1)] + rates
    return cases


def main():
    references = {"torch": torch.__version__, "models": models(), "optimizers": optimizers(), "clipping": clipping(),
                  "averages": averages(), "schedules": schedules()}
    out = Path(__file__).with_name("references.json")
    text = json.dumps(references, indent=1, sort_keys=True)
    # Lists of numbers stand on one line.
    out.write_text(re.sub(r"\[[^][{}]*\]", lambda numbers: " ".join(numbers.group().split()), text) + "\n")
    print(out, out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
