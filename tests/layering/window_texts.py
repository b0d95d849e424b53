#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the texts of the window, the arguments of tr() and translate() in ui/, against the rows "tr:English" of each file in
resources/translations: none is missing, none is left over, and %1, %2, %L1 and %n are the same in both.
  tests/layering/window_texts.py [--untranslated] [ROOT]
  --untranslated: prints what no translation has, as lines for its file, and nothing else"""
import pathlib
import re
import sys

STRING = r'"(?:[^"\\\n]|\\.)*"'
LITERALS = r"((?:" + STRING + r"\s*)+)"
CALL = re.compile(r"\b(?:tr|QT_TR_NOOP)\(\s*" + LITERALS + r"(?:,\s*" + LITERALS + r")?"
                  r"|\b(?:translate|QT_TRANSLATE_NOOP)\(\s*" + STRING + r",\s*" + LITERALS + r"(?:,\s*" + LITERALS + r")?")
HOLE = re.compile(r"%L?(?:[1-9]|n)")
ROW = re.compile(r'"tr:((?:[^"\\]|\\.)*)" = "((?:[^"\\]|\\.)*)"')


def joined(literals):
    return "".join(part[1:-1] for part in re.findall(STRING, literals or ""))


def texts_in(root):
    texts = {}
    for path in sorted((root / "ui").rglob("*.[hc]*")):
        for found in CALL.finditer(path.read_text(encoding="utf-8")):
            text, note = (found[1], found[2]) if found[1] else (found[3], found[4])
            code = joined(text) + (f"|{joined(note)}" if note else "")
            if code:
                texts.setdefault(code, path.relative_to(root))
    return texts


def wrong_in(path, texts):
    rows = dict(ROW.findall(path.read_text(encoding="utf-8")))
    missing = [code for code in texts if code not in rows]
    wrong = [f"{path.name}: no text of the window is “{code}”" for code in rows if code not in texts]
    wrong += [f"{path.name}: “{code}” has other arguments than its translation" for code, text in rows.items()
              if set(HOLE.findall(code.split("|")[0])) != set(HOLE.findall(text))]
    return missing, wrong


def main(arguments):
    roots = [argument for argument in arguments if not argument.startswith("--")]
    root = pathlib.Path(roots[0]) if roots else pathlib.Path(__file__).resolve().parents[2]
    texts, all_wrong = texts_in(root), []
    for path in sorted(set((root / "resources/translations").glob("*.toml")) - {root / "resources/translations/en.toml"}):
        missing, wrong = wrong_in(path, texts)
        if "--untranslated" in arguments:
            print(*(f'"tr:{code}" = ""' for code in missing), sep="\n")
        all_wrong += wrong + [f"{path.name}: “{code}” is not translated ({texts[code]})" for code in missing]
    if "--untranslated" in arguments:
        return 0
    print(*all_wrong, sep="\n", end="\n" if all_wrong else "")
    print(f"{len(texts)} texts of the window, {len(all_wrong)} wrong")
    return 1 if all_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
