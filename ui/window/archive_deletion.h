// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QMessageBox>
#include <QObject>
#include <QPointer>

#include <vector>

class QAction;
class QWidget;

namespace accrue {

// “Delete archived runs…”: finds what can be deleted, requests confirmation, and deletes it
// permanently; likewise chosen runs, archived or not. Disabled, with the reason in its tooltip,
// while a run is being written or no run is archived. GUI thread.
class ArchiveDeletion : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    ArchiveDeletion(Backend& backend, QWidget& window);

    QAction* action() const { return m_action; }
    // The open question; null: there is none
    QMessageBox* question() const { return m_question; }
    void setWhyNotWrite(const QString& why); // into the log; empty: it can be written
    void askAbout(const std::vector<RunId>& runs); // and delete these, if the answer is yes

Q_SIGNALS:
    // How many runs, and how many bytes that freed; a warning if the log file could not be made
    // smaller.
    void runsDeleted(const QString& words, accrue::RunMessage::Severity severity);

private:
    void update();
    bool isAny(bool (*which)(const RunRecord& run)) const; // of the log's runs
    QString whyNotDelete() const; // any run; empty: it is possible
    QString whyNot() const; // the archived ones
    void look();
    void ask(const PrunableRuns& found);
    void tell(int runs, qint64 bytesFreed, const QString& notCompacted);

    Backend& m_backend;
    QWidget& m_window;
    QAction* m_action;
    QString m_whyNotWrite;
    QPointer<QMessageBox> m_question;
    bool m_asksOfChosen = false; // the open question; otherwise of the archived ones
};

} // namespace accrue
