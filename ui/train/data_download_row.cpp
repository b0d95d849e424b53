// SPDX-License-Identifier: Apache-2.0
#include "ui/train/data_download_row.h"

#include "engine/base/places.h"
#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace accrue {

namespace {

constexpr int kBarSteps = 1000;

// Incomplete files elsewhere are the user's: a download would not replace them.
bool canBeDownloaded(const DataSetStatus& status)
{
    using State = DataSetStatus::State;
    return status.state == State::Missing
        || (status.state == State::Damaged && status.folder == downloadDirectory() / status.name);
}

QString progressText(const QString& title, const DownloadProgress& progress)
{
    using Row = DataDownloadRow;
    if (progress.phase == DownloadProgress::Phase::Checking)
        return Row::tr("Checking %1…").arg(title);
    const QString bytes =
        Row::tr("%1 of %2").arg(bytesText(progress.bytes), bytesText(progress.totalBytes));
    if (progress.phase == DownloadProgress::Phase::Unpacking)
        return Row::tr("Unpacking %1, %2").arg(title, bytes);
    QStringList parts { Row::tr("%1: %2").arg(title, bytes) };
    if (progress.bytesPerSecond >= 1)
        parts << Row::tr("%1/s").arg(bytesText(std::llround(progress.bytesPerSecond)));
    if (progress.secondsLeft)
        parts << Row::tr("%1 left").arg(durationText(std::ceil(*progress.secondsLeft)));
    return parts.join(Row::tr(", "));
}

} // namespace

DataDownloadRow::DataDownloadRow(QWidget* parent)
    : QWidget(parent)
    , m_action(
          new QAction(themedIcon(QLatin1String("download")), tr("Download the data set"), this))
    , m_button(new QPushButton(this))
    , m_bar(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_words(new ElidedLabel(this))
{
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_cancel->setProperty("compact", true);
    m_cancel->setToolTip(tr("Stop the download; the downloaded part is stored and used next time"));
    m_words->setProperty("role", QStringLiteral("muted"));
    QHBoxLayout* line = makeRow(nullptr, { m_bar, m_cancel });
    line->setStretchFactor(m_bar, 1);
    makeColumn(this, { m_button, m_words }, {}, 2)->addLayout(line);

    m_action->setEnabled(false);
    connect(m_action, &QAction::triggered, this, &DataDownloadRow::begin);
    connect(m_button, &QPushButton::clicked, m_action, &QAction::trigger);
    connect(m_cancel, &QPushButton::clicked, &m_task, &Task::cancel);
    showParts();
}

// The result of the last attempt is of interest only as long as its set is missing.
QString DataDownloadRow::words() const
{
    const bool told = m_task.isRunning() || (m_action->isEnabled() && m_last.name == m_wanted.name);
    return told ? m_words->fullText() : QString();
}

void DataDownloadRow::setNoneWanted()
{
    m_action->setEnabled(false);
    m_wanted = {};
    showParts();
}

void DataDownloadRow::setWanted(const QString& title, const DataSetStatus& status)
{
    // No number of bytes: nobody publishes this set where Accrue could download it.
    const std::optional<std::int64_t> bytes = downloadBytes(status.name);
    if (!bytes || !canBeDownloaded(status))
        return setNoneWanted();
    m_wanted = { status.name, title };
    m_action->setText(tr("Download %1 (%2)").arg(title, bytesText(*bytes)));
    m_action->setToolTip(
        tr("Download the published files from the internet to %1")
            .arg(QString::fromStdString((downloadDirectory() / status.name).string())));
    m_action->setEnabled(!m_task.isRunning());
    showParts();
}

void DataDownloadRow::begin()
{
    // A copy, because the form may choose another set during the download.
    m_last = m_wanted;
    m_task.start([this, name = m_last.name](const Task::Job& job) { return download(name, job); },
        [this](const Message& problem) {
            finish({ DownloadOutcome::Failed, {}, problem });
        });
    m_action->setEnabled(false);
    m_bar->setValue(0);
    m_words->setFullText(tr("%1: connecting…").arg(m_last.title));
    showParts();
    // The pressed button is hidden now, and the focus would move to some other field.
    m_cancel->setFocus(Qt::OtherFocusReason);
}

// On the task's thread. Into the user's own data directory; what has arrived when it is cancelled
// is stored for the next time.
Task::News DataDownloadRow::download(const std::string& name, const Task::Job& job)
{
    const DownloadWatcher watcher {
        [&](const DownloadProgress& progress) {
            job.post([this, progress] { showProgress(progress); });
        },
        [&](const Message& failure) {
            job.post([this, failure] {
                Q_EMIT reported(messageText(failure), RunMessage::Severity::Information);
            });
        },
    };
    const DownloadResult result =
        downloadDataSet({ name, downloadDirectory(), {} }, watcher, job.stopToken());
    return [this, result] { finish(result); };
}

void DataDownloadRow::showProgress(const DownloadProgress& progress)
{
    const double share =
        static_cast<double>(progress.bytes) / static_cast<double>(progress.totalBytes);
    m_bar->setValue(static_cast<int>(std::lround(share * kBarSteps)));
    m_words->setFullText(progressText(m_last.title, progress));
    m_bar->setAccessibleName(m_words->fullText());
}

void DataDownloadRow::finish(const DownloadResult& result)
{
    const bool wrong =
        result.outcome == DownloadOutcome::Failed || result.outcome == DownloadOutcome::Refused;
    const QString sentence = messageText(result.message);
    m_words->setFullText(sentence);
    // The required set may be another one than the downloaded one.
    m_action->setEnabled(!m_wanted.name.empty());
    const bool focused = m_cancel->hasFocus();
    showParts();
    // showParts has hidden Cancel; the focus returns to the button that began.
    if (focused)
        m_button->setFocus(Qt::OtherFocusReason);
    Q_EMIT reported(
        sentence, wrong ? RunMessage::Severity::Error : RunMessage::Severity::Information);
    Q_EMIT ended();
}

void DataDownloadRow::showParts()
{
    const bool running = m_task.isRunning();
    const bool offered = m_action->isEnabled();
    m_button->setVisible(offered);
    m_button->setText(m_action->text());
    m_button->setToolTip(m_action->toolTip());
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
    m_words->setVisible(running);
    // The words about the data set are otherwise in this place.
    setVisible(running || offered);
}

} // namespace accrue
