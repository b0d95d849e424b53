// SPDX-License-Identifier: Apache-2.0
#include "ui/window/import_links.h"

#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/run/log_words.h"
#include "ui/runs/runs_page.h"
#include "ui/widgets/notice_slot.h"

#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

// Files that are dropped, or dragged; empty: none is.
QStringList filesIn(const QMimeData& data)
{
    QStringList files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

QString textOf(const ImportOutcome& outcome, const QString& from, bool wasCancelled)
{
    const QString text = wasCancelled
        ? ImportLinks::tr("The import of %1 was cancelled: %2 added, %3 brought up to date, "
                          "%4 unchanged.")
        : ImportLinks::tr("Imported %1: %2 added, %3 brought up to date, %4 unchanged.");
    return text.arg(QDir::toNativeSeparators(from), countText(outcome.counts[0]),
        countText(outcome.counts[1]), countText(outcome.counts[2]));
}

} // namespace

ImportLinks::ImportLinks(Backend& backend, const Place& place, QAction& action)
    : QObject(&place.window)
    , m_backend(backend)
    , m_place(place)
    , m_action(action)
    , m_importer(backend.log)
{
    connect(&m_action, &QAction::triggered, this, [this] { open(); });
    m_place.window.setAcceptDrops(true);
    m_place.window.installEventFilter(this);
    connectImporter();
    connect(&m_backend.follower, &RunLogFollower::runsChanged, this, &ImportLinks::selectImported);
    connect(&m_backend.follower, &RunLogFollower::fileChanged, this, [this] {
        m_toSelect.clear(); // in this log, other runs have these numbers
        delete m_dialog;
    });
}

ImportLinks::~ImportLinks()
{
    delete m_dialog; // which uses m_reading
}

void ImportLinks::connectImporter()
{
    NoticeSlot& notice = NoticeSlot::of(m_place.window);
    connect(&m_importer, &RunImporter::started, this, [this, &notice](const QString& path) {
        notice.begin(m_importer, tr("Importing %1 …").arg(QDir::toNativeSeparators(path)),
            [this] { m_importer.cancel(); });
        enable(m_action, whyNot());
    });
    connect(&m_importer, &RunImporter::progressed, this,
        [this, &notice](double share) { notice.advance(m_importer, share); });
    connect(&m_importer, &RunImporter::finished, this, &ImportLinks::tellOf);
    connect(&m_importer, &RunImporter::failed, this,
        [this, &notice](const QString& problem, bool isDamaged) {
            Q_EMIT reported(problem, RunMessage::Severity::Error);
            if (isDamaged)
                notice.reportProblem(problem, tr("Import the others"), [this] {
                    m_wishes.leavesDamagedOut = true;
                    start(m_plan, m_wishes);
                });
            else
                notice.reportProblem(problem);
        });
    connect(&m_importer, &RunImporter::ended, this, [this, &notice] {
        notice.end(m_importer);
        enable(m_action, whyNot());
    });
}

// ---- the dialog -------------------------------------------------------------------------------

void ImportLinks::open(const std::filesystem::path& path)
{
    if (const QString why = whyNot(); !why.isEmpty()) // a drop comes at any time
        return NoticeSlot::of(m_place.window).reportProblem(why);
    if (m_dialog == nullptr) {
        m_dialog = new ImportDialog(m_place.window, m_backend.log.file(), m_reading);
        connect(m_dialog, &ImportDialog::importRequested, this, &ImportLinks::start);
    }
    if (!path.empty())
        m_dialog->look(path);
    m_dialog->show();
    m_dialog->activateWindow();
}

void ImportLinks::start(const std::shared_ptr<const ImportPlan>& plan, const ImportWishes& wishes)
{
    m_plan = plan;
    m_wishes = wishes;
    m_place.show(m_place.runs);
    m_importer.start(plan, wishes);
}

QString ImportLinks::whyNot() const
{
    return m_importer.isRunning() ? tr("An import is in progress. Wait until it has ended.")
                                  : m_whyNotWrite;
}

void ImportLinks::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    enable(m_action, whyNot());
}

// ---- dropping ---------------------------------------------------------------------------------

bool ImportLinks::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_place.window
        || (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop))
        return QObject::eventFilter(watched, event);
    auto* const drag = static_cast<QDropEvent*>(event); // a QDragEnterEvent is one, too
    if (filesIn(*drag->mimeData()).isEmpty())
        return false;
    drag->acceptProposedAction();
    if (event->type() == QEvent::Drop)
        drop(*drag->mimeData());
    return true;
}

void ImportLinks::drop(const QMimeData& data)
{
    const QStringList files = filesIn(data);
    if (files.size() > 1)
        NoticeSlot::of(m_place.window)
            .reportProblem(tr("Drop one file or folder at a time; several runs of TensorBoard are "
                              "imported by the folder that contains them."));
    else if (files.front().endsWith(QLatin1String(".toml"), Qt::CaseInsensitive))
        m_place.openRecipe(files.front());
    else
        open(files.front().toStdString());
}

// ---- what was imported ------------------------------------------------------------------------

void ImportLinks::tellOf(const ImportOutcome& outcome, bool wasCancelled)
{
    const QString text =
        textOf(outcome, QString::fromStdString(m_plan->path.string()), wasCancelled);
    for (const Message& problem : outcome.problems)
        Q_EMIT reported(
            inWindow(QString::fromStdString(problem.text())), RunMessage::Severity::Warning);
    Q_EMIT reported(text, RunMessage::Severity::Information);
    const QString problems = outcome.problems.empty() ? QString()
                                                      : QLatin1Char(' ')
            + countedText(static_cast<std::int64_t>(outcome.problems.size()),
                tr("1 problem is in the messages."), tr("%1 problems are in the messages."));
    NoticeSlot::of(m_place.window).tell(text + problems, tr("Show the runs"), [this] {
        m_place.show(m_place.runs);
    });
    m_toSelect = outcome.runs;
    m_backend.follower.refresh();
}

// The list that comes next may have been read before the last run was written.
void ImportLinks::selectImported()
{
    const auto isListed = [this](RunId run) { return m_place.runs.model().find(run) != nullptr; };
    if (m_toSelect.empty() || !std::ranges::all_of(m_toSelect, isListed))
        return;
    m_place.runs.selectRuns(std::exchange(m_toSelect, {}));
}

} // namespace accrue
