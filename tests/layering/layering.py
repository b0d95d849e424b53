#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the arrows between the rooms: who may include whom, and where Qt, Qt Charts, torch and SQL may stand.

    tests/layering/layering.py [ROOT]

Prints one line for each wrong arrow, FILE:LINE: what stands there and what is allowed; exit 1 if there is any. CMake makes
many of them compile errors already; this finds the rest. docs/architecture.md explains the arrows.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

# What the window and the command line know of the engine.
CONTRACTS = ["engine/experiment", "engine/events", "engine/door", "engine/runlog"]

# Room: the other rooms that its files may include. A room that is not here may not exist.
ARROWS = {
    "engine/experiment": [],
    "engine/events": ["engine/experiment"],
    # Only the torch-free files of engine/data, so that "what is found where" works where torch cannot load.
    "engine/door": ["engine/experiment", "engine/events", "engine/data"],
    "engine/runlog": ["engine/experiment", "engine/events"],
    # Its tensors only; the accelerator knows its torch-free files only.
    "engine/data": ["engine/experiment", "engine/accelerator"],
    "engine/accelerator": ["engine/experiment", "engine/door", "engine/data"],
    "engine/cuda": ["engine/accelerator", "engine/data"],
    "engine/model": ["engine/experiment", "engine/door"],
    "engine/memory": ["engine/experiment", "engine/events", "engine/door", "engine/accelerator"],
    "engine/training": ["engine/experiment", "engine/events", "engine/door", "engine/data", "engine/model", "engine/memory", "engine/accelerator"],
    "engine/studies": ["engine/experiment", "engine/events", "engine/door", "engine/data", "engine/model", "engine/memory", "engine/training", "engine/accelerator"],
    "ui/run": CONTRACTS,
    "ui/models": CONTRACTS + ["ui/run"],
    "ui/charts": ["engine/runlog"],
    "ui/pages": CONTRACTS + ["ui/run", "ui/models", "ui/charts"],
    "app": CONTRACTS,
    "app/workbench": CONTRACTS + ["ui/run", "ui/models", "ui/charts", "ui/pages"],
}

# Headers that CMake writes into the build folder.
GENERATED = {"accrue_revision.h"}

TORCH_ROOMS = {"engine/accelerator", "engine/cuda", "engine/data", "engine/model", "engine/memory", "engine/training", "engine/studies"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/|^(cuda|nvml)\w*\.h$")
QT = re.compile(r"^(Qt\w*/)?Q[A-Z]\w*$|^Qt\w+(/|$)|^q[a-z]+\.h$")
QT_CHARTS = re.compile(
    r"^QtCharts(/|$)|^Q(\w*Chart\w*|Legend\w*|\w*Series|(Value|LogValue|Category|BarCategory|DateTime|Abstract)Axis)$")
SQLITE = re.compile(r"^(SQLiteCpp/|sqlite3)")
SQL = re.compile(
    r'"[^"\n]*\b(SELECT\s+[\w*(]|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|(CREATE|ALTER|DROP)\s+TABLE|PRAGMA\s+\w)')


def room_of(path):
    """The room that a path lies in, or None for what is no room (tests, scripts)."""
    parts = PurePosixPath(path).parts
    if parts[0] in ("engine", "ui"):
        return "/".join(parts[:2]) if len(parts) > 2 else None
    if parts[0] == "app":
        return "app/workbench" if "workbench" in parts[1] else "app"
    return None


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def include_fault(room, mark, name):
    """What is wrong with one include of a file of this room, or None."""
    if mark == '"':
        target = room_of(name) if "/" in name else None
        if name.endswith(".moc") or name in GENERATED or target == room:
            return None
        if target is None:
            return f'"{name}" is not rooted at the repository, such as "engine/door/engine.h"'
        if target not in ARROWS[room]:
            return f"{room} may not include {target}; it may include " + (", ".join(ARROWS[room]) or "no other room")
        return None
    if TORCH.match(name) and room not in TORCH_ROOMS:
        return f"<{name}>: only " + ", ".join(sorted(TORCH_ROOMS)) + " see torch and CUDA"
    if SQLITE.match(name) and room != "engine/runlog":
        return f"<{name}>: only engine/runlog knows SQLite"
    if QT_CHARTS.match(name) and room != "ui/charts":
        return f"<{name}>: only ui/charts knows Qt Charts"
    if QT.match(name) and not (room.startswith("ui/") or room == "app/workbench"):
        return f"<{name}>: no Qt outside ui and the workbench's program"
    return None


def source_faults(path, text):
    room = room_of(path)
    if room is None:
        return
    if room not in ARROWS:
        yield f"{path}:1: the room {room} is not known; add it with its arrows to tests/layering/layering.py"
        return
    for match in INCLUDE.finditer(text):
        fault = include_fault(room, match.group(1), match.group(2))
        if fault:
            yield f"{path}:{line_of(text, match.start())}: {fault}"
    if room != "engine/runlog":
        for match in SQL.finditer(text):
            yield f"{path}:{line_of(text, match.start())}: SQL stands only in engine/runlog"


def cmake_faults(path, text):
    folder = str(PurePosixPath(path).parent)
    for match in re.finditer(r"Qt6::\w+", text):
        if folder.startswith("engine"):
            yield f"{path}:{line_of(text, match.start())}: {match.group()}: no Qt in the engine"
        elif match.group() == "Qt6::Charts" and folder.startswith(("ui", "app")) and folder != "ui/charts":
            yield f"{path}:{line_of(text, match.start())}: Qt6::Charts: only ui/charts links Qt Charts"


def faults(files):
    """All wrong arrows in files, a mapping from a path (rooted at the repository, with /) to its text."""
    for path, text in sorted(files.items()):
        if PurePosixPath(path).suffix in (".h", ".cpp", ".cu", ".in"):
            yield from source_faults(path, text)
        elif path.endswith("CMakeLists.txt"):
            yield from cmake_faults(path, text)


def files_below(root):
    """Sources of the rooms: those that git tracks or would track; all of them where there is no git."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "engine", "ui", "app"],
        capture_output=True, text=True)
    if listed.returncode == 0:
        paths = [root / line for line in listed.stdout.splitlines()]
    else:
        paths = [path for room in ("engine", "ui", "app") for path in (root / room).rglob("*")]
    wanted = [path for path in paths if path.suffix in (".h", ".cpp", ".cu", ".in", ".txt") and path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in wanted}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    files = files_below(root)
    if not files:
        print(f"No source files of the rooms below {root}")
        return 2
    found = list(faults(files))
    for fault in found:
        print(fault)
    print(f"layering: {len(files)} files, {len(found)} wrong arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
