#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Python's torch on the work that gpu_first.py gives to Accrue: windows of N micro-batches, data on the GPU, fused SGD, and
nothing read back.

    gpu_peer.py [--benchmark] MODEL,MODE,PRECISION,LAYOUT,MICRO,STEPS,WINDOWS …

MODEL lenet5, imagenet or cifar (ResNet-18 with that stem); MODE eager or graph (one CUDA graph a micro-batch and one an update);
PRECISION float32, tf32 or bfloat16; LAYOUT contiguous or channels_last. One process for all cases, because importing torch
takes seconds. Prints one JSON line a case. --benchmark: cudnn.benchmark, which chooses algorithms that may not repeat.
"""

import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

SAMPLES = 20000
WARM_UP = 5  # windows
ROUNDS = 5


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, images):
        hidden = F.max_pool2d(self.conv1(images).relu_(), 2)
        hidden = F.max_pool2d(self.conv2(hidden).relu_(), 2)
        return self.fc3(self.fc2(self.fc1(hidden.flatten(1)).relu_()).relu_())


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
        self.conv2, self.bn2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs)
        self.shortcut = None if stride == 1 and inputs == outputs else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, images):
        hidden = self.bn2(self.conv2(self.bn1(self.conv1(images)).relu_()))
        return hidden.add_(self.shortcut(images) if self.shortcut else images).relu_()


class ResNet18(nn.Module):
    def __init__(self, stem):
        super().__init__()
        self.pools = stem == "imagenet"
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False) if self.pools else nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        layers, inputs = [], 64
        for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
            layers += [Block(inputs, width, stride), Block(width, width, 1)]
            inputs = width
        self.layers, self.fc = nn.Sequential(*layers), nn.Linear(512, 10)

    def forward(self, images):
        hidden = self.bn1(self.conv1(images)).relu_()
        hidden = F.max_pool2d(hidden, 3, 2, 1) if self.pools else hidden
        return self.fc(F.adaptive_avg_pool2d(self.layers(hidden), 1).flatten(1))


class Training:
    """One case: its model, its data, and what one micro-batch and one update do."""

    def __init__(self, case):
        self.case = case
        self.layout = torch.channels_last if case.layout == "channels_last" else torch.contiguous_format
        shape = (1, 28, 28) if case.model == "lenet5" else (3, 32, 32)
        self.images = torch.rand(SAMPLES, *shape, device="cuda") - 0.5
        self.labels = torch.randint(0, 10, (SAMPLES,), device="cuda")
        model = LeNet5() if case.model == "lenet5" else ResNet18(case.model)
        self.model = model.cuda().to(memory_format=self.layout)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.04, momentum=0.9, fused=True)
        self.index = torch.zeros(case.micro, dtype=torch.long, device="cuda")
        self.run_micro_batch, self.run_update = self.micro_batch, self.update

    def micro_batch(self):
        images = self.images.index_select(0, self.index).contiguous(memory_format=self.layout)
        labels = self.labels.index_select(0, self.index)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.case.precision == "bfloat16",
                            cache_enabled=self.case.mode == "eager"):
            logits = self.model(images)
        loss = F.cross_entropy(logits.float(), labels, reduction="sum")
        (loss / (self.case.micro * self.case.steps)).backward()

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)

    def window(self, order):
        for part in order.split(self.case.micro):
            self.index.copy_(part)
            self.run_micro_batch()
        self.run_update()

    def capture(self, stream):
        """From here on the two are replayed as CUDA graphs."""
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        micro_batch, update = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
        with torch.cuda.graph(micro_batch, stream=stream):
            self.micro_batch()
        with torch.cuda.graph(update, stream=stream, pool=micro_batch.pool()):
            self.update()
        self.run_micro_batch, self.run_update = micro_batch.replay, update.replay


def set_up_torch(case, benchmark):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = case.precision == "tf32"
    torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic = benchmark, not benchmark
    torch.manual_seed(1)
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def seconds_of_a_window(training, orders):
    torch.cuda.synchronize()
    began = time.perf_counter()
    for number in range(training.case.windows):
        training.window(orders[number % len(orders)])
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / training.case.windows


def measure(case, benchmark):
    set_up_torch(case, benchmark)
    training = Training(case)
    size = case.micro * case.steps
    orders = torch.randperm(SAMPLES, device="cuda")[: SAMPLES // size * size].split(size)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for number in range(WARM_UP):
            training.window(orders[number])
        if case.mode == "graph":
            training.capture(stream)
        for number in range(WARM_UP):
            training.window(orders[number])
        window = statistics.median(seconds_of_a_window(training, orders) for _ in range(ROUNDS))
    return {"window_ms": round(1000 * window, 4), "images_per_s": round(size / window),
            "peak_allocated": torch.cuda.max_memory_allocated(), "reserved": torch.cuda.memory_reserved()}


def case_of(text):
    model, mode, precision, layout, micro, steps, windows = text.split(",")
    return argparse.Namespace(model=model, mode=mode, precision=precision, layout=layout, micro=int(micro), steps=int(steps),
                              windows=int(windows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--benchmark", action="store_true")
    asked = parser.parse_args()
    for text in asked.cases:
        try:
            figures = measure(case_of(text), asked.benchmark)
        except Exception as problem:  # noqa: BLE001
            figures = {"problem": repr(problem)[:300]}
        print(json.dumps({"case": text, **figures}), flush=True)


if __name__ == "__main__":
    main()
