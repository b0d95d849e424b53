// SPDX-License-Identifier: Apache-2.0
#include "ui/train/run_start.h"

#include "engine/base/format.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/run_words.h"
#include "ui/widgets/questions.h"

#include <QWidget>

#include <algorithm>

namespace accrue {

RunStart::RunStart(Backend& backend, ExperimentDraft& draft, QWidget& page)
    : QObject(&page)
    , m_backend(backend)
    , m_draft(draft)
    , m_surroundings(new DraftSurroundings(backend, draft, this))
    , m_page(page)
{
    connect(&draft, &ExperimentDraft::checked, this, &RunStart::changed);
    connect(&backend.controller, &RunController::stateChanged, this, &RunStart::changed);
    connect(&backend.fits, &FitController::stateChanged, this, &RunStart::changed);
    connect(&backend.engine, &EngineHost::engineMissed, this, &RunStart::changed);
    connect(&backend.controller, &RunController::startFailed, this, [this](const QString& why) {
        m_problem = why;
        Q_EMIT changed();
    });
    // It was about a run of the earlier log.
    connect(&backend.follower, &RunLogFollower::fileChanged, this, [this] { m_problem.clear(); });
    connect(&backend.controller, &RunController::foundDamaged, this, &RunStart::askPastDamaged);
}

QString RunStart::whyNotTrain() const
{
    const QString why = whyNotCompute(m_backend);
    if (!why.isEmpty())
        return why;
    if (!m_whyNotWrite.isEmpty())
        return m_whyNotWrite;
    if (m_backend.fits.isActive())
        return tr("Accrue is measuring memory. Cancel the measurement on the Memory page or wait "
                  "for it to finish.");
    return {};
}

QString RunStart::whyNotStart() const
{
    const QString why = queues() ? m_whyNotWrite : whyNotTrain();
    if (!why.isEmpty())
        return why;
    const ExperimentCheck& check = m_draft.check();
    return check.asked || !check.firstError.isEmpty()
        ? check.firstError
        : tr("Accrue is looking for the devices of this machine.");
}

void RunStart::start()
{
    // The views may still wait for a pause in the typing. If nothing starts, they must show why.
    m_draft.showPending();
    if (!whyNotStart().isEmpty())
        return;
    if (queues())
        return m_backend.queue.add({ RunToQueue { *m_draft.check().asked, {}, {} } });
    // Before the controller starts: the page then shows no run until the new one has a number.
    begin(std::nullopt);
    // Files that were found may be gone: then the draft reports it beside the run that failed.
    m_surroundings->lookForData();
    m_backend.controller.start(*m_draft.check().asked, m_backend.dataDirectories);
}

void RunStart::begin(const std::optional<RunId>& run)
{
    m_problem.clear();
    Q_EMIT starting(run);
}

void RunStart::resume(const RunRecord& run)
{
    if (!whyNotTrain().isEmpty())
        return;
    if (hasItsLength(run))
        askHowLong(run);
    else
        resumeFor(run, {}, Damaged::Ask);
}

// A question may be answered late, when another run is training.
void RunStart::resumeFor(const RunRecord& run, Length length, Damaged damaged)
{
    if (!whyNotTrain().isEmpty())
        return;
    begin(run.id);
    m_backend.controller.resumeLogged(run, m_backend.dataDirectories, damaged, length);
}

void RunStart::askHowLong(const RunRecord& run)
{
    constexpr std::int64_t kMost = 1'000'000'000;
    // The spin box has an int, and one more must still be possible.
    const std::int64_t length = std::min(lengthOf(run), kMost - 1);
    askCount(*m_page.window(),
        { tr("Train %1 for longer").arg(runTitle(run)), howLongText(run),
            static_cast<int>(length + 1), static_cast<int>(kMost),
            static_cast<int>(std::min(2 * length, kMost)), tr("Resume") },
        [this, run](int wanted) { resumeFor(run, wanted, Damaged::Ask); });
}

void RunStart::askPastDamaged(const RunRecord& run, const ResumeChoice& choice, Length length)
{
    QStringList problems;
    for (const SavedCheckpoint& damaged : choice.damaged)
        problems << QString::fromStdString(damaged.problem.text());
    const QString from = choice.newest
        ? tr("step %1").arg(QString::fromStdString(formatCount(choice.newest->at.step)))
        : tr("the beginning");
    askQuestion(*m_page.window(),
        { tr("Resume run %1").arg(runNumber(run.id)), problems.join(QLatin1Char('\n')),
            choice.newest ? tr("The previous checkpoint, of %1, is intact.").arg(from)
                          : tr("This run has no other checkpoint."),
            tr("Resume from %1").arg(from), tr("Cancel") },
        [this, run, length] { resumeFor(run, length, Damaged::PassOver); });
}

void RunStart::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    Q_EMIT changed();
}

} // namespace accrue
