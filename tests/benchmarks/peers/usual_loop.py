# SPDX-License-Identifier: Apache-2.0
"""The peer that most people write: LeNet-5 on MNIST with gradient accumulation as tutorials show it.

A Dataset whose __getitem__ converts and normalises one picture, a DataLoader, loss / steps, optimizer.step() every `steps`
batches, `.item()` every 10 batches. Prints one JSON object; `epoch_seconds` is training only.

    python usual_loop.py --data FOLDER [--micro 32] [--steps 4] [--epochs 2] [--workers 0] [--threads 2]
"""
import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from mnist import MEAN, STD, bytes_of
from lenet5 import LeNet5


class Pictures(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture = torch.from_numpy(self.images[index]).unsqueeze(0).float().div(255)
        return picture.sub(MEAN).div(STD), int(self.labels[index])


def train_epoch(model, optimizer, loader, steps):
    running = 0.0
    for index, (images, labels) in enumerate(loader):
        loss = F.cross_entropy(model(images), labels) / steps
        loss.backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        if index % 10 == 0:
            running = loss.item()
    return running


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--micro", type=int, default=32)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.04)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    loader = DataLoader(Pictures(*bytes_of(args.data, "train")), batch_size=args.micro, shuffle=True,
                        num_workers=args.workers)
    model = LeNet5()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)
    seconds = []
    for _ in range(args.epochs):
        begin = time.perf_counter()
        train_epoch(model, optimizer, loader, args.steps)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "usual loop", "torch": torch.__version__, "threads": args.threads,
                      "workers": args.workers, "epoch_seconds": seconds}))


if __name__ == "__main__":
    main()
