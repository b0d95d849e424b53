#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gpu_first.py reads out of answers, and a whole call with programs of our own: nothing is trained."""

import json
import math
import shutil
import sys
import unittest

from fixture import SCRIPTS, ScriptCase

sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True

import gpu_figures as figures  # noqa: E402


def step(number, **fields):
    parts = {f"{name}_ms": 1.0 for name in ("step", "data", "forward", "backward", "optimizer")}
    return {"event": "step", "step": number, "seconds": number * 0.002, "window_samples": 128, "loss": 1.0 / number,
            "peak_bytes": 3 << 20, **parts, **fields}


def phase(name, peak, end, **fields):
    return {"phase": name, "peak_bytes": sum(peak.values()), "peak": peak, "end_bytes": sum(end.values()), "end": end,
            "cached_bytes": 1 << 20, "other_bytes": 5 << 20, **fields}


class TestFigures(unittest.TestCase):
    def test_an_answer_that_was_cut_off_gives_what_was_whole(self):
        lines = figures.json_lines('{"event":"step","loss":2.5}\nwords\n[1]\n{"event":"ste')
        self.assertEqual(figures.losses(lines), [2.5])

    def test_the_greatest_relative_distance_is_of_those_that_both_have(self):
        self.assertEqual(figures.greatest_distance([1.0, 3.0], [1.0, 2.0, 9.0]), (0.5, 2))
        distance, count = figures.greatest_distance([], [1.0])
        self.assertTrue(math.isnan(distance))
        self.assertEqual(count, 0)

    def test_memory_that_does_not_add_up_is_counted(self):
        whole = phase("forward", {"parameters": 1 << 20, "activations": 2 << 20}, {"parameters": 1 << 20})
        wrong = {**whole, "phase": "backward", "end_bytes": 7}
        below = phase("optimizer", {"parameters": 1 << 20}, {"parameters": 1 << 20}, other_bytes=-1)
        lines = [step(1, peak_bytes=(3 << 20) + 512), {"event": "memory", "step": 1, "phases": [whole, wrong, below]}]
        sentence = figures.memory_figures(lines)
        self.assertIn("3 phases, 1 do not add up, 1 negative", sentence)
        self.assertIn("at most 512 B apart", sentence)
        self.assertEqual(figures.memory_figures([]), "no answer")

    def test_speed_is_that_of_the_second_half(self):
        slow_start = [step(number, seconds=number * 0.5) for number in range(1, 5)]
        lines = [{"event": "run_started", "memory_format": "channels_last"}, *slow_start,
                 *(step(number, seconds=2 + 0.002 * number) for number in range(5, 9))]
        window, sentence = figures.speed_figures(lines)
        self.assertAlmostEqual(window, 2.0)
        self.assertTrue(sentence.startswith("2.000 ms a window, 64000 img/s; device ms: step 1.000, data 1.000"), sentence)
        self.assertTrue(sentence.endswith("peak 3 MiB, channels_last"), sentence)
        self.assertEqual(figures.speed_figures(lines[:2]), (None, "only 1 windows"))

    def test_launches_of_a_window_are_the_difference_of_two_lengths(self):
        short = figures.launch_counts("120\t1.5\tTOTAL\n100\t1\tvoid kernel<float>(int)\n20\t0.5\t[copy DtoH]\n3\t0\t[wait stream]\n")
        long = figures.launch_counts("230\t3.0\tTOTAL\n200\t2\tvoid kernel<float>(int)\n30\t1\t[copy DtoH]\n3\t0\t[wait stream]\n"
                                     "10\t1\t[memset]\n")
        self.assertEqual(figures.launches_of_a_window(short, long, 10), "TOTAL 11, copy DtoH 1, memset 1")
        self.assertEqual(figures.launches_of_a_window({}, {}, 10), "nothing")

    def test_a_test_program_is_summed_up_with_what_failed_and_why_it_skipped(self):
        text = ("PASS   : accrue::TestGather::initTestCase()\n"
                "SKIP   : accrue::TestGather::theKernel(one row) needs a CUDA device\n"
                "SKIP   : accrue::TestGather::another() needs a CUDA device\n   Loc: [x.cpp(5)]\n"
                "FAIL!  : accrue::TestGather::labels() Compared values are not the same\n"
                "Totals: 3 passed, 1 failed, 2 skipped, 0 blacklisted, 12ms\n")
        self.assertEqual(figures.test_totals(text),
                         "3 passed, 1 failed, 2 skipped, 0 blacklisted, 12ms; "
                         "FAILED TestGather::labels() Compared values are not the same; skipped: needs a CUDA device")
        self.assertEqual(figures.test_totals("Segmentation fault"), "no totals")

    def test_a_table_is_markdown_whatever_a_cell_holds(self):
        self.assertEqual(figures.markdown_table([("a | b", "one\ntwo")]), "| What | Measured |\n| --- | --- |\n| a \\| b | one two |")


class TestCall(ScriptCase):
    def setUp(self):
        super().setUp()
        self.folder = self.work / "an archive"
        self.folder.mkdir()
        for name in ("gpu_first.py", "gpu_figures.py", "gpu_peer.py", "count_kernels.c"):
            shutil.copy(SCRIPTS / name, self.folder)
        doctor = json.dumps({"accrue": "0.1.0", "code_revision": "abc", "torch": "2.11.0", "driver": "", "can_train": True,
                             "missing": [], "devices": [{"id": "cpu", "name": "A processor"}]})
        steps = "\n".join(json.dumps(line) for line in [{"event": "run_started", "memory_format": "contiguous"},
                                                        *map(step, range(1, 31)), {"event": "run_ended", "outcome": "completed"}])
        (self.work / "doctor").write_text(doctor)
        (self.work / "steps").write_text(steps)
        self.fake("accrue", f'case $1 in doctor) cat "{self.work}/doctor" ;; train) cat "{self.work}/steps" ;; '
                            '*) echo "no such thing" >&2; exit 3 ;; esac', self.folder)
        self.fake("accrue-tests", '[ "$1" = --list ] && echo tst_gather && exit; echo "Totals: 9 passed, 0 failed"', self.folder)

    def call(self, *arguments):
        return self.run_program(sys.executable, self.folder / "gpu_first.py", self.work / "out", *arguments, ACCRUE_PYTHON="python3")

    def test_every_stage_answers_without_a_gpu_and_even_where_programs_fail(self):
        done = self.call("--device", "cpu", "--quick")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = (self.work / "out/measurements.md").read_text()
        self.assertTrue(table.startswith("A processor; accrue 0.1.0 (abc), LibTorch 2.11.0; "), table)
        for row in ("| doctor | can train: True; nothing is missing |", "| selftest | exit 3: no such thing |",
                    "| curve, float64 | 30 updates, greatest relative distance 0.00e+00 to float64 on the CPU |",
                    "| curve, tf32 | needs a GPU |", "| short of memory | no answer: ", "| stop and resume | 30 and 30 updates,",
                    "| speed, LeNet-5 b 32 × N 4 | 2.000 ms a window,", "| Python's torch | needs a GPU |",
                    "| launches of a window | ", "| tst_gather | exit 0; 9 passed, 0 failed |", "| cudaMallocAsync | needs a GPU |",
                    "| memory given back after a run | needs a GPU |", "| compute-sanitizer | needs a GPU |", "| all of it | "):
            self.assertIn("\n" + row, table)
        self.assertIn("$ ", (self.work / "out/log.txt").read_text())

    def pretend_a_gpu(self):
        """A driver, a compiler, CUPTI, a sanitizer, and a device that doctor lists."""
        doctor = json.loads((self.work / "doctor").read_text())
        doctor["driver"] = "580.65"
        doctor["devices"].append({"id": "cuda:0", "name": "NVIDIA H100 80GB HBM3"})
        (self.work / "doctor").write_text(json.dumps(doctor))
        warned = json.dumps({"event": "message", "severity": "warning", "text": "another allocator"})
        (self.work / "steps").write_text((self.work / "steps").read_text() + "\n" + warned)
        cu13 = self.work / "packages/nvidia/cu13"
        for file in ("include/cupti.h", "lib/libcupti.so.13"):
            (cu13 / file).parent.mkdir(parents=True)
            (cu13 / file).touch()
        self.fake("cc", 'while [ "$1" != -o ]; do shift; done; touch "$2"')
        self.fake("python3", f'case $1 in -c) echo "{self.work}/packages" ;; '
                             """*) echo '{"case": "lenet5,eager", "window_ms": 1.25, "images_per_s": 100}' ;; esac""")
        self.fake("nvidia-smi", 'case $1 in *memory.used) echo 4000 ;; '
                                '*name*) echo "NVIDIA H100 80GB HBM3, 580.65, 81559 MiB" ;; esac')
        self.fake("compute-sanitizer", 'echo "========= ERROR SUMMARY: 0 errors"')
        self.fake("accrue", f'case $1 in doctor) cat "{self.work}/doctor" ;; '
                            f'train) cat "{self.work}/steps"; [ -z "$COUNT_TO" ] || '
                            'printf "$([[ $* == *limit_steps=5 ]] && echo 100 || echo 160)\\t1.0\\tTOTAL\\n" >"$COUNT_TO" ;; '
                            'equivalence) sleep 1 ;; *) exit 3 ;; esac', self.folder)

    def test_every_stage_answers_with_a_gpu(self):
        self.pretend_a_gpu()
        done = self.call("--quick")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = (self.work / "out/measurements.md").read_text()
        self.assertTrue(table.startswith("NVIDIA H100 80GB HBM3, driver 580.65; accrue 0.1.0 (abc), LibTorch 2.11.0; "), table)
        for row in ("| machine | NVIDIA H100 80GB HBM3, 580.65, 81559 MiB |",
                    "| curve, bfloat16 | 30 updates, greatest relative distance 0.00e+00 to float32 on the device |",
                    "| speed, ResNet-18 cifar b 4 × N 2, bf16, contiguous | 2.000 ms a window,",
                    "| Python's torch, lenet5,eager | 1.250 ms a window, 100 img/s |",
                    "| launches of a window, LeNet-5 | TOTAL 12 |",
                    "| cudaMallocAsync | completed, 1 warnings: another allocator |",
                    "| memory given back after a run | 4000 MiB before, at most 4000 MiB with b 512, then at least 4000 MiB with b 8",
                    "| compute-sanitizer, first-run | ERROR SUMMARY: 0 errors |"):
            self.assertIn("\n" + row, table)
        self.assertNotIn("needs a GPU", table)

    def test_the_limit_ends_it_with_what_was_measured(self):
        done = self.call("--device", "cpu", "--quick", "--limit", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no time left", (self.work / "out/measurements.md").read_text())

    def test_without_the_command_line_it_says_where_it_runs(self):
        (self.folder / "accrue").unlink()
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("run it in an archive of scripts/bundle.sh --tests", done.stderr)


if __name__ == "__main__":
    unittest.main()
