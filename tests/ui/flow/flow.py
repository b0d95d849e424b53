# SPDX-License-Identifier: Apache-2.0
"""Drives the real window: an X server, a home folder and a run log of its own for every test.

Nothing here waits for a fixed time: a condition is asked for until it holds or a limit has passed.
The X server has no window manager, so a window gets the keyboard by being told so.
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ENGINE = Path(os.environ.get("ACCRUE_ENGINE", BIN / "libaccrue_engine.so"))
PICTURES = BIN.parent / "tests" / "ui" / "flow"

SKIPPED = 77  # SKIP_RETURN_CODE
LIMIT = 60.0  # seconds; far above what is needed, also where other programs use the processors
POLL = 0.05

# Never ends by itself within a test.
LONG = """[data]
name = "digits"
[model]
name = "lenet5"
[batch]
micro = 32
steps = 4
[run]
epochs = 1000
"""

# Ends after a moment.
SHORT = LONG.replace("epochs = 1000", "epochs = 1\nlimit_steps = 12")


def missing():
    """Why the flows cannot run here; empty if they can."""
    for program, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("import", "imagemagick")):
        if not shutil.which(program):
            return f"{program} was not found (Debian package {package})"
    for file in (BIN / "accrue-workbench", BIN / "accrue", ENGINE):
        if not file.is_file():
            return f"{file} was not found"
    return ""


def main():
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)


def eventually(condition, what, limit=LIMIT):
    """The first true value of `condition`; fails with `what` when the limit has passed."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {limit:.0f} s: {what}")
        time.sleep(POLL)


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.reader(text))


class Flow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="accrue-flow-")
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.variables = dict(os.environ, ACCRUE_ENGINE=str(ENGINE), QT_QPA_PLATFORM="xcb", HOME=str(self.home))
        self.variables.pop("ACCRUE_DATA_DIR", None)  # no data set is installed
        self.variables.pop("SESSION_MANAGER", None)
        # libxkbcommon copies names of the keyboard by their length, out of a message without ends of strings.
        self.variables["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":strict_string_checks=0"
        for name in ("data", "config", "runtime"):
            (self.home / name).mkdir(mode=0o700)
            self.variables["XDG_RUNTIME_DIR" if name == "runtime" else f"XDG_{name.upper()}_HOME"] = str(
                self.home / name)
        self.workbench = None
        self.window = None
        self.start_display()
        self.addCleanup(self.end_workbench)
        self.addCleanup(self.keep_picture)

    # ---- X server -------------------------------------------------------------------------------

    def start_display(self):
        readable, writable = os.pipe()
        # Without -noreset it begins anew whenever its last client goes, and a program that comes just then finds no display.
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writable), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writable], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, server)
        os.close(writable)
        with os.fdopen(readable) as answer:
            number = answer.readline().strip()
        self.assertTrue(number, "Xvfb did not start")
        self.variables["DISPLAY"] = f":{number}"

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=LIMIT)

    def xdotool(self, *words):
        done = subprocess.run(["xdotool", *map(str, words)], env=self.variables, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=LIMIT)
        return done.stdout.split("\n")[:-1]

    def windows(self, title):
        """Visible windows whose title begins with `title`."""
        return [int(number) for number in self.xdotool("search", "--onlyvisible", "--name", f"^{title}")]

    def pixels(self):
        done = subprocess.run(["import", "-window", "root", "-depth", "8", "ppm:-"], env=self.variables, check=True,
                              stdout=subprocess.PIPE, timeout=LIMIT)
        return done.stdout

    def keep_picture(self):
        """The screen of a test that failed."""
        failed = self._outcome.result.failures + self._outcome.result.errors
        if not any(test is self for test, _ in failed):
            return
        PICTURES.mkdir(parents=True, exist_ok=True)
        picture = PICTURES / f"{self.id().split('.')[-1]}.png"
        subprocess.run(["import", "-window", "root", str(picture)], env=self.variables, timeout=LIMIT, check=False)
        print(f"screen: {picture.relative_to(BIN.parent)}", flush=True)

    # ---- the window -----------------------------------------------------------------------------

    def open_workbench(self, *words):
        with open(self.home / "stderr", "ab") as said:
            self.workbench = subprocess.Popen([BIN / "accrue-workbench", *map(str, words)], env=self.variables,
                                              cwd=self.home, stdin=subprocess.DEVNULL, stderr=said)
        self.window = eventually(lambda: self.windows("Accrue$"), "the window appears")[0]
        self.focus(self.window)

    def end_workbench(self):
        if self.workbench and self.workbench.poll() is None:
            self.workbench.kill()
            self.workbench.wait()
        said = self.home / "stderr"
        text = said.read_text(errors="replace") if said.is_file() else ""
        said.unlink(missing_ok=True)  # the next window begins anew
        print(text, end="", file=sys.stderr, flush=True)
        self.assertNotRegex(text, "(Address|Thread|Leak)Sanitizer|runtime error:")

    def wait_for_exit(self):
        return self.workbench.wait(timeout=LIMIT)

    def focus(self, window):
        def focused():
            self.xdotool("windowfocus", window)
            return self.xdotool("getwindowfocus", "-f") == [str(window)]

        eventually(focused, "the window has the keyboard")

    def keys(self, *keys):
        self.xdotool("key", "--delay", 30, *keys)

    def type(self, text):
        self.xdotool("type", "--delay", 10, text)

    def dialog(self, title):
        window = eventually(lambda: self.windows(title), f"the dialog “{title}” appears")[0]
        self.focus(window)
        return window

    def export(self, keys, title, file):
        """Exports through the file dialog that `keys` open; what the file holds."""
        self.keys(keys)
        self.dialog(title)
        self.keys("ctrl+a")
        self.type(file)
        self.keys("Return")
        eventually(lambda: not self.windows(title), "the dialog is closed")
        eventually(file.is_file, f"{file.name} is written")  # renamed when it is whole
        self.focus(self.window)
        return rows_of(file)

    # ---- the run log ----------------------------------------------------------------------------

    def run_accrue(self, *words):
        return subprocess.run([BIN / "accrue", *map(str, words)], env=self.variables, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=LIMIT, cwd=self.home)

    def accrue(self, *words):
        done = self.run_accrue(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def runs(self):
        return json.loads(self.accrue("list", "--json"))

    def run_named(self, name):
        return next((run for run in self.runs() if run["name"] == name), None)

    def wait_for_run(self, name, holds, what):
        def found():
            run = self.run_named(name)
            return run if run and holds(run) else None

        return eventually(found, f"run “{name}” {what}")

    def wait_for_step(self, name, step=1):
        return self.wait_for_run(name, lambda run: run["step"] >= step, f"reaches step {step}")

    def wait_for_state(self, name, state):
        return self.wait_for_run(name, lambda run: run["state"] == state, f"is {state}")

    def losses(self, name):
        """What the log holds for every step of the run."""
        file = self.home / f"losses-{time.monotonic_ns()}.csv"
        self.accrue("export", "--csv", file, "--runs", self.run_named(name)["id"])
        titles, *rows = rows_of(file)
        return [row for row in rows if row[titles.index("metric")] == "loss"]

    def assert_stopped_and_saved(self, run):
        self.assertEqual(run["state"], "finished")
        self.assertEqual(run["outcome"], "stopped")
        self.assertTrue(run["checkpoint"])
        self.assertTrue(any(Path(run["checkpoint"]).glob("*.safetensors")), run["checkpoint"])
        self.assertEqual(len(self.losses(run["name"])), run["step"])

    def recipe(self, name, text):
        file = self.home / f"{name}.toml"
        file.write_text(f'name = "{name}"\n{text}', encoding="utf-8")
        return file

    def signal(self, number):
        os.kill(self.workbench.pid, number)


SIGTERM, SIGKILL = signal.SIGTERM, signal.SIGKILL
