// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/run/run_log_follower.h"

#include <QAbstractTableModel>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A message of this program, in the wording in which it was shown.
struct OwnMessage {
    std::int64_t timeMs = 0;
    std::optional<RunId> run;
    RunMessage::Severity severity = RunMessage::Severity::Information;
    QString text;
};

// What happened, newest first: the markers of the run log and this program's own messages.
class MessageModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Run, Text, ColumnCount };
    enum Role {
        RunIdRole = Qt::UserRole, // qint64
        SeverityRole // RunMessage::Severity as int; the view chooses icon and colour
    };

    using QAbstractTableModel::QAbstractTableModel;

    // Newest first. A list that cannot belong to the same log, because its markers are gone or
    // different, counts as that of another log at the same path.
    void setMarkers(const MarkerList& latest);
    void forgetLog(); // for another log: removes what was shown of this one
    void setRuns(std::shared_ptr<const RunList> runs); // for their names
    // Adds a message of the program's own, with the time of now.
    void say(const QString& text, RunMessage::Severity severity = RunMessage::Severity::Information,
        std::optional<RunId> run = std::nullopt);
    std::vector<OwnMessage> own() const; // newest first
    void addOwn(const std::vector<OwnMessage>& messages); // of another window of this program
    QString newest() const; // with its run; empty: there is no message
    // The same for those who cannot see the icon of its severity: "Error: …".
    QString newestSpoken() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Message : OwnMessage {
        std::int64_t sequence = 0; // of the log; 0: the program's own
        std::optional<RunOutcome> outcome {}; // of an ending that needs no reason
    };
    void forgetMarkers();
    void insert(const Message& message);
    bool continues(const MarkerList& latest) const;
    std::string nameInList(RunId run) const; // empty: it is not there
    QString nameOf(RunId run) const;
    QString sentenceOf(const Message& message) const;
    static QString spoken(RunMessage::Severity severity, const QString& sentence);

    std::vector<Message> m_messages; // newest first
    std::shared_ptr<const RunList> m_runs; // null: not received yet
    std::map<RunId, std::string> m_names; // of the runs that messages are about
    std::int64_t m_lastSequence = 0;
    std::int64_t m_lastTimeMs = 0; // of the marker with that number
};

} // namespace accrue
