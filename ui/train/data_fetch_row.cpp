// SPDX-License-Identifier: Apache-2.0
#include "ui/train/data_fetch_row.h"

#include "engine/base/places.h"
#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr int kBarSteps = 1000;

// Files elsewhere that are not whole are the user's: what is fetched would not take their place.
bool canBeFetched(const DataSetStatus& status)
{
    using State = DataSetStatus::State;
    const bool ours = status.folder == downloadDirectory() / status.name;
    return status.state == State::Missing || (status.state == State::Damaged && ours);
}

QString progressText(const QString& title, const DownloadProgress& progress)
{
    const QString bytes =
        DataFetchRow::tr("%1 of %2").arg(bytesText(progress.bytes), bytesText(progress.totalBytes));
    switch (progress.phase) {
    case DownloadProgress::Phase::Checking:
        return DataFetchRow::tr("Checking %1…").arg(title);
    case DownloadProgress::Phase::Unpacking:
        return DataFetchRow::tr("Unpacking %1, %2").arg(title, bytes);
    case DownloadProgress::Phase::Downloading:
        break;
    }
    QStringList parts { DataFetchRow::tr("%1: %2").arg(title, bytes) };
    if (progress.bytesPerSecond >= 1)
        parts << DataFetchRow::tr("%1/s").arg(bytesText(std::llround(progress.bytesPerSecond)));
    if (progress.secondsLeft)
        parts << DataFetchRow::tr("%1 left").arg(durationText(std::ceil(*progress.secondsLeft)));
    return parts.join(DataFetchRow::tr(", "));
}

} // namespace

DataFetchRow::DataFetchRow(QWidget* parent)
    : QWidget(parent)
    , m_action(
          new QAction(themedIcon(QLatin1String("download")), tr("Download the data set"), this))
    , m_button(new QPushButton(m_action->text(), this))
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
    connect(m_action, &QAction::triggered, this, &DataFetchRow::begin);
    connect(m_button, &QPushButton::clicked, m_action, &QAction::trigger);
    connect(m_cancel, &QPushButton::clicked, &m_task, &Task::cancel);
    showParts();
}

// What the last attempt said is of interest only as long as its set is missing.
QString DataFetchRow::words() const
{
    const bool told =
        m_task.isRunning() || (m_action->isEnabled() && m_fetched.name == m_wanted.name);
    return told ? m_words->fullText() : QString();
}

void DataFetchRow::setNoneWanted()
{
    m_action->setEnabled(false);
    m_wanted = {};
    showParts();
}

void DataFetchRow::setWanted(const QString& title, const DataSetStatus& status)
{
    // No number of bytes: nobody publishes this set where Accrue could fetch it.
    const std::optional<std::int64_t> bytes = downloadBytes(status.name);
    if (!bytes || !canBeFetched(status))
        return setNoneWanted();
    m_wanted = { status.name, title };
    const QString text = tr("Download %1 (%2)").arg(title, bytesText(*bytes));
    m_action->setText(text);
    m_action->setToolTip(
        tr("Download the published files from the internet to %1")
            .arg(QString::fromStdString((downloadDirectory() / status.name).string())));
    m_button->setText(text);
    m_button->setToolTip(m_action->toolTip());
    m_action->setEnabled(!m_task.isRunning());
    showParts();
}

void DataFetchRow::begin()
{
    m_fetched = m_wanted;
    m_task.start([this, name = m_fetched.name](const Task::Job& job) { return fetched(name, job); },
        [this](const Message& problem) {
            finish({ DownloadResult::Outcome::Failed, {}, problem });
        });
    m_action->setEnabled(false);
    m_bar->setValue(0);
    m_words->setFullText(tr("%1: connecting…").arg(m_fetched.title));
    showParts();
    // The button that was pressed is hidden now, and the keyboard would go to some other field.
    m_cancel->setFocus(Qt::OtherFocusReason);
}

Task::News DataFetchRow::fetched(const std::string& name, const Task::Job& job)
{
    const DownloadWatcher watcher {
        [&](const DownloadProgress& progress) {
            job.post([this, progress] { showProgress(progress); });
        },
        [&](const Message& failedMirror) {
            job.post([this, failedMirror] {
                Q_EMIT said(messageText(failedMirror), RunMessage::Severity::Information);
            });
        },
    };
    const DownloadResult result =
        downloadDataSet({ name, downloadDirectory(), {} }, watcher, job.stopToken());
    return [this, result] { finish(result); };
}

void DataFetchRow::showProgress(const DownloadProgress& progress)
{
    const double share = progress.totalBytes > 0
        ? static_cast<double>(progress.bytes) / static_cast<double>(progress.totalBytes)
        : 0;
    m_bar->setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kBarSteps)));
    m_words->setFullText(progressText(m_fetched.title, progress));
    m_bar->setAccessibleName(m_words->fullText());
}

void DataFetchRow::finish(const DownloadResult& result)
{
    using Outcome = DownloadResult::Outcome;
    const bool wrong = result.outcome == Outcome::Failed || result.outcome == Outcome::Refused;
    const QString sentence = messageText(result.message);
    m_words->setFullText(sentence);
    // The set that is wanted now may be another than the one that was fetched.
    m_action->setEnabled(!m_wanted.name.empty());
    const bool focused = m_cancel->hasFocus();
    showParts();
    // showParts has hidden Cancel; back to the button that began.
    if (focused)
        m_button->setFocus(Qt::OtherFocusReason);
    Q_EMIT said(sentence, wrong ? RunMessage::Severity::Error : RunMessage::Severity::Information);
    Q_EMIT ended();
}

void DataFetchRow::showParts()
{
    const bool running = m_task.isRunning();
    const bool offered = m_action->isEnabled();
    m_button->setVisible(offered);
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
    m_words->setVisible(running);
    // The words about the data set stand in this place otherwise.
    setVisible(running || offered);
}

} // namespace accrue
