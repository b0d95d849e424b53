#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""messages.py and window_texts.py find what is wrong in a small tree, and nothing where all is right."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
MESSAGES = HERE / "messages.py"
WINDOW = HERE / "window_texts.py"


class TestTexts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for room in ("engine/run", "app", "ui/run", "resources/translations"):
            (self.root / room).mkdir(parents=True)

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def check(self, script, *words):
        done = subprocess.run([sys.executable, script, *words, self.root], capture_output=True, text=True)
        return done.returncode, done.stdout

    def assert_found(self, script, expected):
        code, output = self.check(script)
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def write_texts(self, english, german='name = "Deutsch"\n'):
        self.write("resources/translations/en.toml", english)
        self.write("resources/translations/de.toml", german)

    def test_a_translated_message_is_right(self):
        self.write("engine/run/a.cpp", 'throw Error(Message(\n    "run.full", { { "disk", name } }));')
        self.write_texts('"run.full" = "Disk {disk} is full."\n', 'name = "Deutsch"\n"run.full" = "{disk} ist voll."\n')
        self.assertEqual(self.check(MESSAGES), (0, "1 messages, 0 wrong\n"))

    def test_a_message_that_chooses_its_code(self):
        self.write("engine/run/a.cpp", 'Message(left() == 0 ? "run.full" : left() < 9 ? "run.low" : "run.free", { { "n", n } })')
        self.write_texts('"run.free" = "{n} free."\n"run.full" = "Full."\n')
        self.assert_found(MESSAGES, 'a.cpp:1: en.toml has no text for "run.low"')
        self.write_texts('"run.free" = "{n} free."\n"run.full" = "Full."\n"run.low" = "{m} left."\n')
        self.assert_found(MESSAGES, 'run.low has no argument "m"')

    def test_a_message_without_a_text(self):
        self.write("engine/run/a.cpp", 'Message("run.full")')
        self.write_texts("")
        self.assert_found(MESSAGES, 'a.cpp:1: en.toml has no text for "run.full"')

    def test_a_message_without_a_translation(self):
        self.write("engine/run/a.cpp", 'Message("run.full")')
        self.write_texts('"run.full" = "The disk is full."\n')
        self.assert_found(MESSAGES, "run.full is not translated")
        self.assertEqual(self.check(MESSAGES, "--untranslated"), (0, '"run.full" = "The disk is full."\n'))

    def test_a_translation_with_other_arguments(self):
        self.write("engine/run/a.cpp", 'Message("run.full", { { "disk", name } })')
        self.write_texts('"run.full" = "Disk {disk} is full."\n', '"run.full" = "{platte} ist voll."\n')
        self.assert_found(MESSAGES, "run.full has other arguments")

    def test_texts_of_no_message(self):
        self.write_texts('"run.gone" = "Gone."\n', '"run.away" = "Weg."\n')
        self.assert_found(MESSAGES, "en.toml: run.gone is the code of no message")
        self.assert_found(MESSAGES, "run.away is the code of no message")

    def test_a_hole_without_an_argument(self):
        self.write("app/a.cpp", 'Message("run.full", { { "name", disk } })')
        self.write_texts('"run.full" = "Disk {disk} is full."\n')
        self.assert_found(MESSAGES, 'run.full has no argument "disk"')

    def test_a_text_in_the_sources(self):
        self.write("app/a.cpp", 'Message("run.full", "Full.");')
        self.write_texts('"run.full" = "Full."\n')
        self.assert_found(MESSAGES, "belongs in en.toml")

    def test_an_odd_code(self):
        self.write("app/a.cpp", 'Message("Full")')
        self.write_texts("")
        self.assert_found(MESSAGES, "is not of the form room.what")

    def test_a_text_of_the_window_is_translated(self):
        self.write("ui/run/a.cpp", 'tr("Step %1 "\n   "of %2"); translate("Room", "No run"); tr("Open", "state");')
        self.write("resources/translations/de.toml",
                   '"tr:Step %1 of %2" = "%2, davon %1"\n"tr:No run" = "Keiner"\n"tr:Open|state" = "Offen"\n')
        self.assertEqual(self.check(WINDOW), (0, "3 texts of the window, 0 wrong\n"))

    def test_texts_of_the_window_that_are_wrong(self):
        self.write("ui/run/a.cpp", 'tr("Step %1"); tr("Pause");')
        self.write("resources/translations/de.toml", '"tr:Step %1" = "Schritt"\n"tr:Stop" = "Halt"\n')
        code, output = self.check(WINDOW)
        self.assertEqual(code, 1)
        for expected in ("other arguments", "no text of the window is “Stop”", "“Pause” is not translated"):
            self.assertIn(expected, output)


if __name__ == "__main__":
    unittest.main()
