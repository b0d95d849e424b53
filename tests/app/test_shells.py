#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts of `accrue completion` in real shells: each is typed to on a terminal of its own, with the Tab key, and echoes the
line that it made of it. The manual pages as man and mandoc read them, and where an installation puts all of this. A shell that is
not installed is skipped."""

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ACCRUE = Path(os.environ["ACCRUE_BIN"]) / "accrue"
SOURCE = Path(__file__).resolve().parents[2]
WRITE_SHELL_FILES = SOURCE / "scripts/cmake/write_shell_files.cmake"
PATIENCE = 30  # seconds; a busy machine takes a part of it
TAB, HOME = "\t", "\x01"


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, folder, *command):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
            os.execvpe(command[0], command, {
                "PATH": f"{ACCRUE.parent}:/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", "ACCRUE_LANG": "en", **home})
        self.printed = ""

    def write(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, pattern):
        """What was printed up to the pattern, which is removed with it."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.printed)):
            if time.monotonic() > end or not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no {pattern!r} in {self.printed!r}")
            self.printed += os.read(self.terminal, 65536).decode(errors="replace")
        self.printed = self.printed[found.end():]
        return found

    def ask(self, command):
        """Runs a command, and waits for its end."""
        self.write(command + "; echo don''e\n")
        self.wait_for(r"[\r\n]done\r?\n")

    def completed(self, line):
        """The line after Tab, with a full stop at its end, which takes no blank away: echoed by the shell itself."""
        self.write(line + TAB)
        time.sleep(0.3)  # a key that arrives while the shell completes would be taken for an answer to it
        self.write(f".'{HOME}echo '=\n")
        return self.wait_for(r"[\r\n]=(accrue [^\r\n]*)\.\r?\n").group(1)

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


class ShellCase:
    """Each shell completes the same lines."""
    start, script = [], ""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "some file.db").touch()
        self.shell = Shell(self.folder, *self.start)
        self.addCleanup(self.shell.close)
        self.shell.ask(self.script)

    def check(self, typed, made):
        self.assertEqual(self.shell.completed(typed), made)

    def test_a_command(self):
        self.check("accrue equiv", "accrue equivalence ")

    def test_an_option(self):
        self.check("accrue train --na", "accrue train --name ")

    def test_a_recipe(self):
        self.check("accrue train first-", "accrue train first-run ")

    def test_a_key_is_followed_by_its_value(self):
        self.check("accrue train --set model.batchnorm_mom", "accrue train --set model.batchnorm_momentum=")
        self.check("accrue train --set model.norm=gr", "accrue train --set model.norm=group ")
        self.check("accrue train --set=model.norm=gr", "accrue train --set=model.norm=group ")
        self.check("accrue train --device cp", "accrue train --device cpu ")

    def test_a_file(self):
        self.check("accrue list --db some", r"accrue list --db some\ file.db ")
        self.check("accrue list --db=some", r"accrue list --db=some\ file.db ")


@needs("bash")
class Bash(ShellCase, unittest.TestCase):
    start, script = ["bash", "--norc", "--noprofile", "-i"], "source <(accrue completion bash)"

    def test_between_quotation_marks(self):
        self.shell.write("accrue list --filter \"norm=group state=comp" + TAB)
        time.sleep(0.3)
        self.shell.write(f"{HOME}echo =\n")
        self.assertEqual(self.shell.wait_for(r"[\r\n]=accrue ([^\r\n]*)\r?\n").group(1), "list --filter norm=group state=completed")

    def test_several_possibilities_are_listed(self):
        self.shell.write("accrue compl" + TAB + TAB + TAB)
        self.shell.wait_for(r"bash +fish +zsh")


@needs("zsh")
class Zsh(ShellCase, unittest.TestCase):
    start = ["zsh", "-f", "-i"]
    script = "autoload -Uz compinit && compinit -u && source <(accrue completion zsh)"

    def test_meanings_are_shown(self):
        self.shell.write("accrue rena" + TAB)
        self.shell.wait_for("accrue rename")
        self.shell.write("\x15accrue re" + TAB + TAB)
        self.shell.wait_for(r"rename +-- +Rename a run")


@needs("fish")
class Fish(ShellCase, unittest.TestCase):
    start, script = ["fish", "--private", "--no-config"], "accrue completion fish | source"

    def test_meanings_are_offered(self):
        self.shell.ask("complete -C'accrue re' >words")
        words = dict(line.split("\t") for line in (self.folder / "words").read_text(encoding="utf-8").splitlines())
        self.assertEqual(words["rename"], "Rename a run")


class Installed(unittest.TestCase):
    def setUp(self):
        self.share = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.share)
        subprocess.run(["cmake", "-D", f"ACCRUE={ACCRUE}", "-D", f"SHARE={self.share}", "-P", WRITE_SHELL_FILES], check=True)
        self.pages = sorted((self.share / "man/man1").iterdir())

    def test_each_file_is_where_its_reader_looks(self):
        listed = subprocess.run([ACCRUE, "completion", "words", "--", "help", ""], capture_output=True, text=True, check=True)
        commands = [line.split("\t")[0] for line in listed.stdout.splitlines()[1:]]
        self.assertIn("train", commands)
        self.assertEqual([page.name for page in self.pages], sorted(["accrue.1"] + [f"accrue-{name}.1" for name in commands]))
        for file in ("bash-completion/completions/accrue", "zsh/site-functions/_accrue", "fish/vendor_completions.d/accrue.fish"):
            self.assertIn("completion words --", (self.share / file).read_text(encoding="utf-8"))

    @needs("man")
    def test_man_warns_of_nothing(self):
        for page in self.pages:
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True, text=True,
                                  env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": ""}, check=True)
            self.assertEqual(done.stderr, "", page.name)
            self.assertIn("NAME", done.stdout)

    @needs("mandoc")
    def test_mandoc_warns_of_nothing(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *self.pages], capture_output=True, text=True, check=False)
        # The pages have no date, so that one build prints the same as the next.
        warnings = [line for line in done.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(warnings, [])

    @needs("bash")
    def test_a_word_is_completed_faster_than_one_notices(self):
        begin = time.monotonic()
        for _ in range(10):
            subprocess.run([ACCRUE, "completion", "words", "--", "show", ""], capture_output=True, check=True)
        self.assertLess((time.monotonic() - begin) / 10, 0.25)  # 10 ms on an idle machine


if __name__ == "__main__":
    unittest.main()
