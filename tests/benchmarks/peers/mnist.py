# SPDX-License-Identifier: Apache-2.0
"""Reads MNIST's four published files for the peers."""
import gzip
from pathlib import Path

import numpy
import torch

MEAN, STD = 0.1307, 0.3081


def read_idx(folder, stem):
    plain = Path(folder) / stem
    raw = plain.read_bytes() if plain.exists() else gzip.decompress(Path(f"{plain}.gz").read_bytes())
    dimensions = [int.from_bytes(raw[4 + 4 * i:8 + 4 * i], "big") for i in range(raw[3])]
    return numpy.frombuffer(raw, numpy.uint8, offset=4 + 4 * len(dimensions)).reshape(dimensions).copy()


def bytes_of(folder, part):
    """uint8 pictures [n, 28, 28] and labels [n]; `part` is train or t10k."""
    return read_idx(folder, f"{part}-images-idx3-ubyte"), read_idx(folder, f"{part}-labels-idx1-ubyte")


def load_mnist(folder):
    """((train pictures, labels), (test pictures, labels)): float32 [n, 1, 28, 28] normalised, int64 [n]."""
    def tensors(part):
        images, labels = bytes_of(folder, part)
        images = torch.from_numpy(images).unsqueeze(1).float().div_(255).sub_(MEAN).div_(STD)
        return images, torch.from_numpy(labels).long()
    return tensors("train"), tensors("t10k")
