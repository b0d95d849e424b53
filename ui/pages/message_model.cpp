// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/message_model.h"

#include "engine/events/event_json.h"
#include "ui/models/run_words.h"
#include "ui/pages/icons.h"
#include "ui/pages/theme.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QPixmapCache>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr std::size_t kMostMessages = 500;

// Today's by the clock, older ones with their day.
QString timeOf(std::int64_t timeMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(timeMs);
    return time.date() == QDate::currentDate() ? time.toString(QStringLiteral("HH:mm:ss"))
                                               : time.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

// An ending that needs no reason is only a word in the log.
std::optional<RunOutcome> bareOutcome(const RunMarker& marker)
{
    if (marker.kind == RunMarker::Kind::Ended)
        for (const RunOutcome outcome : { RunOutcome::Completed, RunOutcome::Stopped,
                 RunOutcome::Diverged, RunOutcome::OutOfMemory, RunOutcome::Failed })
            if (marker.text == accrue::nameOf(outcome))
                return outcome;
    return std::nullopt;
}

QColor signColor(RunMessage::Severity severity)
{
    switch (severity) {
    case RunMessage::Severity::Error:
        return themeColors().error;
    case RunMessage::Severity::Warning:
        return themeColors().warning;
    case RunMessage::Severity::Information:
        break;
    }
    return themeColors().muted;
}

QLatin1String signName(RunMessage::Severity severity)
{
    switch (severity) {
    case RunMessage::Severity::Error:
        return QLatin1String("error");
    case RunMessage::Severity::Warning:
        return QLatin1String("warning");
    case RunMessage::Severity::Information:
        break;
    }
    return QLatin1String("info");
}

} // namespace

QPixmap severitySign(RunMessage::Severity severity)
{
    const QColor color = signColor(severity);
    const QString key = signName(severity) + color.name();
    QPixmap sign;
    if (!QPixmapCache::find(key, &sign)) { // it is asked for with every repaint
        sign = iconPixmap(signName(severity), color, 16, qApp->devicePixelRatio());
        QPixmapCache::insert(key, sign);
    }
    return sign;
}

MessageModel::MessageModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void MessageModel::setMarkers(const MarkerList& latest)
{
    if (!continues(latest))
        forgetMarkers(); // the runs of the log in its place were told of before
    const std::int64_t last = m_lastSequence;
    for (auto marker = latest.rbegin(); marker != latest.rend(); ++marker) {
        if (marker->sequence <= last)
            continue;
        m_lastSequence = marker->sequence;
        m_lastTimeMs = marker->timeMs;
        insert({ marker->timeMs, marker->sequence, marker->run, marker->severity,
            QString::fromStdString(marker->text), bareOutcome(*marker) });
    }
}

bool MessageModel::continues(const MarkerList& latest) const
{
    if (m_lastSequence == 0)
        return true;
    if (latest.empty() || latest.front().sequence < m_lastSequence)
        return false;
    return std::none_of(latest.begin(), latest.end(), [this](const RunMarker& marker) {
        return marker.sequence == m_lastSequence && marker.timeMs != m_lastTimeMs;
    });
}

void MessageModel::forgetLog()
{
    forgetMarkers();
    m_runs.reset();
}

void MessageModel::forgetMarkers()
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        Message& message = m_messages[static_cast<std::size_t>(row)];
        message.run.reset(); // its number means another run now
        if (message.sequence == 0)
            continue;
        beginRemoveRows({}, row, row);
        m_messages.erase(m_messages.begin() + row);
        endRemoveRows();
    }
    m_lastSequence = 0;
    m_names.clear();
    if (!m_messages.empty())
        Q_EMIT dataChanged(index(0, Run), index(rowCount() - 1, Text));
}

// Called with every step of a live run: a list that names all as before changes nothing.
void MessageModel::setRuns(std::shared_ptr<const RunList> runs)
{
    m_runs = std::move(runs);
    bool renamed = false;
    for (auto& [run, name] : m_names) {
        const std::string now = nameInList(run);
        renamed = renamed || now != name;
        name = now;
    }
    if (renamed)
        Q_EMIT dataChanged(index(0, Run), index(rowCount() - 1, Text));
}

std::string MessageModel::nameInList(RunId run) const
{
    if (m_runs == nullptr)
        return {};
    const auto found = std::lower_bound(m_runs->begin(), m_runs->end(), run,
        [](const RunRecord& record, RunId id) { return record.id > id; }); // newest first
    return found != m_runs->end() && found->id == run ? found->name : std::string();
}

void MessageModel::say(const QString& text, RunMessage::Severity severity, std::optional<RunId> run)
{
    insert({ QDateTime::currentMSecsSinceEpoch(), 0, run, severity, text, std::nullopt });
}

void MessageModel::insert(const Message& message)
{
    const auto place = std::find_if(m_messages.begin(), m_messages.end(),
        [&](const Message& other) { return other.timeMs <= message.timeMs; });
    const int row = static_cast<int>(place - m_messages.begin());
    if (message.run && !m_names.contains(*message.run))
        m_names[*message.run] = nameInList(*message.run);
    beginInsertRows({}, row, row);
    m_messages.insert(place, message);
    endInsertRows();
    if (m_messages.size() <= kMostMessages)
        return;
    beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
    m_messages.pop_back();
    endRemoveRows();
}

QString MessageModel::newest() const
{
    if (m_messages.empty())
        return {};
    const Message& message = m_messages.front();
    return message.run && !message.outcome
        ? tr("%1: %2").arg(nameOf(*message.run), sentenceOf(message))
        : sentenceOf(message);
}

QString MessageModel::newestSpoken() const
{
    return m_messages.empty() ? QString() : spoken(m_messages.front().severity, newest());
}

QString MessageModel::spoken(RunMessage::Severity severity, const QString& sentence)
{
    switch (severity) {
    case RunMessage::Severity::Error:
        return tr("Error: %1").arg(sentence);
    case RunMessage::Severity::Warning:
        return tr("Warning: %1").arg(sentence);
    case RunMessage::Severity::Information:
        break;
    }
    return sentence;
}

QString MessageModel::sentenceOf(const Message& message) const
{
    return message.run && message.outcome
        ? tr("%1 has ended: %2.").arg(nameOf(*message.run), outcomeText(*message.outcome))
        : message.text;
}

QString MessageModel::nameOf(RunId run) const
{
    const auto found = m_names.find(run);
    const bool named = found != m_names.end() && !found->second.empty();
    return named ? runTitle(found->second, run) : runNumber(run);
}

int MessageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_messages.size());
}

int MessageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MessageModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Message& message = m_messages[static_cast<std::size_t>(index.row())];
    if (role == RunIdRole)
        return message.run ? QVariant::fromValue(qint64 { numberOf(*message.run) }) : QVariant();
    if (role == SeverityRole)
        return static_cast<int>(message.severity);
    if (role == Qt::ToolTipRole && index.column() == Text)
        return sentenceOf(message);
    if (role == Qt::AccessibleTextRole && index.column() == Text)
        return spoken(message.severity, sentenceOf(message));
    if (role == Qt::DecorationRole && index.column() == Text)
        return severitySign(message.severity);
    if (role == Qt::ForegroundRole && index.column() != Text)
        return themeColors().muted;
    if (role == Qt::ForegroundRole)
        return message.severity == RunMessage::Severity::Information
            ? QVariant()
            : QVariant(signColor(message.severity));
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Time)
        return timeOf(message.timeMs);
    if (index.column() == Run)
        return message.run ? nameOf(*message.run) : QString();
    return sentenceOf(message);
}

QVariant MessageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Run:
        return tr("Run");
    default:
        return tr("Message");
    }
}

} // namespace accrue
