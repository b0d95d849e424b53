#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A PyTorch loop with gradient accumulation that logs into Accrue's run log, where it stands beside Accrue's own runs.

    pip install ./app/python torch
    python app/python/examples/accumulation.py --micro 16 --steps 4
    accrue list; accrue show 1

LeNet-5 learns to tell ten drawn patterns apart; a few seconds on a CPU.
"""

import argparse
import time

import torch
from torch import nn

import accrue


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def patterns(samples, draw):
    """Ten classes: each a pattern of its own, under noise."""
    classes = torch.rand(10, 1, 28, 28, generator=torch.Generator().manual_seed(0))
    labels = torch.randint(10, (samples,), generator=draw)
    return classes[labels] - 0.5 + 0.5 * torch.randn(samples, 1, 28, 28, generator=draw), labels


@torch.no_grad()
def evaluate(model, pictures, labels):
    scores = model(pictures)
    return nn.functional.cross_entropy(scores, labels).item(), (scores.argmax(1) == labels).float().mean().item()


def train(options, run):
    draw = torch.Generator().manual_seed(options.seed)
    torch.manual_seed(options.seed)
    pictures, labels = patterns(options.samples, draw)
    held_out = patterns(500, draw)
    model = lenet()
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9)
    step = samples = micro_batches = 0
    for epoch in range(1, options.epochs + 1):
        for window in torch.randperm(options.samples, generator=draw).split(options.micro * options.steps):
            began = time.perf_counter()
            loss_of_window = 0.0
            for chosen in window.split(options.micro):
                # The weight of a micro-batch is its share of the window, so the last, smaller window is right, too.
                loss = nn.functional.cross_entropy(model(pictures[chosen]), labels[chosen]) * (len(chosen) / len(window))
                loss.backward()
                loss_of_window += loss.item()
                micro_batches += 1
            norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            samples += len(window)
            run.log(step=step, epoch=epoch, samples=samples, micro_batches=micro_batches, loss=loss_of_window, gradient_norm=norm,
                    learning_rate=options.lr, step_ms=1000 * (time.perf_counter() - began))
        test_loss, test_accuracy = evaluate(model, *held_out)
        run.log(epoch=epoch, test_loss=test_loss, test_accuracy=test_accuracy)
        print(f"epoch {epoch}: test accuracy {test_accuracy:.1%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--micro", type=int, default=16, help="samples of a micro-batch")
    parser.add_argument("--steps", type=int, default=4, help="micro-batches of a window")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", help="the run log; otherwise Accrue's own")
    options = parser.parse_args()
    # Named as Accrue names them, these stand in its own columns; other names are settings as well.
    settings = {"batch.micro": options.micro, "batch.steps": options.steps, "batch.effective": options.micro * options.steps,
                "optimizer.name": "sgd", "optimizer.lr": options.lr, "run.seed": options.seed, "model.name": "lenet5",
                "torch.threads": torch.get_num_threads()}
    with accrue.Run(name="accumulation", settings=settings, tags="example", db=options.db) as run:
        train(options, run)
        print(f"run #{run.id} in {run.db}")


if __name__ == "__main__":
    main()
