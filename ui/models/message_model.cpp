// SPDX-License-Identifier: Apache-2.0
#include "ui/models/message_model.h"

#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace accrue {

// Markers of the log arrive as the newest ones of the log, repeatedly, and are identified by their
// sequence, so that each is inserted once. Names of runs are stored beside the messages and not in
// their text: a run may be renamed, and a marker may arrive before the list that has its run.

namespace {

constexpr std::size_t kMostMessages = 500;

// The time only for today's messages, with the date for older ones.
QString timeOf(std::int64_t timeMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(timeMs);
    return time.date() == QDate::currentDate() ? time.toString(QStringLiteral("HH:mm:ss"))
                                               : timeText(timeMs);
}

} // namespace

void MessageModel::setMarkers(const MarkerList& latest)
{
    if (!continues(latest))
        forgetMarkers(); // messages about runs of the log before are void
    // The value before the loop, which raises m_lastSequence: the list is read from its oldest
    // marker.
    const std::int64_t last = m_lastSequence;
    for (auto marker = latest.rbegin(); marker != latest.rend(); ++marker) {
        if (marker->sequence <= last)
            continue;
        m_lastSequence = marker->sequence;
        m_lastTimeMs = marker->timeMs;
        insert({ { marker->timeMs, marker->run, marker->severity, messageText(marker->text) },
            marker->sequence, bareOutcome(*marker) });
    }
}

// Another program may have put another log at the same path. Its sequence is lower then, or its
// marker with our last number was written at another time.
bool MessageModel::continues(const MarkerList& latest) const
{
    if (m_lastSequence == 0)
        return true;
    if (latest.empty() || latest.front().sequence < m_lastSequence)
        return false;
    return std::ranges::none_of(latest, [this](const RunMarker& marker) {
        return marker.sequence == m_lastSequence && marker.timeMs != m_lastTimeMs;
    });
}

void MessageModel::forgetLog()
{
    forgetMarkers();
    m_runs.reset();
}

// This program's own messages remain, because they happened; but the runs that they name are not
// those of the next log.
void MessageModel::forgetMarkers()
{
    // From the last row, so that the numbers of the rows before it stay valid.
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

// Called with every step of a live run: a list with the same names changes nothing.
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
    // A binary search: a log may have thousands of runs, and every list looks up each name.
    const auto found = std::lower_bound(m_runs->begin(), m_runs->end(), run,
        [](const RunRecord& record, RunId id) { return record.id > id; }); // newest first
    return found != m_runs->end() && found->id == run ? found->name : std::string();
}

void MessageModel::say(const QString& text, RunMessage::Severity severity, std::optional<RunId> run)
{
    insert({ { QDateTime::currentMSecsSinceEpoch(), run, severity, text } });
}

std::vector<OwnMessage> MessageModel::own() const
{
    std::vector<OwnMessage> own;
    for (const Message& message : m_messages)
        if (message.sequence == 0)
            own.push_back(message);
    return own;
}

void MessageModel::addOwn(const std::vector<OwnMessage>& messages)
{
    for (auto message = messages.rbegin(); message != messages.rend(); ++message)
        insert({ *message });
}

void MessageModel::insert(const Message& message)
{
    // Sorted by time, because this program's messages and markers that are read later come in any
    // order.
    const auto place = std::find_if(m_messages.begin(), m_messages.end(),
        [&](const Message& other) { return other.timeMs <= message.timeMs; });
    const int row = static_cast<int>(place - m_messages.begin());
    if (message.run && !m_names.contains(*message.run))
        m_names[*message.run] = nameInList(*message.run);
    beginInsertRows({}, row, row);
    m_messages.insert(place, message);
    endInsertRows();
    // A window that is open for weeks must not grow without limit.
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
    if (severity == RunMessage::Severity::Error)
        return tr("Error: %1").arg(sentence);
    return severity == RunMessage::Severity::Warning ? tr("Warning: %1").arg(sentence) : sentence;
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
    return QStringList { tr("Time"), tr("Run"), tr("Message") }.value(section);
}

} // namespace accrue
