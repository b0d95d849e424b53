// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/archive_deletion.h"

#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/pages/icons.h"
#include "ui/pages/questions.h"

#include <QAction>
#include <QMessageBox>

#include <algorithm>

namespace accrue {

namespace {

constexpr std::size_t kMostNamed = 5;

} // namespace

// "a #2, b #1 and 3 more"
QString ArchiveDeletion::namesOf(const std::vector<RunRecord>& runs)
{
    QStringList names;
    for (std::size_t i = 0; i < std::min(runs.size(), kMostNamed); ++i)
        names.append(runTitle(runs[i]));
    const QString named = names.join(QStringLiteral(", "));
    return runs.size() <= kMostNamed
        ? named
        : tr("%1 and %2 more").arg(named, QString::number(runs.size() - kMostNamed));
}

ArchiveDeletion::ArchiveDeletion(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_backend(backend)
    , m_window(window)
    , m_action(
          new QAction(themedIcon(QLatin1String("archive")), tr("Delete archived runs…"), &window))
{
    m_action->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_X);
    connect(m_action, &QAction::triggered, this, &ArchiveDeletion::look);
    connect(&backend.log, &LogHost::prunableFound, this, &ArchiveDeletion::ask);
    connect(&backend.log, &LogHost::pruned, this, &ArchiveDeletion::tell);
    connect(&backend.controller, &RunController::stateChanged, this, &ArchiveDeletion::update);
    connect(&backend.follower, &RunLogFollower::runsChanged, this, &ArchiveDeletion::update);
    connect(&backend.follower, &RunLogFollower::fileChanged, this, &ArchiveDeletion::update);
    update();
}

QMessageBox* ArchiveDeletion::question() const
{
    return m_question;
}

QString ArchiveDeletion::whyNot() const
{
    if (!m_whyNotWrite.isEmpty())
        return m_whyNotWrite;
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    const auto any = [&](auto which) {
        return runs != nullptr && std::any_of(runs->begin(), runs->end(), which);
    };
    // Deleting rewrites the file, and the run would wait for that.
    if (m_backend.controller.isActive() || any(isLive))
        return tr("A run is being written into this log. Stop it, or wait until it has ended.");
    if (!any([](const RunRecord& run) { return run.archived; }))
        return tr("No run of this log is archived.");
    return {};
}

void ArchiveDeletion::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    update();
}

// A question about what has changed meanwhile is taken back.
void ArchiveDeletion::update()
{
    const QString why = whyNot();
    if (!why.isEmpty())
        delete m_question;
    const QString tip =
        why.isEmpty() ? tr("Delete the archived runs and their checkpoints for good") : why;
    if (tip == m_tip)
        return;
    m_tip = tip;
    m_action->setEnabled(why.isEmpty());
    m_action->setToolTip(tip);
}

void ArchiveDeletion::look()
{
    if (m_question != nullptr)
        m_question->activateWindow();
    else
        m_backend.log.findPrunable();
}

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
        ? tr("Its checkpoint takes %1, which is freed with what the run takes in the log. This "
             "cannot be undone.")
        : tr("Their checkpoints take %1, which is freed with what the runs take in the log. This "
             "cannot be undone.");
    m_question = askQuestion(m_window,
        { tr("Delete archived runs"), tr("Delete %1 for good?").arg(which),
            QStringLiteral("%1\n\n%2")
                .arg(namesOf(found.runs), what.arg(bytesText(found.checkpointBytes))),
            tr("Delete for good"), tr("Keep") },
        [this, runs] { m_backend.log.prune(runs); });
}

void ArchiveDeletion::tell(int runs, qint64 bytesFreed, const QString& notCompacted)
{
    const QString which = countedText(runs, tr("1 archived run"), tr("%1 archived runs"));
    m_backend.follower.refresh();
    const QString deleted = tr("Deleted %1; %2 freed.").arg(which, bytesText(bytesFreed));
    Q_EMIT runsDeleted(notCompacted.isEmpty()
            ? deleted
            : tr("%1 The log itself could not be made smaller: %2").arg(deleted, notCompacted),
        notCompacted.isEmpty() ? RunMessage::Severity::Information : RunMessage::Severity::Warning);
}

} // namespace accrue
