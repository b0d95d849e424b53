# SPDX-License-Identifier: Apache-2.0
"""Reads CIFAR-10's binary files for the peers."""
from pathlib import Path

import numpy
import torch

MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)
ROW = 1 + 3 * 32 * 32


def load_cifar10(folder):
    """Train pictures, float32 [50000, 3, 32, 32] normalised, and labels, int64."""
    files = sorted(Path(folder).glob("data_batch_*.bin"))
    rows = numpy.concatenate([numpy.frombuffer(file.read_bytes(), numpy.uint8).reshape(-1, ROW) for file in files])
    images = torch.from_numpy(rows[:, 1:].reshape(-1, 3, 32, 32).copy()).float().div_(255)
    images.sub_(torch.tensor(MEAN).view(1, 3, 1, 1)).div_(torch.tensor(STD).view(1, 3, 1, 1))
    return images, torch.from_numpy(rows[:, 0].astype(numpy.int64))
