# SPDX-License-Identifier: Apache-2.0
"""The peer that Accrue must not be slower than: LeNet-5 on MNIST with gradient accumulation, tuned by hand.

Pictures are normalised once and stay in memory as float32, an epoch is one permutation, each window is gathered at once,
gradients stay allocated, the optimizer is the fused SGD, and nothing in the loop reads a tensor back. Before the clock runs, a
model that is thrown away trains a few windows. Prints one JSON object; `epoch_seconds` is training only.

OpenMP is left as torch finds it: its threads wait for each other 300,000 rounds before they sleep, more than Accrue's (see
docs/decisions.md).

    python hand_tuned_loop.py --data FOLDER [--micro 32] [--steps 4] [--epochs 3] [--threads 2]
"""
import argparse
import json
import time

import torch
import torch.nn.functional as F

from mnist import load_mnist
from lenet5 import LeNet5

WARM_UP_WINDOWS = 50


def train_windows(model, optimizer, images, labels, windows, micro):
    for window in windows:
        pictures, answers = images[window], labels[window]
        for x, y in zip(pictures.split(micro), answers.split(micro)):
            loss = F.cross_entropy(model(x), y, reduction="sum") / len(window)
            loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


def windows_of_epoch(labels, size):
    return torch.randperm(len(labels)).split(size)


def accuracy(model, images, labels):
    with torch.inference_mode():
        parts = zip(images.split(512), labels.split(512))
        return sum((model(x).argmax(1) == y).sum() for x, y in parts).item() / len(labels)


def new_model(args):
    model = LeNet5()
    return model, torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, fused=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--micro", type=int, default=32)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.04)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    train, test = load_mnist(args.data)
    size = args.micro * args.steps
    train_windows(*new_model(args), *train, windows_of_epoch(train[1], size)[:WARM_UP_WINDOWS], args.micro)
    model, optimizer = new_model(args)
    seconds = []
    for _ in range(args.epochs):
        begin = time.perf_counter()
        train_windows(model, optimizer, *train, windows_of_epoch(train[1], size), args.micro)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "hand-tuned loop", "torch": torch.__version__, "threads": torch.get_num_threads(),
                      "epoch_seconds": seconds, "test_accuracy": accuracy(model, *test)}))


if __name__ == "__main__":
    main()
