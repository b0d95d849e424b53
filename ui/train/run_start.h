// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/draft_surroundings.h"
#include "ui/run/backend.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>

namespace accrue {

class ExperimentDraft;

// Starts a run of the draft, or resumes one of the log, and knows why that is not possible now.
// GUI thread.
class RunStart : public QObject {
    Q_OBJECT
public:
    // All are borrowed and must outlive this. A question about a run that is resumed opens in the
    // window of `page`.
    RunStart(Backend& backend, ExperimentDraft& draft, QWidget& page);

    // Why nothing can be trained now, whatever the draft is, as a sentence; empty: it can.
    QString whyNotTrain() const;
    // A run is in progress: the next one is added to the queue, and trained after it.
    bool queues() const { return m_backend.controller.isActive(); }
    // Why the draft cannot be started, or queued; or what is wrong with it.
    QString whyNotStart() const;
    // There is no engine: waiting does not help
    bool isBroken() const { return m_backend.engine.state() == EngineHost::State::Missing; }
    const QString& problem() const { return m_problem; } // of the last start; empty: none
    DraftSurroundings& surroundings() const { return *m_surroundings; }

    void start();
    // Shows a question first if an answer is needed: the new length of a completed run, or which
    // checkpoint a run resumes from if its last one is damaged.
    void resume(const RunRecord& run);
    void setWhyNotWrite(const QString& why); // into the run log; empty: it can be written

Q_SIGNALS:
    void changed(); // what the functions above return
    void starting(const std::optional<accrue::RunId>& run); // empty: a new one

private:
    using Length = std::optional<std::int64_t>; // epochs or steps; empty: as the run was planned
    using Damaged = RunController::Damaged;
    void begin(const std::optional<RunId>& run);
    void resumeFor(const RunRecord& run, Length length, Damaged damaged);
    void askHowLong(const RunRecord& run);
    void askPastDamaged(const RunRecord& run, const ResumeChoice& choice, Length length);

    Backend& m_backend;
    ExperimentDraft& m_draft;
    DraftSurroundings* m_surroundings;
    QWidget& m_page;
    QString m_problem;
    QString m_whyNotWrite;
};

} // namespace accrue
