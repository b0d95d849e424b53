// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/saved_models.h"
#include "engine/runlog/equivalence.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <optional>

namespace accrue {

struct RunPair {
    RunId a {};
    RunId b {};
    friend bool operator==(const RunPair&, const RunPair&) = default;
};

struct EquivalenceAnswer {
    RunPair runs;
    Equivalence losses;
    std::optional<ParameterDistance> parameters; // empty: not known yet, or nothing measures it
    QString problem; // why the log could not be read; empty: it could
};

// Whether two runs are one training, found off the GUI thread, on which this object lives. An
// answer to a question that is no longer asked is dropped; the destructor waits for what is being
// compared.
class EquivalenceCheck : public QObject {
    Q_OBJECT
public:
    // Measures how far two checkpoints are apart. Called on the check's thread; throws nothing.
    using Distance = std::function<ParameterDistance(
        const std::filesystem::path& a, const std::filesystem::path& b)>;

    using QObject::QObject;
    void setDistance(Distance distance) { m_distance = std::move(distance); }

    // Answered by `answered`: with the losses, then once more with the parameters where both runs
    // have a checkpoint and a distance is set. Must not block.
    void ask(const std::filesystem::path& log, const RunPair& runs);
    void forget() { m_task.drop(); } // what was asked

Q_SIGNALS:
    void answered(const accrue::EquivalenceAnswer& answer);

private:
    Distance m_distance;
    Task m_task;
};

} // namespace accrue
