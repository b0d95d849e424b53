#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desktop entry, the MIME type and the AppStream file: what they say of each other, and what the desktop's own tools say of
them where these are installed. A run log of the program has the bytes by which file managers know one."""

import configparser
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
ACCRUE = Path(os.environ["ACCRUE_BIN"]) / "accrue"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def entry():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(RESOURCES / "accrue.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def mime_types():
    return [kind.get("type") for kind in xml.parse(RESOURCES / "accrue-mime.xml").iter(MIME + "mime-type")]


def metainfo():
    return xml.parse(RESOURCES / "accrue.metainfo.xml").getroot()


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


class DesktopFiles(unittest.TestCase):
    def test_the_entry_opens_the_types_that_are_described(self):
        self.assertEqual([kind for kind in entry()["MimeType"].split(";") if kind], mime_types())
        self.assertTrue(entry()["Exec"].endswith(" %f"))
        self.assertEqual([kind.text for kind in metainfo().iter("mediatype")], mime_types())

    def test_the_appstream_file_is_of_that_entry(self):
        self.assertEqual(metainfo().get("type"), "desktop-application")
        self.assertEqual(metainfo().findtext("launchable"), "accrue.desktop")
        self.assertEqual(metainfo().findtext("name"), entry()["Name"])
        self.assertEqual(metainfo().findtext("icon"), entry()["Icon"])
        self.assertIn(entry()["Exec"].split()[0], [binary.text for binary in metainfo().iter("binary")])
        categories = [category.text for category in metainfo().iter("category")]
        self.assertEqual(categories, [name for name in entry()["Categories"].split(";") if name in categories])

    def test_a_run_log_has_the_bytes_of_its_type(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "any.name"
            called = [str(ACCRUE), "tag", "1", "+new", "--db", str(log)]
            self.assertEqual(subprocess.run(called, capture_output=True, check=False).returncode, 2)  # no log yet
            made = [str(ACCRUE), "train", "first-run", "--set", "run.limit_steps=1", "--db", str(log)]
            if not (ACCRUE.parent / "libaccrue_engine.so").exists():
                self.skipTest("the engine was not built")
            done = subprocess.run(made, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            beginning = log.read_bytes()[:72]
            for match in xml.parse(RESOURCES / "accrue-mime.xml").iter(MIME + "match"):
                offset = int(match.get("offset"))
                value = match.get("value")
                wanted = (int(value, 16).to_bytes(4, "big") if match.get("type") == "big32"
                          else value.encode().decode("unicode_escape").encode("latin-1"))
                self.assertEqual(beginning[offset:offset + len(wanted)], wanted)

    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-validate is not installed")
    def test_desktop_file_validate_has_no_word_to_say(self):
        self.assertEqual(output_of("desktop-file-validate", str(RESOURCES / "accrue.desktop")), (0, ""))

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstreamcli is not installed")
    def test_appstreamcli_finds_no_error(self):
        _, said = output_of("appstreamcli", "validate", "--no-net", str(RESOURCES / "accrue.metainfo.xml"))
        # The program has no domain of its own that its id could begin with.
        found = [line for line in said.splitlines() if line.startswith(("E:", "W:"))]
        self.assertEqual([line for line in found if "cid-desktopapp-is-not-rdns" not in line], [])

    @unittest.skipUnless(shutil.which("update-mime-database"), "update-mime-database is not installed")
    def test_the_type_is_taken_into_the_database(self):
        with tempfile.TemporaryDirectory() as folder:
            packages = Path(folder) / "packages"
            packages.mkdir()
            shutil.copy(RESOURCES / "accrue-mime.xml", packages / "accrue.xml")
            code, said = output_of("update-mime-database", folder)
            self.assertEqual(code, 0, said)
            for kind in mime_types():
                self.assertTrue((Path(folder) / (kind + ".xml")).exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
