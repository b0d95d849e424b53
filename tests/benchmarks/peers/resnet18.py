# SPDX-License-Identifier: Apache-2.0
"""The network that engine/model calls resnet18, torchvision's shape, in Python's torch, for the peers."""
import torch.nn as nn
import torch.nn.functional as F

STAGES = (64, 128, 256, 512)


def norm_of(kind, channels):
    return nn.BatchNorm2d(channels) if kind == "batch" else nn.GroupNorm(32, channels)


class BasicBlock(nn.Module):
    def __init__(self, before, channels, stride, norm):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
        self.bn1 = norm_of(norm, channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = norm_of(norm, channels)
        self.downsample = None
        if stride != 1 or before != channels:
            self.downsample = nn.Sequential(nn.Conv2d(before, channels, 1, stride, bias=False), norm_of(norm, channels))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        return F.relu(self.bn2(self.conv2(x)).add_(shortcut), inplace=True)


class ResNet18(nn.Module):
    def __init__(self, stem, norm, classes=10):
        super().__init__()
        self.large = stem == "imagenet"
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False) if self.large else nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.bn1 = norm_of(norm, 64)
        blocks, before = [], 64
        for channels in STAGES:
            blocks += [BasicBlock(before, channels, 1 if channels == before else 2, norm),
                       BasicBlock(channels, channels, 1, norm)]
            before = channels
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(before, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        if self.large:
            x = F.max_pool2d(x, 3, 2, 1)
        return self.fc(self.blocks(x).mean((2, 3)))
