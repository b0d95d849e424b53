#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every Message("code", ...) of engine/ and app/: its code has the form room.what, en.toml has its English text, and each
{hole} of that text is filled by an argument. One call may choose among codes, Message(few ? "run.few" : "run.many"). Labels of the command line, label("Test accuracy"), have codes made of their words.
Holds every translation in resources/translations against that: no code is missing, none is left over, and the holes are the same.
  tests/layering/messages.py [--untranslated] [ROOT]
  --untranslated: prints what no translation has, as lines for its file, and nothing else"""
import pathlib
import re
import sys

STRING = r'"(?:[^"\\\n]|\\.)*"'
CHOICE = r'[^"?;{}]*\?\s*' + STRING + r"\s*:\s*"  # condition ? "code" :
MESSAGE = re.compile(r"\bMessage(?:\s+\w+)?\s*[({]\s*((?:" + CHOICE + r")*" + STRING + r")\s*(?=[,)}])")
HOLE = re.compile(r"\{([a-z_0-9]+)(?::[^{}|]*\|[^{}|]*)?\}")
CODE = re.compile(r"[a-z][a-z_0-9]*\.[a-z][a-z_0-9]*")
LINE = re.compile(r'"([^"]+)" = "((?:[^"\\]|\\.)*)"')


def unquoted(literals):
    return "".join(part[1:-1] for part in re.findall(STRING, literals))


def call_behind(text, at):
    """The rest of the call that begins before `at`, to its closing bracket; strings in it may hold brackets."""
    depth, position = 1, at
    while position < len(text) and depth:
        string = re.compile(STRING).match(text, position)
        if string:
            position = string.end()
            continue
        depth += (text[position] in "({") - (text[position] in ")}")
        position += 1
    return text[at:position]


def labels_in(root):
    """The code of every label("English") of app/, as label() of app/text_table.h makes it, with its text."""
    for path in sorted((root / "app").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"\blabel\(", text):
            for literal in re.findall(STRING, call_behind(text, found.end())):
                slug = re.sub(r"[^a-z0-9]+", "_", unquoted(literal).lower()).strip("_")
                yield f"label.{slug}.name", unquoted(literal)


def messages_in(root):
    for room in ("engine", "app"):
        for path in sorted((root / room).rglob("*.[hc]*")):
            text = path.read_text(encoding="utf-8")
            code_only = re.sub(r"^\s*//.*$", lambda comment: " " * len(comment.group()), text, flags=re.M)
            for found in MESSAGE.finditer(code_only):
                where = f"{path.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}"
                for code in re.findall(STRING, found[1]):
                    yield where, unquoted(code), call_behind(code_only, found.end())


def check_sources(messages, english):
    """What is wrong with the messages of the sources, and their codes."""
    codes, wrong = set(), []
    for where, code, rest in messages:
        codes.add(code)
        if not CODE.fullmatch(code):
            wrong.append(f'{where}: the code "{code}" is not of the form room.what')
        elif code not in english:
            wrong.append(f'{where}: en.toml has no text for "{code}"')
        if re.match(r',\s*"', rest):
            wrong.append(f"{where}: the text of {code} belongs in en.toml")
        given = set(re.findall(r'\{\s*"([a-z_0-9]+)"\s*,', rest))
        wrong += [f'{where}: {code} has no argument "{hole}"' for hole in set(HOLE.findall(english.get(code, ""))) - given]
    return codes, wrong


def rows_of(path):
    """The rows of a file by their code, and what is wrong with its lines."""
    wrong, seen = [], {}
    if not path.exists():
        return seen, [f"{path.name} does not exist"]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = LINE.fullmatch(line)
        if line and not found and not line.startswith(("#", "name = ")):
            wrong.append(f'{path.name}:{number}: not "code" = "text"')
        if found:
            if found[1] in seen:
                wrong.append(f"{path.name}:{number}: {found[1]} occurs twice")
            seen[found[1]] = found[2]
    return seen, wrong


def check_translation(path, texts):
    seen, wrong = rows_of(path)
    for code in seen.keys() & texts.keys():
        if set(HOLE.findall(seen[code])) != set(HOLE.findall(texts[code])):
            wrong.append(f"{path.name}: {code} has other arguments than the English text")
    # Labels and help are checked by tst_translations, which knows their tables.
    wrong += [f"{path.name}: {code} is the code of no message" for code in seen.keys() - texts.keys() if CODE.fullmatch(code)]
    missing = sorted(texts.keys() - seen.keys())
    return wrong, missing


def main(arguments):
    only_missing = "--untranslated" in arguments
    roots = [argument for argument in arguments if not argument.startswith("--")]
    root = pathlib.Path(roots[0]) if roots else pathlib.Path(__file__).resolve().parents[2]
    english = root / "resources/translations/en.toml"
    texts, wrong = rows_of(english)
    codes, found = check_sources(messages_in(root), texts)
    wrong += found + [f"en.toml: {code} is the code of no message" for code in texts.keys() - codes]
    texts.update(labels_in(root))
    for path in sorted(set(english.parent.glob("*.toml")) - {english}):
        found, missing = check_translation(path, texts)
        wrong += found
        if only_missing:
            print(*(f'"{code}" = "{texts[code]}"' for code in missing), sep="\n")
        else:
            wrong += [f"{path.name}: {code} is not translated" for code in missing]
    if only_missing:
        return 0
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(texts)} messages, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
