# SPDX-License-Identifier: Apache-2.0
"""Python loops that train MNIST to a test accuracy, beside the recipe mnist-99.

`--settings example`: network, Adadelta, batch of 64 and rate x 0.7 an epoch of PyTorch's own MNIST example; its DataLoader is
replaced by tensors in memory, which is faster. `--settings tuned`: LeNet-5, Nesterov's momentum, a rate that rises in a line to
0.12 and falls in a line to 0 over three epochs, tensors in memory, fused SGD. Evaluates after each epoch. Prints one JSON
object: `seconds` until the accuracy was first reached, evaluations included, null where it never was.

    python mnist_99_loop.py --data FOLDER --settings example|tuned [--seed 1] [--epochs 14]
"""
import argparse
import json
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from hand_tuned_loop import accuracy
from lenet5 import LeNet5
from mnist import load_mnist

WANTED = 0.99


class ExampleNet(nn.Module):
    """The network of PyTorch's MNIST example."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv2(F.relu(self.conv1(x)))), 2)
        x = self.dropout2(F.relu(self.fc1(self.dropout1(x).flatten(1))))
        return self.fc2(x)


def triangular(step, total, peak=0.12, rise=0.3):
    share = step / total
    return peak * (share / rise if share < rise else (1 - share) / (1 - rise))


def example():
    model = ExampleNet()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    return model, optimizer, 64, lambda step, steps_an_epoch, epochs: 0.7 ** (step // steps_an_epoch)


def tuned():
    model = LeNet5()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.12, momentum=0.9, nesterov=True, fused=True)
    return model, optimizer, 128, lambda step, steps_an_epoch, epochs: triangular(step, steps_an_epoch * epochs)


def train_epoch(model, optimizer, images, labels, batch, rate_of):
    model.train()
    for number, indices in enumerate(torch.randperm(len(labels)).split(batch)):
        for group in optimizer.param_groups:
            group["lr"] = rate_of(number)
        optimizer.zero_grad()
        F.cross_entropy(model(images[indices]), labels[indices]).backward()
        optimizer.step()
    model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--settings", choices=["example", "tuned"], required=True)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    epochs = args.epochs or {"example": 14, "tuned": 3}[args.settings]
    train, test = load_mnist(args.data)
    model, optimizer, batch, rate = {"example": example, "tuned": tuned}[args.settings]()
    steps = -(-len(train[1]) // batch)
    begin, reached, shares = time.perf_counter(), None, []
    for epoch in range(epochs):
        train_epoch(model, optimizer, *train, batch, lambda number: rate(epoch * steps + number, steps, epochs))
        shares.append(accuracy(model, *test))
        if shares[-1] >= WANTED:
            reached = time.perf_counter() - begin
            break
    print(json.dumps({"settings": args.settings, "torch": torch.__version__, "seconds": reached, "test_accuracy": shares}))


if __name__ == "__main__":
    main()
