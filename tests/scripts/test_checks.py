#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of texts and commit messages, and which files clang-tidy is given, in checkouts of their own."""

import json
import subprocess
import tempfile
import unittest

from fixture import SCRIPTS, ScriptCase

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class GitCase(ScriptCase):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.root, check=True,
                       capture_output=True)

    def commit(self, **files):
        """Files by name, with __ for / and the ending after the last _."""
        for name, text in files.items():
            path = self.root / ".".join(name.replace("__", "/").rsplit("_", 1))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, newline="")
        self.git("add", "-A")
        self.git("commit", "-qm", "fix: something")


class TestTexts(GitCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("check_text.sh")

    def check_text(self, *files):
        return self.run_program(self.root / "scripts/check_text.sh", *files)

    def complaints(self, text, name="file.py"):
        (self.root / name).write_text(text, newline="")
        return self.check_text(name).stdout

    def test_what_is_wrong_is_named_with_its_line(self):
        head = "# SPDX-License-Identifier: Apache-2.0\n"
        self.assertEqual(self.complaints(head + "x = 1\n"), "")
        self.assertEqual(self.complaints(head + "x = 1 \n"), "file.py:2: whitespace at the end of the line\n")
        self.assertEqual(self.complaints(head + "<<<<<<< a\n"), "file.py:2: a conflict mark\n")
        self.assertEqual(self.complaints(head + "x = 1"), "file.py: no newline at the end\n")
        self.assertEqual(self.complaints("x = 1\n"), "file.py:1: no SPDX-License-Identifier line\n")
        self.assertEqual(self.complaints("a = 1\n", "recipe.toml"), "recipe.toml:1: no SPDX-License-Identifier line\n")

    def test_a_tr_that_lupdate_gives_another_context_is_found(self):
        head = "// SPDX-License-Identifier: Apache-2.0\n"
        self.assertEqual(self.complaints(head + "QString Text::tr(const char* text);\n", "file.cpp"), "")
        self.assertEqual(self.complaints(head + "QString tr(const char* text)\n", "file.cpp"),
                         "file.cpp:2: a free tr(): use Q_DECLARE_TR_FUNCTIONS\n")

    def test_a_file_that_is_wrong_on_every_line_is_found(self):
        text = "// SPDX-License-Identifier: Apache-2.0\r\n" + "int a;\r\n" * 20000
        for _ in range(5):
            self.assertEqual(self.complaints(text, "file.h"), "file.h:1: whitespace at the end of the line\n")

    def test_without_files_it_looks_at_all_that_git_tracks(self):
        self.git("init", "-q")
        self.commit(a_py="x = 1\n", größe__b_py="x = 1\n")
        done = self.check_text()
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.py:1:", done.stdout)
        self.assertIn("größe/b.py:1:", done.stdout)

    def test_where_git_fails_the_check_fails(self):
        self.fake("git", "exit 128")
        self.assertEqual(self.check_text().returncode, 2)


class TestCommitMessage(unittest.TestCase):
    def verdict(self, subject):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(subject + "\n")
            file.flush()
            return subprocess.run([SCRIPTS / "check_commit_message.sh", file.name], capture_output=True).returncode

    def test_subjects_have_a_prefix_and_72_characters(self):
        self.assertEqual(self.verdict("fix: keep the tail of an epoch"), 0)
        self.assertEqual(self.verdict("perf: thin a curve once"), 0)
        self.assertEqual(self.verdict("Keep the tail of an epoch"), 1)
        self.assertEqual(self.verdict("fix: keep the tail of an epoch."), 1)
        self.assertEqual(self.verdict("fix: " + "a" * 68), 1)


class TestTidy(GitCase):
    def setUp(self):
        super().setUp()
        self.root = self.checkout("tidy.sh")
        self.fake("ninja", "exit 0")
        self.fake("clang-tidy-14", "exit 0")
        self.git("init", "-q", "-b", "main")
        self.commit(a_h=SPDX, b__b_h='#include "a.h"\n', b__uses_cpp='#include "b.h"\n', own_cpp=SPDX, alone_cpp=SPDX, b__lonely_h=SPDX)
        database = self.root / "build/tidy/compile_commands.json"
        database.parent.mkdir(parents=True)
        database.write_text(json.dumps([{"file": str(self.root / name)} for name in ("b/uses.cpp", "own.cpp", "alone.cpp")]))
        self.fake("moc", "exit 0")
        (database.parent / "build.ninja").write_text("".join(
            f"  COMMAND = cd / && moc @/{name}.moc_parameters_Release\n" for name in ("own", "alone")))
        (self.root / ".git/info/exclude").write_text("/build/\n")

    def tidy(self, *arguments, **changes):
        self.calls.write_text("")
        return self.run_program(self.root / "scripts/tidy.sh", *arguments, ACCRUE_JOBS=1, **changes)

    def looked_at(self, *arguments):
        done = self.tidy(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split()[-1] for line in self.called() if line.startswith("clang-tidy")]

    def test_moc_runs_for_the_files_in_question(self):
        self.tidy("own.cpp")
        self.assertEqual([line for line in self.called() if line.startswith("moc")], ["moc @/own.moc_parameters_Release"])
        self.tidy("b/uses.cpp")
        self.assertEqual([line for line in self.called() if line.startswith("moc")], [])

    def test_without_arguments_all_are_looked_at(self):
        self.assertEqual(self.looked_at(), ["alone.cpp", "b/uses.cpp", "own.cpp"])

    def test_what_differs_comes_first_and_headers_are_followed_through_headers(self):
        self.commit(own_cpp=SPDX + "int a;\n", a_h=SPDX + "int a;\n")
        self.assertEqual(self.looked_at("--changed", "HEAD~1"), ["own.cpp", "b/uses.cpp"])

    def test_files_that_git_does_not_know_yet_count(self):
        (self.root / "alone.cpp").write_text(SPDX + "int a;\n")
        self.assertEqual(self.looked_at("--changed", "HEAD"), ["alone.cpp"])

    def test_other_checks_concern_every_file(self):
        (self.root / ".clang-tidy").write_text("Checks: '*'\n")
        self.assertEqual(len(self.looked_at("--changed", "HEAD")), 3)

    def test_a_branch_is_compared_with_where_it_left_the_main_branch(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.commit(own_cpp=SPDX + "int a;\n")
        self.commit(alone_cpp=SPDX + "int a;\n")
        self.assertEqual(self.looked_at("--changed"), ["alone.cpp", "own.cpp"])

    def test_without_a_main_branch_the_commit_before_is_the_base(self):
        self.commit(own_cpp=SPDX + "int a;\n")
        self.commit(alone_cpp=SPDX + "int a;\n")
        self.assertEqual(self.looked_at("--changed"), ["alone.cpp"])

    def test_a_base_that_git_does_not_know_fails(self):
        self.assertEqual(self.tidy("--changed", "nothing").returncode, 1)

    def test_too_little_time_is_said_in_the_last_line(self):
        done = self.tidy("--budget", "0")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.splitlines()[-1], "3 of 3 files were left out after 0 s")

    def test_a_finding_fails(self):
        self.fake("clang-tidy-14", 'case "$*" in *own.cpp) echo "own.cpp:1: warning"; exit 1;; esac')
        done = self.tidy()
        self.assertEqual(done.returncode, 1)
        self.assertIn("own.cpp:1: warning", done.stdout)


class TestHeaders(ScriptCase):
    """The compiler's calls are those of CMake's check, whose sources include one header each."""

    def setUp(self):
        super().setUp()
        self.root = self.checkout("check_headers.sh")
        self.fake("ninja", "exit 0")
        self.build = self.root / "build/tidy"
        database = []
        for header in ("engine/whole.h", "engine/lacking.h"):
            source = self.build / "engine_verify_interface_header_sets" / f"{header}.cxx"
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(f'#include "{header}"\n')
            command = f'c++ -I"{self.root}" -o engine/a.o -c "{source}"'
            database.append({"directory": str(self.build), "command": command, "file": str(source)})
        database.append({"directory": str(self.build), "command": "exit 1", "file": str(self.root / "engine/room.cpp")})
        (self.build / "compile_commands.json").write_text(json.dumps(database))
        (self.root / "engine").mkdir()
        (self.root / "engine/whole.h").write_text("#include <vector>\nstd::vector<int> numbers();\n")
        (self.root / "engine/lacking.h").write_text("std::vector<int> numbers();\n")

    def check(self, *arguments):
        return self.run_program(self.root / "scripts/check_headers.sh", *arguments, ACCRUE_JOBS=1)

    def test_a_header_that_lacks_an_include_is_named(self):
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "engine/lacking.h does not stand alone\n")

    def test_headers_with_all_their_includes_pass(self):
        done = self.check("whole")
        self.assertEqual((done.returncode, done.stderr), (0, "Headers that stand alone: 1.\n"))
        self.assertFalse((self.build / "engine/a.o").exists())

    def test_a_text_that_no_path_has_fails(self):
        done = self.check("nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no public header with nothing in its path", done.stderr)


class TestArchitectures(ScriptCase):
    """What the configuration says of the GPUs that kernels are made for."""

    def configure(self, architectures):
        say = self.work / "say.cmake"
        say.write_text(f'include("{SCRIPTS}/cmake/AccrueArchitectures.cmake")\n'
                       'message("oldest ${ACCRUE_OLDEST_ARCHITECTURE}")\n')
        return subprocess.run(["cmake", f"-DACCRUE_CUDA_ARCHITECTURES={architectures}", "-P", say],
                              capture_output=True, text=True)

    def test_finds_the_oldest(self):
        for architectures in ("75;80;100", "100;75;80", "75-real;90a", "75"):
            done = self.configure(architectures)
            self.assertEqual((done.returncode, done.stderr), (0, "oldest 75\n"))

    def test_refuses_what_names_no_number(self):
        for architectures in ("native", "all-major", "75;native", ""):
            done = self.configure(architectures)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f'ACCRUE_CUDA_ARCHITECTURES is "{architectures}"', " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
