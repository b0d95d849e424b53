#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the arrows between the rooms: who may include whom, where Qt, Qt Charts, torch and SQL may stand, that no units
include each other in a circle, and that the names of keys and metrics are spelled in their tables only.

    tests/layering/layering.py [ROOT]

Prints one line for each wrong arrow, FILE:LINE: what stands there and what is allowed; exit 1 if there is any. CMake makes
many of them compile errors already; this finds the rest. docs/architecture.md explains the arrows.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

# What every room may know.
CORE = ["engine/base", "engine/experiment", "engine/events"]
# What the window and the command line know of the engine.
CONTRACTS = CORE + ["engine/insight", "engine/sweep", "engine/download", "engine/door", "engine/runs", "engine/logfile", "engine/runlog", "engine/exchange", "engine/queue", "engine/report", "engine/compare"]
# What a page may know: never another page.
PAGE = CONTRACTS + ["ui/run", "ui/models", "ui/draft", "ui/charts", "ui/widgets", "ui/choices", "ui/curves", "ui/table", "ui/relations", "ui/histograms", "ui/rows", "ui/actions", "ui/exchange"]
PAGES = ["ui/train", "ui/runs", "ui/queue", "ui/compare", "ui/memory"]

# Room: the other rooms that its files may include. A room that is not here may not exist.
ARROWS = {
    "engine/base": [],
    "engine/experiment": ["engine/base"],
    "engine/events": ["engine/base", "engine/experiment"],
    "engine/insight": CORE,
    "engine/sweep": CORE + ["engine/insight"],
    "engine/data": ["engine/base", "engine/experiment"],
    "engine/download": ["engine/base", "engine/data"],
    "engine/door": CORE + ["engine/insight", "engine/data"],
    "engine/runs": CORE,
    "engine/logfile": CORE + ["engine/runs"],
    "engine/runlog": CORE + ["engine/runs", "engine/logfile"],
    "engine/exchange": CORE + ["engine/runs", "engine/logfile", "engine/runlog"],
    "engine/queue": CORE + ["engine/sweep", "engine/runs", "engine/logfile", "engine/runlog"],
    "engine/report": CORE + ["engine/insight", "engine/sweep", "engine/door", "engine/runs", "engine/runlog", "engine/exchange", "engine/queue"],
    "engine/compare": CORE + ["engine/insight", "engine/runs", "engine/runlog", "engine/report"],
    "engine/accelerator": ["engine/base", "engine/experiment", "engine/data", "engine/door"],
    "engine/cuda": ["engine/accelerator", "engine/data"],
    "engine/tensors": ["engine/events", "engine/data", "engine/accelerator"],
    "engine/memory": CORE + ["engine/insight", "engine/accelerator"],
    "engine/model": ["engine/base", "engine/experiment"],
    "engine/window": CORE + ["engine/data", "engine/door", "engine/accelerator", "engine/tensors", "engine/memory", "engine/model"],
    "engine/distributed": CORE + ["engine/accelerator", "engine/door", "engine/model", "engine/window"],
    "engine/checkpoint": CORE + ["engine/data", "engine/door", "engine/memory", "engine/model", "engine/window"],
    "engine/session": CORE + [
        "engine/insight", "engine/data", "engine/door", "engine/accelerator", "engine/tensors", "engine/memory", "engine/model", "engine/window",
        "engine/distributed", "engine/checkpoint"],
    "engine/studies": CORE + [
        "engine/insight", "engine/data", "engine/door", "engine/accelerator", "engine/memory", "engine/window", "engine/distributed", "engine/session"],
    "ui/run": CONTRACTS,
    "ui/models": CONTRACTS + ["ui/run"],
    "ui/draft": CONTRACTS + ["ui/run", "ui/models"],
    "ui/charts": ["engine/runs", "engine/runlog", "ui/run"],
    "ui/widgets": CONTRACTS + ["ui/run", "ui/models", "ui/charts"],
    "ui/choices": ["ui/models", "ui/widgets"],
    "ui/curves": CONTRACTS + ["ui/run", "ui/models", "ui/charts", "ui/widgets", "ui/choices"],
    "ui/table": CONTRACTS + ["ui/run", "ui/models", "ui/charts", "ui/widgets", "ui/curves"],
    "ui/relations": CONTRACTS + ["ui/run", "ui/models", "ui/charts", "ui/widgets", "ui/choices"],
    "ui/histograms": CONTRACTS + ["ui/run", "ui/models", "ui/charts", "ui/widgets"],
    "ui/rows": CONTRACTS + ["ui/run", "ui/models", "ui/widgets"],
    "ui/actions": CONTRACTS + ["ui/run", "ui/models", "ui/widgets", "ui/choices"],
    "ui/exchange": CONTRACTS + ["ui/run", "ui/models", "ui/widgets", "ui/actions"],
    **{page: PAGE for page in PAGES},
    "ui/window": PAGE + PAGES,
    "app": CONTRACTS,
    "app/workbench": ["engine/door", "ui/window"],
}

# Headers that CMake writes into the build folder.
GENERATED = {"accrue_revision.h"}

TORCH_ROOMS = {"engine/" + room for room in (
    "accelerator", "cuda", "tensors", "memory", "model", "window", "distributed", "checkpoint", "session", "studies")}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/|^(cuda|nvml)\w*\.h$")
QT = re.compile(r"^(Qt\w*/)?Q[A-Z]\w*$|^Qt\w+(/|$)|^q[a-z]+\.h$")
QT_CHARTS = re.compile(
    r"^QtCharts(/|$)|^Q(\w*Chart\w*|Legend\w*|\w*Series|(Value|LogValue|Category|BarCategory|DateTime|Abstract)Axis)$")
SQL_ROOMS = {"engine/logfile", "engine/runlog", "engine/queue"}
SQLITE = re.compile(r"^(SQLiteCpp/|sqlite3)")
SQL = re.compile(
    r'"[^"\n]*\b(SELECT\s+[\w*(]|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|(CREATE|ALTER|DROP)\s+TABLE|PRAGMA\s+\w)')

KEY_NAMES = "engine/experiment/key_names.h"
KEY_TABLE = re.compile(r"engine/experiment/(keys_of_\w+\.cpp|key_names\.h)")
KEY_NAME = re.compile(r'"([a-z]+\.[a-z_0-9]+)"')
# A key that code assigns or compares: "batch.micro=", " --set run.epochs=", "run.device = cpu". A sentence or an example of the
# help that contains one is a text for persons.
KEY_IN_USE = re.compile(r"\s*(?:--set )?([a-z]+\.[a-z_0-9]+)\s*[=<>!]|.*?(?<![\w.])([a-z]+\.[a-z_0-9]+)\s*=\s*$")

METRIC_TABLE = "engine/events/metrics.cpp"
METRIC_ROW = re.compile(r'\bId::\w+,\s*"(\w+)",\s*"([^"]+)"|\.name = "(\w+)"')  # its name and title
TRACE_COLUMN = re.compile(r'\bofTrace\([^()]*"(\w+)"\)')
# File: words in it that are names of metrics, too, but mean something else there.
METRIC_HOMONYMS = {
    "app/commands/sweep_listing.cpp": {"peak_bytes"},  # predicted of a run
    "app/run_tally.cpp": {"loss"},  # an argument of messages
    "app/training.cpp": {"loss"},  # the same
    "engine/events/event_json.cpp": {
        "learning_rate",  # the event that changes it
        "peak_bytes",  # of a phase
        "checksum"},  # a field of the event `trace`
    "engine/experiment/explanation.cpp": {"learning_rate"},  # a topic
    "engine/experiment/key_ranges.h": {
        "learning_rate",  # a range of values
        "test_accuracy"},  # an example of a rule
    "engine/experiment/keys_of_optimizer.cpp": {"Learning rate"},  # the label of a key
    "engine/experiment/keys_of_run.cpp": {
        "update_ratio",  # the help of a key names the metric
        "test_accuracy"},  # an example of a rule
    "engine/experiment/published_defects.cpp": {"loss"},  # an argument of messages
    "engine/experiment/stop_rule.cpp": {  # below the room of the table; tst_stop_rule compares them
        "train_loss", "train_accuracy", "test_loss", "test_accuracy", "validation_loss", "validation_accuracy"},
    "engine/insight/memory_fit_json.cpp": {"peak_bytes"},  # of a measured micro-batch
    "engine/exchange/csv.cpp": {"peak_bytes"},  # of a phase
    "engine/runlog/memory_rows.cpp": {"peak_bytes"},  # of a phase
    "engine/logfile/queue_rows.cpp": {"checksum"},  # of a sweep's row
    "engine/runs/run_keys.h": {"loss"},  # the filter, which is short for the test loss
    "engine/runs/run_record.cpp": {"learning_rate"},  # the marker of a change
}

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


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
    if SQLITE.match(name) and room not in SQL_ROOMS:
        return f"<{name}>: only " + ", ".join(sorted(SQL_ROOMS)) + " know SQLite"
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
    if room not in SQL_ROOMS:
        for match in SQL.finditer(text):
            yield f"{path}:{line_of(text, match.start())}: SQL is only in engine/logfile and engine/runlog"


def unit_of(path):
    """x.h and x.cpp are one unit."""
    return str(PurePosixPath(path).with_suffix(""))


def circles(files):
    """Units that include each other, in whatever many steps: the sets of more than one, each sorted."""
    units = {unit_of(path) for path in files}
    arrows = {unit: set() for unit in units}
    for path, text in files.items():
        includes = {unit_of(name) for mark, name in INCLUDE.findall(text) if mark == '"'}
        arrows[unit_of(path)] |= (includes & units) - {unit_of(path)}
    reached = {unit: reach(unit, arrows) for unit in units}
    found = {tuple(sorted({unit} | {other for other in reached[unit] if unit in reached[other]})) for unit in units}
    return sorted(circle for circle in found if len(circle) > 1)


def reach(unit, arrows):
    """All units that one needs."""
    found, waiting = set(), [unit]
    while waiting:
        for other in arrows[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def code_literals(files):
    """Path, line and text of each string in C++ that is neither in a comment nor the name of a header."""
    for path, text in sorted(files.items()):
        if PurePosixPath(path).suffix in (".h", ".cpp", ".cu"):
            for number, line in enumerate(text.splitlines(), 1):
                if not INCLUDE.match(line):
                    for match in LITERAL.finditer(re.sub(r"//.*", "", line)):
                        yield path, number, match.group(1)


def key_faults(files):
    """The dotted name of a key is spelled once: in its row of the table, or, where code refers to it, in key_names.h."""
    tables = {path: text for path, text in files.items() if KEY_TABLE.fullmatch(path)}
    names = {match.group(1) for text in tables.values() for match in KEY_NAME.finditer(text)}
    rows = {name for text in tables.values() for name in re.findall(r'\.key = "([^"]+)"', text)}
    named = {name for path, text in tables.items() if path == KEY_NAMES for name in KEY_NAME.findall(text)}
    for name in sorted(rows & named):
        yield f'{KEY_NAMES}:1: "{name}" is spelled in the table of keys, too; its row can use the constant'
    for path, line, literal in code_literals({path: text for path, text in files.items() if path not in tables}):
        use = KEY_IN_USE.match(literal)
        name = (use.group(1) or use.group(2)) if use else literal
        if name in names & (rows | named):
            yield f'{path}:{line}: "{name}" is the name of a key; use its constant of engine/experiment/key_names.h'


def metrics_named_in(literal, names):
    """A name without an underscore is a plain word, and so is a title: only a literal of its own names the metric."""
    words = {word for word in re.findall(r"(?<![\w.])\w+", literal) if "_" in word}
    return (words | {literal}) & names


def metric_faults(files):
    """The name of a metric, its title, and its column where that has another name, are in its row of the table of metrics only."""
    table = files.get(METRIC_TABLE, "")
    names = {name for found in METRIC_ROW.findall(table) for name in found if name} | set(TRACE_COLUMN.findall(table))
    seen = {path: set() for path in METRIC_HOMONYMS}
    for path, line, literal in code_literals({path: text for path, text in files.items() if path != METRIC_TABLE}):
        for name in sorted(metrics_named_in(literal, names)):
            if name in METRIC_HOMONYMS.get(path, ()):
                seen[path].add(name)
            else:
                yield f'{path}:{line}: "{name}" is of the table of metrics; take it from engine/events/metrics.h'
    for path in METRIC_HOMONYMS.keys() & files.keys():
        for name in sorted(METRIC_HOMONYMS[path] & names - seen[path]):
            yield f'{path}:1: "{name}" is not here any more; METRIC_HOMONYMS of tests/layering/layering.py need not allow it'


def circle_faults(files):
    for circle in circles({path: text for path, text in files.items() if room_of(path)}):
        yield f"{circle[0]}.h:1: these units include each other in a circle: " + ", ".join(circle)


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
    yield from key_faults(files)
    yield from metric_faults(files)
    yield from circle_faults({path: text for path, text in files.items() if PurePosixPath(path).suffix in (".h", ".cpp", ".cu")})


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
