#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layering check finds each kind of wrong arrow, and lets right ones pass."""

import unittest

import layering


def faults(path, *lines):
    return list(layering.faults({path: "\n".join(lines)}))


class TestLayering(unittest.TestCase):
    def assert_fault(self, words, path, *lines):
        found = faults(path, *lines)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_lower_room_may_not_include_a_higher_one(self):
        self.assert_fault("engine/events may not include engine/exchange", "engine/events/a.h", '#include "engine/exchange/csv.h"')
        self.assert_fault("ui/models may not include ui/train", "ui/models/a.cpp", '#include "ui/train/train_page.h"')
        self.assert_fault("app may not include engine/session", "app/a.cpp", '#include "engine/session/session.h"')
        self.assert_fault("app may not include ui/run", "app/train.cpp", '#include "ui/run/run_controller.h"')

    def test_pages_do_not_see_each_other(self):
        self.assert_fault("ui/train may not include ui/runs", "ui/train/a.cpp", '#include "ui/runs/runs_page.h"')
        self.assert_fault("ui/memory may not include ui/window", "ui/memory/a.cpp", '#include "ui/window/main_window.h"')
        self.assertEqual(faults("ui/window/a.cpp", '#include "ui/runs/runs_page.h"'), [])

    def test_units_that_include_each_other_are_named(self):
        files = {
            "engine/base/a.h": '#include "engine/base/b.h"', "engine/base/b.h": "", "engine/base/b.cpp": '#include "engine/base/c.h"',
            "engine/base/c.h": '#include "engine/base/a.h"', "engine/base/d.cpp": '#include "engine/base/a.h"'}
        self.assertEqual(layering.circles(files), [("engine/base/a", "engine/base/b", "engine/base/c")])
        self.assertIn("in a circle: engine/base/a, engine/base/b, engine/base/c", list(layering.faults(files))[0])
        del files["engine/base/c.h"]
        self.assertEqual(layering.circles(files), [])

    def test_the_name_of_a_key_is_spelled_once(self):
        table = {"engine/experiment/keys_of_batch.cpp": '.key = key::batchMicro, .key = "batch.tail",',
                 layering.KEY_NAMES: 'inline constexpr char batchMicro[] = "batch.micro";'}
        self.assertEqual(list(layering.faults(table)), [])
        for name in ("batch.micro", "batch.tail"):
            found = list(layering.faults({**table, "app/a.cpp": f'set("{name}"); // "batch.micro"'}))
            self.assertEqual(len(found), 1, found)
            self.assertIn(f'"{name}" is the name of a key', found[0])
        twice = {**table, "engine/experiment/keys_of_run.cpp": '.key = "batch.micro",'}
        self.assertIn("is spelled in the table of keys, too", list(layering.faults(twice))[0])

    def test_a_key_in_a_longer_string_is_found(self):
        table = {layering.KEY_NAMES: 'inline constexpr char batchMicro[] = "batch.micro";'}
        for text in ("batch.micro=", "batch.micro=auto", "batch.micro = ", "batch.micro > 4", " --set batch.micro=", "or batch.micro = "):
            found = list(layering.faults({**table, "app/a.cpp": f'\nset("{text}" + size);'}))
            self.assertEqual(len(found), 1, text)
            self.assertIn('app/a.cpp:2: "batch.micro" is the name of a key', found[0])
        for text in ("batch.micro is too large", "  accrue train a --set batch.micro=16", "a.batch.micro=", "batch.micro_size="):
            self.assertEqual(list(layering.faults({**table, "app/a.cpp": f'print("{text}");'})), [], text)

    metrics = {layering.METRIC_TABLE: """{ Id::Loss, "loss", "Loss" }, timeOfStep(
        Id::StepMs, "step_ms", "Step time"), ofTrace(Id::TracedValue1, "traced_value_1", "Value", "value_1"), { .name = "noise" }"""}

    def test_the_name_of_a_metric_is_spelled_in_its_table_only(self):
        for name in ("loss", "step_ms", "traced_value_1", "value_1", "noise", "Loss", "Step time"):
            found = list(layering.faults({**self.metrics, "ui/models/a.cpp": f'\ncurve("{name}"); // "loss"'}))
            self.assertEqual(len(found), 1, found)
            self.assertIn(f'ui/models/a.cpp:2: "{name}" is of the table of metrics', found[0])

    def test_a_column_of_a_metric_is_found_in_sql(self):
        found = list(layering.faults({**self.metrics, "engine/runlog/a.cpp": 'run("SELECT step, step_ms FROM steps");'}))
        self.assertEqual(len(found), 1, found)
        self.assertIn('"step_ms" is of the table of metrics', found[0])

    def test_sentences_headers_and_codes_do_not_name_a_metric(self):
        for line in ('tr("The loss of a step");', '#include "engine/window/step_ms.h"', 'Message("explain.step_ms")', '"step_msg"'):
            self.assertEqual(list(layering.metric_faults({**self.metrics, "engine/window/a.cpp": line})), [], line)

    def test_a_homonym_of_a_metric_is_allowed_where_it_is_listed(self):
        path = "engine/runs/run_keys.h"
        self.assertIn("loss", layering.METRIC_HOMONYMS[path])
        self.assertEqual(list(layering.faults({**self.metrics, path: 'char kFilter[] = "loss";'})), [])
        self.assertIn('"step_ms" is of the table', list(layering.faults({**self.metrics, path: '"loss", "step_ms"'}))[0])
        self.assertIn('"loss" is not here any more', list(layering.faults({**self.metrics, path: ""}))[0])

    def test_the_line_of_the_include_is_named(self):
        self.assert_fault("engine/events/a.h:3:", "engine/events/a.h", "", "", '#include "engine/door/engine.h"')

    def test_right_arrows_pass(self):
        self.assertEqual(faults("engine/window/a.cpp", '#include "engine/model/network.h"', "#include <torch/torch.h>"), [])
        self.assertEqual(faults("ui/train/a.cpp", '#include "ui/charts/metric_chart.h"', "#include <QWidget>", '#include "a.moc"'), [])
        self.assertEqual(faults("ui/charts/a.cpp", "#include <QLineSeries>", "#include <QtCharts/QChart>"), [])
        self.assertEqual(faults("app/workbench_main.cpp", '#include "ui/window/window.h"', "#include <QApplication>"), [])
        self.assertEqual(faults("engine/runlog/a.cpp", "#include <SQLiteCpp/Database.h>", 'run("SELECT id FROM run");'), [])
        self.assertEqual(faults("tests/a.cpp", "#include <QTest>", "#include <torch/torch.h>"), [])

    def test_qt_stands_only_in_the_workbench(self):
        for name in ("QString", "QtCore/QString", "QtGlobal", "qglobal.h"):
            self.assert_fault("no Qt outside ui", "engine/door/a.h", f"#include <{name}>")
            self.assert_fault("no Qt outside ui", "app/a.cpp", f"#include <{name}>")
        self.assert_fault("no Qt in the engine", "engine/door/CMakeLists.txt", "target_link_libraries(a Qt6::Core)")

    def test_qt_charts_stands_only_in_the_charts_room(self):
        for name in ("QChartView", "QLineSeries", "QtCharts/QChart", "QValueAxis"):
            self.assert_fault("only ui/charts knows", "ui/train/a.cpp", f"#include <{name}>")
        self.assert_fault("only ui/charts links", "ui/train/CMakeLists.txt", "target_link_libraries(a Qt6::Charts)")

    def test_torch_stands_only_in_its_rooms(self):
        for name in ("torch/torch.h", "ATen/core/Tensor.h", "c10/cuda/CUDAStream.h", "cuda_runtime.h", "nvml.h"):
            self.assert_fault("see torch", "engine/door/a.h", f"#include <{name}>")
            self.assert_fault("see torch", "ui/run/a.h", f"#include <{name}>")

    def test_sql_stands_only_in_the_run_log(self):
        self.assert_fault("only engine/logfile, engine/queue, engine/runlog know SQLite", "ui/models/a.cpp", "#include <SQLiteCpp/Database.h>")
        for text in ("SELECT id FROM run", "insert into", "INSERT INTO run", "UPDATE run SET a = 1", "PRAGMA user_version"):
            expected = 1 if text.split()[0].isupper() else 0
            self.assertEqual(len(faults("ui/models/a.cpp", f'const char* k = "{text}";')), expected, text)

    def test_words_of_sql_in_sentences_are_not_sql(self):
        self.assertEqual(faults("ui/train/a.cpp", 'tr("Select runs, then update them")', "// SELECT id FROM run"), [])

    def test_an_unknown_room_is_named(self):
        self.assert_fault("the room engine/magic is not known", "engine/magic/a.h", "")

    def test_includes_are_rooted_at_the_repository(self):
        self.assert_fault("not rooted", "engine/door/a.cpp", '#include "engine.h"')


if __name__ == "__main__":
    unittest.main()
