// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/report/equivalence.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

namespace accrue {

struct RunPair {
    RunId a {};
    RunId b {};
    friend bool operator==(const RunPair&, const RunPair&) = default;
};

struct EquivalenceAnswer {
    RunPair runs;
    Equivalence losses;
    std::optional<ParameterDistance> parameters; // empty: not known yet, or no distance is set
    QString problem; // why the log could not be read; empty: it was read
};

// Checks whether two runs are the same training, off the GUI thread, on which this object lives. An
// answer to an outdated request is dropped; the destructor waits until the comparison in progress
// ends. One pair is compared at a time, because reading checkpoints cannot be interrupted.
class EquivalenceCheck : public QObject {
    Q_OBJECT
public:
    // Measures the distance of two checkpoints. Called on the check's thread; throws nothing.
    using Distance = std::function<ParameterDistance(
        const std::filesystem::path& a, const std::filesystem::path& b)>;

    using QObject::QObject;
    void setDistance(Distance distance) { m_distance = std::move(distance); }

    // Emits `answered` with the losses, then once more with the parameters if both runs have a
    // checkpoint and a distance is set. Must not block.
    void ask(const std::filesystem::path& log, const RunPair& runs);
    void forget(); // drops the request

Q_SIGNALS:
    void answered(const accrue::EquivalenceAnswer& answer);

private:
    using Question = std::pair<std::filesystem::path, RunPair>; // two runs of a log
    void start();
    void emitAnswer(const EquivalenceAnswer& answer, std::uint64_t number);
    void end(const EquivalenceAnswer& answer, std::uint64_t number);

    Distance m_distance;
    std::optional<Question> m_asked;
    std::uint64_t m_newest = 0; // numbers what was asked and forgotten
    Task m_task;
};

} // namespace accrue
