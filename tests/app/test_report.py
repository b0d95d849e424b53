#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page that `accrue report` writes: well-formed, without anything from elsewhere, and opened in a headless browser, where its
tables sort and nothing that a name contains runs. Skips what needs Chromium where there is none."""

import html.parser
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ACCRUE = Path(os.environ["ACCRUE_BIN"]) / "accrue"
EXAMPLE_LOG = os.environ["ACCRUE_EXAMPLE_LOG"]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = next((path for path in map(shutil.which, BROWSERS) if path), None)
NAME = '"><script>document.title="broken in"</script><img src=x onerror="document.title=1">'
RUNS = 12
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(html.parser.HTMLParser):
    """Its elements with their attributes; fails where an end tag closes another element than the open one."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.faults = [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"{name} is left open" for name in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes another element")


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.home = Path(cls.folder.name)
        cls.log = cls.home / "runs.db"
        subprocess.run([EXAMPLE_LOG, cls.log, str(RUNS), "400"], check=True)
        cls.accrue("rename", "2", NAME)
        cls.accrue("note", "3", NAME)
        cls.file = cls.home / "report.html"
        cls.accrue("report", *map(str, range(1, RUNS + 1)), "-o", cls.file)
        cls.text = cls.file.read_text(encoding="utf-8")

    @classmethod
    def accrue(cls, *words):
        done = subprocess.run([ACCRUE, *words, "--db", cls.log], capture_output=True, text=True, check=False,
                              env={**os.environ, "ACCRUE_LANG": "en"})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def opened(self, addition=""):
        """The page as the browser has it after its scripts have run; `addition` is a script of the test's own, for which the
        page's policy is widened."""
        file = self.home / "opened.html"
        text = self.text
        if addition:
            text = re.sub(r"script-src 'sha256-[^']+'", "script-src 'unsafe-inline'", text)
            text = text.replace("</body>", f"<script>{addition}</script></body>")
        file.write_text(text, encoding="utf-8")
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.home / 'browser'}",
                   "--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]

    def test_it_is_well_formed(self):
        page = Page(self.text)
        self.assertEqual(page.faults, [])
        tags = [tag for tag, _ in page.elements]
        self.assertEqual((tags.count("html"), tags.count("body"), tags.count("script")), (1, 1, 1))
        self.assertEqual(tags.count("pre"), RUNS)
        self.assertGreaterEqual(tags.count("table"), 2)

    def test_it_names_nothing_elsewhere(self):
        loads = {"src", "href", "data", "action", "poster", "srcset", "xlink:href", "background"}
        for tag, attributes in Page(self.text).elements:
            self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base", "form"})
            self.assertFalse(loads & attributes.keys(), (tag, attributes))
            self.assertFalse([name for name in attributes if name.startswith("on")], (tag, attributes))
        self.assertNotRegex(self.text, r"url\(|@import")

    def test_every_chart_draws_every_run(self):
        charts = self.text.split("<svg ")[1:]
        panels = [chart for chart in charts if 'role="img"' in chart]
        self.assertGreaterEqual(len(panels), 4)
        loss = next(chart for chart in panels if 'aria-label="Loss"' in chart)
        self.assertEqual(len(re.findall(r'class="line hue\d( thin)?"', loss.split("</svg>")[0])), RUNS)
        self.assertNotIn("nan", loss)

    def test_the_language_is_that_of_the_reader(self):
        done = subprocess.run([ACCRUE, "report", "1", "2", "-o", "-", "--db", self.log], capture_output=True, text=True, check=True,
                              env={**os.environ, "ACCRUE_LANG": "zh_CN"})
        self.assertIn('lang="zh-CN"', done.stdout)
        self.assertIn("曲线", done.stdout)

    @unittest.skipUnless(BROWSER, "no Chromium is installed (Debian's chromium-headless-shell)")
    def test_a_browser_runs_its_script_and_no_other(self):
        page, messages = self.opened()
        self.assertEqual(messages, [])
        title = re.search(r"<title>(.*?)</title>", page).group(1)
        self.assertEqual(title, f"{RUNS} runs compared")

    # In the browser: every table is sorted by each of its columns, and its rows are then in order.
    @unittest.skipUnless(BROWSER, "no Chromium is installed (Debian's chromium-headless-shell)")
    def test_a_click_sorts_a_table(self):
        page, messages = self.opened("""
            const wrong = [];
            let sorted = 0;
            for (const table of document.querySelectorAll("table"))
              for (const head of table.querySelectorAll("th.number")) {
                for (const direction of [1, -1]) {
                  head.querySelector("button").click();
                  const values = Array.from(table.tBodies[0].rows, row => row.cells[head.cellIndex].dataset.value)
                  const known = values.filter(value => value !== undefined).map(Number);
                  if (values.slice(0, known.length).includes(undefined)) wrong.push("gap " + head.textContent);
                  for (let i = 1; i < known.length; ++i)
                    if (direction * (known[i] - known[i - 1]) < 0) wrong.push(head.textContent);
                  ++sorted;
                }
              }
            document.title = "sorted " + sorted + ", wrong: " + wrong.join("; ");
            """)
        self.assertEqual(messages, [])
        title = re.search(r"<title>(.*?)</title>", page).group(1)
        self.assertRegex(title, r"^sorted \d\d+, wrong: $")


if __name__ == "__main__":
    unittest.main(verbosity=2)
