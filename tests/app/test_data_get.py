#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`accrue data get`: the real program against a server on this machine. Nothing here reaches another one."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from http_server import Server  # noqa: E402

ACCRUE = Path(os.environ.get("ACCRUE_BIN", "")) / "accrue"
PUBLISHED = Path(os.environ.get("ACCRUE_DATA_DIR", "/nowhere")) / "mnist"
LIMIT = 60  # seconds
SIZES = {"train-images-idx3-ubyte.gz": 9912422, "train-labels-idx1-ubyte.gz": 28881,
         "t10k-images-idx3-ubyte.gz": 1648877, "t10k-labels-idx1-ubyte.gz": 4542}
LARGE = "train-images-idx3-ubyte.gz"


class TestDataGet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.served = self.home / "served"
        self.served.mkdir()
        self.server = Server(self.served).start()
        self.addCleanup(self.server.stop)
        self.data = self.home / "xdg" / "accrue" / "data"
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.lower().endswith("_proxy") and key != "ACCRUE_DATA_DIR"}
        self.environment.update(XDG_DATA_HOME=str(self.home / "xdg"), XDG_CONFIG_HOME=str(self.home / "config"),
                                ACCRUE_ENGINE="/no/such/libaccrue_engine.so")

    def serve_zeros(self):
        """Files of the right size and other content."""
        for name, size in SIZES.items():
            (self.served / name).write_bytes(bytes(size))

    def serve_published(self):
        if not PUBLISHED.is_dir():
            self.skipTest("no mnist folder in $ACCRUE_DATA_DIR")
        for name in SIZES:
            (self.served / name).symlink_to(PUBLISHED / name)

    def start(self, *words, how="plain", **options):
        mirror = ["--mirror", self.server.url(how)] if how else []
        return subprocess.Popen([*options.pop("before", []), ACCRUE, "data", "get", *words, *mirror],
                                env={**self.environment, **options}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def get(self, *words, how="plain", **options):
        process = self.start(*words, how=how, **options)
        out, err = process.communicate(timeout=LIMIT)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def wait_for(self, path):
        """Until bytes are in it."""
        end = time.monotonic() + LIMIT
        while not (path.exists() and path.stat().st_size):
            self.assertLess(time.monotonic(), end, f"{path} did not appear")
            time.sleep(0.02)

    def listed(self, name):
        out = subprocess.run([ACCRUE, "data", "list", "--json"], env=self.environment, capture_output=True, check=True)
        return next(each for each in json.loads(out.stdout)["data"] if each["name"] == name)

    def names(self, folder):
        return sorted(each.name for each in folder.iterdir())

    def test_the_published_mnist_is_downloaded_and_found(self):
        self.serve_published()
        done = self.get("mnist", how="redirect")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("has the published SHA-256", done.stdout)
        self.assertIn("Downloading mnist (11.1 MiB) into", done.stderr)
        self.assertEqual(self.names(self.data), ["mnist"])
        self.assertEqual(self.names(self.data / "mnist"), sorted(SIZES))
        self.assertEqual(self.listed("mnist")["state"], "whole")
        again = self.get("mnist", "--json", how=None)  # no mirror is asked: there is nothing to download
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(again.stdout)[0]["outcome"], "already_there")

    def test_a_broken_and_interrupted_download_goes_on_to_the_end(self):
        self.serve_published()
        process = self.start("mnist", how="slow")
        self.wait_for(self.data / "mnist.part" / (LARGE + ".part"))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(f"is stored in {self.data}/mnist.part", err)
        self.assertEqual(self.names(self.data), ["mnist.part"])
        self.assertEqual(self.listed("mnist")["state"], "missing")

        done = self.get("mnist", how="breaks")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.listed("mnist")["state"], "whole")
        self.assertTrue(any("breaks" in line and "Range: bytes=" in line for line in self.server.log))

    def test_a_killed_download_leaves_no_set_and_no_lock(self):
        self.serve_published()
        process = self.start("mnist", how="slow")
        self.wait_for(self.data / "mnist.part" / (LARGE + ".part"))
        process.kill()
        process.communicate(timeout=LIMIT)
        self.assertEqual(self.listed("mnist")["state"], "missing")
        self.assertEqual(self.get("mnist").returncode, 0)
        self.assertEqual(self.names(self.data), ["mnist"])

    def test_sigterm_ends_with_143(self):
        self.serve_zeros()
        process = self.start("mnist", how="slow")
        self.wait_for(self.data / "mnist.part" / (LARGE + ".part"))
        process.terminate()
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 143)

    def test_a_second_process_is_told_to_wait(self):
        self.serve_zeros()
        first = self.start("mnist", how="slow")
        self.wait_for(self.data / "mnist.part" / (LARGE + ".part"))
        second = self.get("mnist")
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"Another process is downloading {self.data}/mnist", second.stderr)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=LIMIT)

    def test_other_content_is_refused_and_nothing_is_left(self):
        self.serve_zeros()
        done = self.get("mnist", "--data", str(self.home / "mine"), "--json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("SHA-256 is not that of the published file", done.stderr)
        self.assertEqual(json.loads(done.stdout)[0]["outcome"], "failed")
        self.assertEqual(self.names(self.home / "mine"), [])

    def test_the_users_mirrors_are_tried_in_order(self):
        self.serve_zeros()
        config = self.home / "config" / "accrue"
        config.mkdir(parents=True)
        (config / "mirrors.toml").write_text(
            f'fashion-mnist = ["{self.server.url("missing")}", "{self.server.url("broken_inside")}"]\n')
        done = self.get("fashion-mnist", how=None)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line.split("/")[1] for line in self.server.log], ["missing", "broken_inside"])
        self.assertIn("HTTP 404", done.stderr)

    def test_an_unusable_list_of_mirrors_is_wrong_input(self):
        config = self.home / "config" / "accrue"
        config.mkdir(parents=True)
        (config / "mirrors.toml").write_text("mnist = 3\n")
        done = self.get("mnist", how=None)
        self.assertEqual(done.returncode, 2)
        self.assertIn("mirrors.toml, line 1: mnist is 3; allowed: a list of addresses", done.stderr)

    def test_a_server_that_is_not_there_is_one_sentence(self):
        address = self.server.url("plain")
        self.server.stop()
        self.addCleanup(setattr, self.server, "stop", lambda: None)
        done = self.get("cifar10", "--mirror", address, how=None)
        self.assertEqual(done.returncode, 1)
        self.assertIn("accrue: cifar-10-binary.tar.gz of cifar10 could not be downloaded", done.stderr)
        self.assertEqual(done.stderr.strip().splitlines()[-1][-1], ".")

    def test_a_full_disk_keeps_what_arrived(self):
        self.serve_zeros()
        done = self.get("mnist", before=["sh", "-c", 'ulimit -f 1000; exec "$@"', "sh"])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cannot be written: File too large. Free some space", done.stderr)
        self.assertGreater((self.data / "mnist.part" / (LARGE + ".part")).stat().st_size, 400_000)

    def test_too_little_room_is_said_before_anything_is_asked(self):
        self.serve_zeros()
        disk = self.home / "disk"
        disk.mkdir()
        mount = ["unshare", "--user", "--map-root-user", "--mount"]
        script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"'
        if subprocess.run([*mount, "sh", "-c", script, disk, "true"], capture_output=True).returncode:
            self.skipTest("a small disk cannot be mounted here")
        done = self.get("mnist", "--data", str(disk), before=[*mount, "sh", "-c", script, str(disk)])
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{disk}/mnist needs 11.1 MiB more, but only 1.00 MiB are free on its disk", done.stderr)
        self.assertEqual(self.server.log, [])

    def test_a_machine_without_libcurl_is_told_so(self):
        self.serve_zeros()
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            (self.home / name).write_text("no library")
        done = self.get("mnist", LD_LIBRARY_PATH=str(self.home))
        self.assertEqual(done.returncode, 1)
        self.assertIn("this machine has no libcurl (libcurl.so.4). Install it", done.stderr)
        self.assertEqual(self.names(self.data), [])


if __name__ == "__main__":
    if not ACCRUE.is_file():
        print(f"skipped: {ACCRUE} was not found")
        sys.exit(77)
    unittest.main(verbosity=2)
