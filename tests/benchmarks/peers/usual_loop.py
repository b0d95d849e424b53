# SPDX-License-Identifier: Apache-2.0
"""The peer that most people write: LeNet-5 on MNIST with gradient accumulation as tutorials show it.

A Dataset that transforms one picture at a time, a DataLoader, loss / steps, optimizer.step() every `steps` batches, `.item()`
every 10 batches; as in most tutorials, the batches after an epoch's last whole window add to the next epoch's first one.
Before the clock runs, a model that is thrown away trains a few windows. Prints one JSON object; `epoch_seconds` is training
only.

`--transform torchvision` does what torchvision.datasets.MNIST with ToTensor and Normalize does to each picture, operation for
operation, except that no PIL image is made and read again: it is lighter than the real thing. `--transform light` is a
transform written by hand with the fewest operations.

    python usual_loop.py --data FOLDER [--micro 32] [--steps 4] [--epochs 3] [--workers 0] [--transform torchvision]
"""
import argparse
import itertools
import json
import time

import numpy
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from mnist import MEAN, STD, bytes_of
from lenet5 import LeNet5

WARM_UP_WINDOWS = 50


class ToTensor:
    """Bytes of a picture, height x width x channels, to floats from 0 to 1, channels first."""

    def __call__(self, picture):
        pixels = torch.from_numpy(numpy.array(picture, numpy.uint8, copy=True)).view(28, 28, 1)
        return pixels.permute((2, 0, 1)).contiguous().to(dtype=torch.get_default_dtype()).div(255)


class Normalize(torch.nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = mean, std

    def forward(self, picture):
        picture = picture.clone()
        mean = torch.as_tensor(self.mean, dtype=picture.dtype, device=picture.device)
        std = torch.as_tensor(self.std, dtype=picture.dtype, device=picture.device)
        if (std == 0).any():
            raise ValueError("a standard deviation of 0 cannot be divided by")
        return picture.sub_(mean.view(-1, 1, 1)).div_(std.view(-1, 1, 1))


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, picture):
        for transform in self.transforms:
            picture = transform(picture)
        return picture


class Pictures(Dataset):
    """torchvision.datasets.MNIST keeps tensors and hands a PIL image to its transform; here it is the array within."""

    def __init__(self, pixels, labels, transform):
        self.data, self.targets, self.transform = torch.from_numpy(pixels), torch.from_numpy(labels), transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        picture, label = self.data[index], int(self.targets[index])
        return self.transform(picture.numpy()), label


class LightPictures(Dataset):
    def __init__(self, pixels, labels):
        self.pixels, self.labels = pixels, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture = torch.from_numpy(self.pixels[index]).unsqueeze(0).float().div(255)
        return picture.sub(MEAN).div(STD), int(self.labels[index])


def data_set(name, folder):
    train = bytes_of(folder, "train")
    if name == "light":
        return LightPictures(*train)
    return Pictures(*train, Compose([ToTensor(), Normalize((MEAN,), (STD,))]))


def train_batches(model, optimizer, batches, steps):
    running = 0.0
    for index, (images, labels) in enumerate(batches):
        loss = F.cross_entropy(model(images), labels) / steps
        loss.backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        if index % 10 == 0:
            running = loss.item()
    return running


def new_model(args):
    model = LeNet5()
    return model, torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--micro", type=int, default=32)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.04)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--transform", choices=["torchvision", "light"], default="torchvision")
    args = parser.parse_args()

    torch.manual_seed(1)
    loader = DataLoader(data_set(args.transform, args.data), batch_size=args.micro, shuffle=True,
                        num_workers=args.workers)
    train_batches(*new_model(args), itertools.islice(loader, WARM_UP_WINDOWS * args.steps), args.steps)
    model, optimizer = new_model(args)
    seconds = []
    for _ in range(args.epochs):
        begin = time.perf_counter()
        train_batches(model, optimizer, loader, args.steps)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "usual loop", "torch": torch.__version__, "threads": torch.get_num_threads(),
                      "workers": args.workers, "transform": args.transform, "epoch_seconds": seconds}))


if __name__ == "__main__":
    main()
