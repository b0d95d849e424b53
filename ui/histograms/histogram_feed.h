// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/histograms/run_histograms.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Reads the histograms of a parameter of runs in the background. Lives on the GUI thread.
class HistogramFeed : public QObject {
    Q_OBJECT
public:
    struct AskedRun {
        RunId run {};
        std::int64_t end = 0; // how far it has come: read again when this changes,
        RunState state {}; // or this: the last histogram may be logged after its step
        friend bool operator==(const AskedRun&, const AskedRun&) = default;
    };
    struct Question {
        std::filesystem::path log;
        std::vector<AskedRun> runs;
        std::string parameter; // that no run has, or empty: the first one is read
        HistogramOf of = HistogramOf::Value;
        friend bool operator==(const Question&, const Question&) = default;
    };
    struct Answer {
        Question asked;
        std::vector<std::string> parameters {}; // of all runs, in the order of the networks
        bool hasGradients = false;
        std::string parameter {}; // that was read
        std::vector<std::shared_ptr<const RunHistograms>> runs {}; // in the order of the question
    };

    explicit HistogramFeed(QObject* parent = nullptr);

    // Must not block; nothing is read that is known or being read. Runs that have only grown do not
    // end the reading that is in progress: they are read after it.
    void ask(const Question& question);
    const Answer& answer() const { return *m_answer; } // the last one

Q_SIGNALS:
    void read();
    void failed(const QString& problem);

private:
    void start(const Question& question);
    void take(std::shared_ptr<const Answer> answer);

    std::optional<Question> m_asked;
    std::optional<Question> m_next;
    std::shared_ptr<const Answer> m_answer;
    Task m_task; // last: joined first
};

} // namespace accrue
