#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engine with a LibTorch that has no part for CUDA: it names none of CUDA's libraries among its needs, trains from a folder
that lacks them, and what is missing for a GPU is named. The libraries are copies without the build's folders, as the bundle
carries them; LibTorch is a folder of links to what libtorch_cpu.so needs, and nothing else."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BIN = Path(os.environ.get("ACCRUE_BIN", ""))
ACCRUE = BIN / "accrue"
ENGINE = BIN / "libaccrue_engine.so"
CUDA = BIN / "libaccrue_cuda.so"
TORCH = Path(os.environ.get("ACCRUE_TORCH_LIBRARIES", ""))
SKIPPED = 77  # SKIP_RETURN_CODE
LIMIT = 300  # seconds of one process
OF_CUDA = re.compile(r"^lib(torch|torch_cuda\w*|c10_cuda|cudnn\w*|cublas\w*|cufft|cusparse\w*|cusolver\w*|nccl)\.so")


def needs_of(library):
    """Names among NEEDED."""
    told = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", told)


def found_by_linker(library):
    """Name → path of all that the library needs, as the dynamic linker finds it."""
    told = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    return {name: Path(path) for name, path in re.findall(r"^\s*(\S+) => (/\S+)", told, re.MULTILINE)}


def needs_of_torch():
    """The libraries that libtorch_cpu.so brings or asks of CUDA's packages: not those of the system."""
    found = {"libtorch_cpu.so": TORCH / "libtorch_cpu.so", **found_by_linker(TORCH / "libtorch_cpu.so")}
    system = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
    return {name: path for name, path in found.items() if not str(path).startswith(system)}


class EngineWithoutCuda(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="accrue without cuda ")
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name).resolve()
        cls.links = cls.work / "torch"
        cls.links.mkdir()
        for name, path in needs_of_torch().items():
            (cls.links / name).symlink_to(path)
        cls.engine = cls.copy(ENGINE)
        cls.cuda = cls.copy(CUDA) if CUDA.exists() else None

    @classmethod
    def copy(cls, library):
        copy = cls.work / library.name
        shutil.copy(library, copy)
        script = cls.work / "forget.cmake"
        script.write_text(f'file(RPATH_REMOVE FILE "{copy}")\n')
        subprocess.run(["cmake", "-P", script], check=True)
        return copy

    def accrue(self, *words, **changes):
        """Neither the set-up's environment nor a Python is looked at for LibTorch."""
        environment = dict(os.environ, HOME=str(self.work / "home"), ACCRUE_ENGINE=str(self.engine), LD_LIBRARY_PATH=str(self.links),
                           XDG_DATA_HOME=str(self.work / "home"), XDG_CONFIG_HOME=str(self.work / "home"), GOMP_SPINCOUNT="0")
        for name in ("ACCRUE_PYTHON", "ACCRUE_DEPS_DIR", "XDG_CACHE_HOME", "ACCRUE_ACCELERATOR"):
            environment.pop(name, None)
        environment.update(changes)
        return subprocess.run([ACCRUE, *words], env=environment, capture_output=True, text=True, timeout=LIMIT)

    def train(self, *words, **changes):
        return self.accrue("train", "first-run", "--db", "none", "--json", "--set", "run.limit_steps=3", *words, **changes)

    def assert_trains(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["outcome"], "completed")

    def test_the_engine_needs_no_library_of_cuda(self):
        needs = needs_of(ENGINE)
        self.assertIn("libtorch_cpu.so", needs)
        self.assertEqual([name for name in needs if OF_CUDA.match(name) or name.startswith("libcuda")], [])

    def test_it_trains_where_they_are_not_there(self):
        self.assertEqual([name for name in os.listdir(self.links) if OF_CUDA.match(name)], [])
        self.assert_trains(self.train())

    def test_without_libtorch_what_is_missing_is_named(self):
        done = self.train(LD_LIBRARY_PATH="")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, r"libtorch_cpu\.so is missing\. Run scripts/run\.sh to set it up, or add the folder")

    def test_for_a_gpu_the_missing_part_of_libtorch_is_named_and_the_cpu_trains(self):
        if self.cuda is None:
            self.skipTest("this build has no part for CUDA")
        done = self.train("--device", "cuda", ACCRUE_ACCELERATOR=str(self.cuda))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.strip().count("\n"), 0, done.stderr)
        self.assertRegex(done.stderr, r"libaccrue_cuda\.so, the engine's part for CUDA, cannot be loaded: libtorch_cuda\.so is missing, "
                                      r"and LibTorch in .*torch does not bring it. Install LibTorch for CUDA")
        self.assertRegex(done.stderr, r"Use --device cpu")
        for device in ("cpu", "auto"):
            self.assert_trains(self.train("--device", device, ACCRUE_ACCELERATOR=str(self.cuda)))

    def test_the_part_for_cuda_that_lies_beside_the_rest_of_libtorch_is_opened(self):
        if self.cuda is None or not (TORCH / "libtorch_cuda.so").exists():
            self.skipTest("this build or its LibTorch has no part for CUDA")
        done = self.train("--device", "cuda", LD_LIBRARY_PATH=str(TORCH), ACCRUE_ACCELERATOR=str(self.cuda))
        self.assertNotIn("cannot be loaded", done.stderr)
        # A LibTorch that the loader found: the dynamic linker knows none of its libraries.
        python = TORCH.parents[4] / "bin/python"
        if not python.exists():
            self.skipTest("this LibTorch is no Python's")
        done = self.train("--device", "cuda", LD_LIBRARY_PATH="", ACCRUE_PYTHON=str(python), ACCRUE_ACCELERATOR=str(self.cuda))
        self.assertNotIn("cannot be loaded", done.stderr)
        self.assertIn(done.returncode, (0, 2), done.stderr)


def why_not():
    """Empty: it can be tried here."""
    if not ENGINE.exists():
        return f"there is no engine at {ENGINE}"
    if not (TORCH / "libtorch_cpu.so").exists():
        return "ACCRUE_TORCH_LIBRARIES names no folder with libtorch_cpu.so"
    own = [name for name in needs_of_torch() if OF_CUDA.match(name)]
    return f"this LibTorch's part for the CPU needs {', '.join(own)} itself" if own else ""


if __name__ == "__main__":
    if why_not():
        print("skipped:", why_not())
        sys.exit(SKIPPED)
    unittest.main()
