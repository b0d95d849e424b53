# SPDX-License-Identifier: Apache-2.0
"""The peer that Accrue must not be slower than: LeNet-5 on MNIST with gradient accumulation, tuned by hand.

Pictures are normalised once and stay in memory as float32, an epoch is one permutation, gradients stay allocated, the
optimizer is the fused (or foreach) SGD, and nothing in the loop reads a tensor back. Prints one JSON object; `epoch_seconds`
is training only.

    python hand_tuned_loop.py --data FOLDER [--micro 32] [--steps 4] [--epochs 3] [--threads 2]
"""
import argparse
import json
import time

import torch
import torch.nn.functional as F

from mnist import load_mnist
from lenet5 import LeNet5


def train_epoch(model, optimizer, images, labels, micro, steps):
    order = torch.randperm(len(labels))
    window = micro * steps
    for start in range(0, len(order), window):
        share = order[start:start + window]
        for part in share.split(micro):
            logits = model(images.index_select(0, part))
            loss = F.cross_entropy(logits, labels.index_select(0, part), reduction="sum") / len(share)
            loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


def accuracy(model, images, labels):
    with torch.inference_mode():
        parts = zip(images.split(512), labels.split(512))
        return sum((model(x).argmax(1) == y).sum() for x, y in parts).item() / len(labels)


def sgd(model, lr, momentum, implementation):
    flags = {"fused": {"fused": True}, "foreach": {"foreach": True}}[implementation]
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum, **flags)


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
    parser.add_argument("--optimizer", choices=["fused", "foreach"], default="fused")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    train, test = load_mnist(args.data)
    model = LeNet5()
    optimizer = sgd(model, args.lr, args.momentum, args.optimizer)
    seconds = []
    for _ in range(args.epochs):
        begin = time.perf_counter()
        train_epoch(model, optimizer, *train, args.micro, args.steps)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "hand-tuned loop", "torch": torch.__version__, "threads": args.threads,
                      "optimizer": args.optimizer, "epoch_seconds": seconds,
                      "test_accuracy": accuracy(model, *test)}))


if __name__ == "__main__":
    main()
