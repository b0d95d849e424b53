// SPDX-License-Identifier: Apache-2.0
#include "ui/window/archive_deletion.h"

#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/widgets/questions.h"

#include <QAction>

#include <algorithm>

// Deleting requires the log's thread twice: once to find what can be deleted, for the question, and
// once to delete exactly those runs. In between the log may change, because the question is not
// modal: whatever makes deleting impossible closes the question, and a run that was archived
// meanwhile is not deleted with the others.

namespace accrue {

namespace {

constexpr std::size_t kMostNamed = 5;

// "a #2, b #1 and 3 more"
QString namesOf(const std::vector<RunRecord>& runs)
{
    QStringList names;
    for (std::size_t i = 0; i < std::min(runs.size(), kMostNamed); ++i)
        names.append(runTitle(runs[i]));
    const QString named = names.join(ArchiveDeletion::tr(", "));
    return runs.size() <= kMostNamed ? named
                                     : ArchiveDeletion::tr("%1 and %2 more")
                                           .arg(named, QString::number(runs.size() - kMostNamed));
}

} // namespace

ArchiveDeletion::ArchiveDeletion(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_backend(backend)
    , m_window(window)
    , m_action(makeAction(window,
          { "archive", tr("Delete archived runs…"), Qt::CTRL | Qt::SHIFT | Qt::Key_X,
              tr("Permanently delete the archived runs and their checkpoints") },
          [this] { look(); }))
{
    connect(&backend.log, &LogHost::prunableFound, this, &ArchiveDeletion::ask);
    connect(&backend.log, &LogHost::pruned, this, &ArchiveDeletion::tell);
    connect(&backend.controller, &RunController::stateChanged, this, &ArchiveDeletion::update);
    connect(&backend.follower, &RunLogFollower::runsChanged, this, &ArchiveDeletion::update);
    connect(&backend.follower, &RunLogFollower::fileChanged, this, [this] {
        delete m_question; // its numbers identify other runs now
        update();
    });
    update();
}

bool ArchiveDeletion::isAny(bool (*which)(const RunRecord& run)) const
{
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    return runs != nullptr && std::any_of(runs->begin(), runs->end(), which);
}

QString ArchiveDeletion::whyNotDelete() const
{
    if (!m_whyNotWrite.isEmpty())
        return m_whyNotWrite;
    // Deleting rewrites the file, and a run would have to wait for that.
    if (m_backend.controller.isActive() || isAny(isLive))
        return tr("A run is in progress. Stop it or wait for it to finish.");
    return {};
}

QString ArchiveDeletion::whyNot() const
{
    const QString why = whyNotDelete();
    if (why.isEmpty() && !isAny([](const RunRecord& run) { return run.archived; }))
        return tr("This log has no archived runs.");
    return why;
}

void ArchiveDeletion::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    update();
}

// Closes a question about something that has changed meanwhile.
void ArchiveDeletion::update()
{
    const QString why = whyNot();
    if (!(m_asksOfChosen ? whyNotDelete() : why).isEmpty())
        delete m_question;
    enable(*m_action, why);
}

// What can be deleted, and what that frees, is read on the log's thread: checkpoints are files.
void ArchiveDeletion::look()
{
    if (m_question != nullptr)
        m_question->activateWindow();
    else
        m_backend.log.findPrunable();
}

// The answer of the log's thread may arrive after a run has begun.
void ArchiveDeletion::ask(const PrunableRuns& found)
{
    if (found.runs.empty() || m_question != nullptr || !whyNot().isEmpty())
        return;
    std::vector<RunId> runs;
    for (const RunRecord& run : found.runs)
        runs.push_back(run.id);
    const QString which = countedText(
        static_cast<std::int64_t>(runs.size()), tr("1 archived run"), tr("%1 archived runs"));
    const QString what = runs.size() == 1
        ? tr("Frees the %1 of its checkpoint and its space in the log. This cannot be undone.")
        : tr(
            "Frees the %1 of their checkpoints and their space in the log. This cannot be undone.");
    m_asksOfChosen = false;
    m_question = askQuestion(m_window,
        { tr("Delete archived runs"), tr("Permanently delete %1?").arg(which),
            QStringLiteral("%1\n\n%2")
                .arg(namesOf(found.runs), what.arg(bytesText(found.checkpointBytes))),
            tr("Delete permanently"), tr("Cancel") },
        [this, runs] { m_backend.log.prune(runs); });
}

// Chosen by hand, so that their names are known; what it frees is reported afterwards.
void ArchiveDeletion::askAbout(const std::vector<RunId>& runs)
{
    const std::shared_ptr<const RunList> all = m_backend.follower.runs();
    if (all == nullptr || !whyNotDelete().isEmpty())
        return;
    std::vector<RunRecord> chosen;
    for (const RunId run : runs)
        if (const RunRecord* found = findRun(*all, run))
            chosen.push_back(*found);
    if (chosen.empty())
        return;
    delete m_question;
    m_asksOfChosen = true;
    const QString which =
        countedText(static_cast<std::int64_t>(chosen.size()), tr("1 run"), tr("%1 runs"));
    m_question = askQuestion(m_window,
        { tr("Delete runs"), tr("Permanently delete %1?").arg(which),
            QStringLiteral("%1\n\n%2")
                .arg(namesOf(chosen),
                    tr("Their settings, curves and checkpoints are deleted. This cannot be undone. "
                       "To "
                       "only hide them, archive them.")),
            tr("Delete permanently"), tr("Cancel") },
        [this, runs] { m_backend.log.prune(runs, Prunable::Any); });
}

void ArchiveDeletion::tell(int runs, qint64 bytesFreed, const QString& notCompacted)
{
    const QString which = m_asksOfChosen
        ? countedText(runs, tr("1 run"), tr("%1 runs"))
        : countedText(runs, tr("1 archived run"), tr("%1 archived runs"));
    m_backend.follower.refresh(); // at once, not at its next look
    const QString deleted = tr("Deleted %1; %2 freed.").arg(which, bytesText(bytesFreed));
    Q_EMIT runsDeleted(notCompacted.isEmpty()
            ? deleted
            : tr("%1 The log file could not be compacted: %2").arg(deleted, notCompacted),
        notCompacted.isEmpty() ? RunMessage::Severity::Information : RunMessage::Severity::Warning);
}

} // namespace accrue
