// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/step_values.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

// Reads values of runs at a step in the background. Lives on the GUI thread.
class StepValueReader : public QObject {
    Q_OBJECT
public:
    struct Question {
        std::filesystem::path log;
        std::vector<RunId> runs;
        std::int64_t step = 0;
        std::vector<std::int64_t> ends; // of each run: how far it has come
        friend bool operator==(const Question&, const Question&) = default;
    };

    explicit StepValueReader(QObject* parent = nullptr);

    // Must not block; nothing is read that is known or being read. An answer to an earlier question
    // is dropped.
    void ask(const Question& question);
    void forget();
    const std::vector<StepValue>& values() const { return m_values; } // of the last answer

Q_SIGNALS:
    void read();
    void failed(const QString& problem);

private:
    std::optional<Question> m_asked;
    std::vector<StepValue> m_values;
    Task m_task; // last: joined first
};

} // namespace accrue
