// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "ui/window/main_window.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

namespace accrue {

// For tests of the whole window: before each of them a window over an engine without torch opens an
// empty log in a folder of its own, which also stores its state. GUI thread.
class WindowTest : public QObject {
    Q_OBJECT
public:
    WindowTest();
    ~WindowTest() override;

protected:
    static FakeEngine& engine();

    void open(const char* log = "runs.db");
    void shut(); // as the end of the program

    void startLongRun(); // by the form; returns while it trains
    void train(const char* name); // a run of two steps, to its end
    void startFit(); // which micro-batch fits; its first window waits

    bool isTraining() const;
    std::vector<RunRecord> logged() const;
    void assertStoppedAndLogged() const; // the newest run's end and every step that it made

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void init();
    void cleanup();
};

} // namespace accrue
