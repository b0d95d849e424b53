#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the rooms of the sources and the arrows between them, as the includes have them, into docs/rooms.svg.

    scripts/draw_rooms.py            draws
    scripts/draw_rooms.py --check    exit 1 where docs/rooms.svg is not current

A room stands one floor above the highest room that it includes. An arrow that follows from two others is left out.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "rooms.svg"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
WIDTH, HEIGHT, GAP, FLOOR, MARGIN = 140, 44, 20, 84, 20


def room_of(path):
    parts = PurePosixPath(path).parts
    if len(parts) > 2 and parts[0] in ("engine", "ui"):
        return "/".join(parts[:2])
    return "app" if parts[0] == "app" else None


def sources():
    """Those that git tracks; all of the rooms where there is no git, as in an unpacked archive."""
    rooms = ("engine", "ui", "app")
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", *rooms], capture_output=True, text=True)
    paths = (listed.stdout.splitlines() if listed.returncode == 0
             else [path.relative_to(ROOT).as_posix() for room in rooms for path in sorted((ROOT / room).rglob("*"))])
    return [path for path in paths if path.endswith((".h", ".cpp", ".cu"))]


def rooms_and_arrows():
    """Room → lines of code, room → rooms that it includes."""
    lines, arrows = {}, {}
    for path in sources():
        room, text = room_of(path), (ROOT / path).read_text(encoding="utf-8")
        lines[room] = lines.get(room, 0) + text.count("\n")
        targets = {room_of(name) for name in INCLUDE.findall(text) if "/" in name}
        arrows.setdefault(room, set()).update(targets - {room, None})
    return lines, arrows


def floors_of(arrows):
    """Room → the longest way down from it."""
    floors = {}

    def floor(room):
        if room not in floors:
            floors[room] = 1 + max((floor(below) for below in arrows.get(room, ())), default=-1)
        return floors[room]

    for room in arrows:
        floor(room)
    return floors


def without_detours(arrows):
    """The arrows that do not follow from others."""
    def reach(room):
        found = set(arrows.get(room, ()))
        return found.union(*(reach(below) for below in found)) if found else found

    return {room: {below for below in direct if not any(below in reach(other) for other in direct - {below})}
            for room, direct in arrows.items()}


def places_of(floors, arrows):
    """Room → x and y of its box: the engine at the left, the window at the right, each row in the order that keeps arrows short."""
    top = max(floors.values())
    places = {}
    columns = [{room for room in floors if room.startswith("engine")}, {room for room in floors if not room.startswith("engine")}]
    left = MARGIN
    for column in columns:
        rows = [[room for room in column if floors[room] == number] for number in range(top + 1)]
        width = max(len(row) for row in rows) * (WIDTH + GAP) - GAP

        def centre(room):
            below = [places[other][0] for other in arrows.get(room, ()) if other in places and other in column]
            return (sum(below) / len(below) if below else 0, room)

        for number, row in enumerate(rows):
            begin = left + (width - len(row) * (WIDTH + GAP) + GAP) / 2
            for index, room in enumerate(sorted(row, key=centre)):
                places[room] = (begin + index * (WIDTH + GAP), MARGIN + (top - number) * FLOOR)
        left += width + 2 * GAP
    return places, left - 2 * GAP + MARGIN, (top + 1) * FLOOR + 2 * MARGIN - (FLOOR - HEIGHT)


def colour_of(room):
    return {"engine": "#dbe9f6", "ui": "#e3f1de", "app": "#f6e7d3"}[room.split("/")[0]]


def arrow(places, room, below):
    (x, y), (to_x, to_y) = places[room], places[below]
    x, to_x, y = x + WIDTH / 2, to_x + WIDTH / 2, y + HEIGHT
    middle = (y + to_y) / 2
    return f'<path d="M{x:g},{y:g} C{x:g},{middle:g} {to_x:g},{middle:g} {to_x:g},{to_y - 5:g}" class="arrow" marker-end="url(#head)"/>'


def box(places, room, lines):
    x, y = places[room]
    return (f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{colour_of(room)}"/>'
            f'<text x="{x + WIDTH / 2:g}" y="{y + 19:g}">{escape(room)}</text>'
            f'<text x="{x + WIDTH / 2:g}" y="{y + 35:g}" class="small">{round(lines, -2) / 1000:.1f} k lines</text>')


def picture():
    lines, arrows = rooms_and_arrows()
    arrows = without_detours(arrows)
    places, width, height = places_of(floors_of(arrows), arrows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="14">',
             "<!-- Made by scripts/draw_rooms.py from the includes. -->",
             "<style>text{text-anchor:middle;fill:#1b1f24}.small{font-size:11px;fill:#57606a}rect{stroke:#8c959f}"
             ".arrow{fill:none;stroke:#57606a;stroke-width:1.2}</style>",
             '<defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path d="M0,0 L8,4 L0,8 z" fill="#57606a"/></marker></defs>',
             f'<rect width="{width:g}" height="{height:g}" fill="#ffffff" stroke="none"/>']
    parts += [arrow(places, room, below) for room in sorted(arrows) for below in sorted(arrows[room])]
    parts += [box(places, room, lines[room]) for room in sorted(places)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def arrows_in(text):
    """What --check compares: boxes' sizes change with every line of code."""
    return re.sub(r"[0-9.]+ k lines", "", text)


def main(words):
    drawn = picture()
    if words == ["--check"]:
        current = PICTURE.exists() and arrows_in(PICTURE.read_text(encoding="utf-8")) == arrows_in(drawn)
        if not current:
            print("docs/rooms.svg is not current: run scripts/draw_rooms.py")
        return 0 if current else 1
    if words:
        print(__doc__.strip())
        return 2
    PICTURE.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
