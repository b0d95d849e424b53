# SPDX-License-Identifier: Apache-2.0
"""The peer for ResNet-18 on CIFAR-10: windows of N micro-batches, pictures resident as float32, the fused SGD, nothing read back.

Prints one JSON object; `window_seconds` are those after the first two, which allocate.

    python resnet18_loop.py --data FOLDER --stem imagenet --norm batch --memory-format channels_last [--micro 64] [--steps 2]
"""
import argparse
import json
import time

import torch
import torch.nn.functional as F

from cifar10 import load_cifar10
from resnet18 import ResNet18


def train_window(model, optimizer, images, labels, micro, layout):
    for x, y in zip(images.split(micro), labels.split(micro)):
        logits = model(x.contiguous(memory_format=layout))
        (F.cross_entropy(logits, y, reduction="sum") / len(labels)).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--stem", choices=["imagenet", "cifar"], required=True)
    parser.add_argument("--norm", choices=["batch", "group"], required=True)
    parser.add_argument("--memory-format", choices=["contiguous", "channels_last"], required=True)
    parser.add_argument("--micro", type=int, default=64)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    layout = torch.channels_last if args.memory_format == "channels_last" else torch.contiguous_format
    images, labels = load_cifar10(args.data)
    model = ResNet18(args.stem, args.norm).to(memory_format=layout)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, fused=True)
    seconds = []
    for window in torch.randperm(len(labels)).split(args.micro * args.steps)[:args.windows + 2]:
        begin = time.perf_counter()
        train_window(model, optimizer, images[window], labels[window], args.micro, layout)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps({"torch": torch.__version__, "threads": torch.get_num_threads(), "window_seconds": seconds[2:],
                      "window_samples": args.micro * args.steps}))


if __name__ == "__main__":
    main()
