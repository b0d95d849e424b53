// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/engine/session/reference_training.h"

#include <filesystem>
#include <string>

#include <QProcess>
#include <QString>

namespace accrue::test {

// How Python's torch is to train what the folder holds: see tests/support/reference.py.
struct Otherwise {
    std::string defect {}; // of DEFECTS or ORDERS there
    std::string variant {}; // "float64", "reversed"
};

// A process of reference.py, which trains beside us: two processes on two cores, one thread each.
class PythonsTorch {
public:
    // A reason where it cannot.
    QString start();
    // Begins a training, whose result will be FOLDER/RESULT.…; one waits for each before the next.
    void begin(const std::filesystem::path& folder, const std::string& result,
        const Otherwise& otherwise = {});
    // Blocks until the training that was begun has ended.
    void wait() { line(); }
    // Both, and what came of it.
    Trained train(
        const std::filesystem::path& folder, const Trained& start, const Otherwise& otherwise);
    void end();

private:
    QString line();

    QProcess m_process;
};

} // namespace accrue::test
