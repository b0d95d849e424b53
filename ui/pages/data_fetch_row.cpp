// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_fetch_row.h"

#include "engine/experiment/places.h"
#include "ui/models/format.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"

#include <QAction>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

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
    case DownloadProgress::Phase::Fetching:
        break;
    }
    QStringList parts { DataFetchRow::tr("%1: %2").arg(title, bytes) };
    if (progress.bytesPerSecond >= 1)
        parts << DataFetchRow::tr("%1/s").arg(bytesText(std::llround(progress.bytesPerSecond)));
    if (progress.secondsLeft)
        parts << DataFetchRow::tr("%1 left").arg(durationText(std::ceil(*progress.secondsLeft)));
    return parts.join(QStringLiteral(", "));
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
    m_cancel->setToolTip(tr("Stop the download; what has arrived is kept for the next time"));
    m_words->setProperty("role", QStringLiteral("muted"));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_bar, 1);
    line->addWidget(m_cancel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_button);
    layout->addWidget(m_words);
    layout->addLayout(line);

    m_action->setEnabled(false);
    connect(m_action, &QAction::triggered, this, &DataFetchRow::begin);
    connect(m_button, &QPushButton::clicked, m_action, &QAction::trigger);
    connect(m_cancel, &QPushButton::clicked, &m_fetch, &DataFetch::cancel);
    connect(&m_fetch, &DataFetch::progressed, this, &DataFetchRow::showProgress);
    connect(&m_fetch, &DataFetch::said, this,
        [this](const QString& sentence) { Q_EMIT said(sentence, false); });
    connect(&m_fetch, &DataFetch::ended, this, &DataFetchRow::finish);
    showParts();
}

QString DataFetchRow::words() const
{
    const bool told = m_fetch.isRunning() || (m_action->isEnabled() && m_fetched == m_name);
    return told ? m_words->fullText() : QString();
}

void DataFetchRow::setNoneWanted()
{
    m_action->setEnabled(false);
    m_name.clear();
    showParts();
}

void DataFetchRow::setWanted(const QString& title, const DataSetStatus& status)
{
    const std::optional<std::int64_t> bytes = downloadBytes(status.name);
    if (!bytes || !canBeFetched(status))
        return setNoneWanted();
    m_name = status.name;
    m_title = title;
    const QString text = tr("Download %1 (%2)").arg(title, bytesText(*bytes));
    m_action->setText(text);
    m_action->setToolTip(tr("Fetch the published files from the internet into %1")
                             .arg(QString::fromStdString((downloadDirectory() / m_name).string())));
    m_button->setText(text);
    m_button->setToolTip(m_action->toolTip());
    m_action->setEnabled(!m_fetch.isRunning());
    showParts();
}

void DataFetchRow::begin()
{
    m_fetchedTitle = m_title;
    m_fetched = m_name;
    m_fetch.start(m_name);
    m_action->setEnabled(false);
    m_bar->setValue(0);
    m_words->setFullText(tr("%1: connecting…").arg(m_fetchedTitle));
    showParts();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

void DataFetchRow::showProgress(const DownloadProgress& progress)
{
    const double share = progress.totalBytes > 0
        ? static_cast<double>(progress.bytes) / static_cast<double>(progress.totalBytes)
        : 0;
    m_bar->setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kBarSteps)));
    m_words->setFullText(progressText(m_fetchedTitle, progress));
    m_bar->setAccessibleName(m_words->fullText());
}

void DataFetchRow::finish(const DownloadResult& result)
{
    using Outcome = DownloadResult::Outcome;
    const bool wrong = result.outcome == Outcome::Failed || result.outcome == Outcome::Refused;
    const QString sentence = QString::fromStdString(result.message);
    m_words->setFullText(sentence);
    m_action->setEnabled(!m_name.empty());
    const bool focused = m_cancel->hasFocus();
    showParts();
    if (focused)
        m_button->setFocus(Qt::OtherFocusReason);
    Q_EMIT said(sentence, wrong);
    Q_EMIT ended();
}

void DataFetchRow::showParts()
{
    const bool running = m_fetch.isRunning();
    const bool offered = m_action->isEnabled();
    m_button->setVisible(offered);
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
    m_words->setVisible(running);
    setVisible(running || offered);
}

} // namespace accrue
