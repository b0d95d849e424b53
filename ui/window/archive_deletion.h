// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QMessageBox>
#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace accrue {

// “Delete archived runs…”: finds what can be deleted, requests confirmation, and deletes it
// permanently. Disabled, with the reason in its tooltip, while a run is being written or no run is
// archived. GUI thread.
class ArchiveDeletion : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    ArchiveDeletion(Backend& backend, QWidget& window);

    QAction* action() const { return m_action; }
    // The open question; null: there is none
    QMessageBox* question() const { return m_question; }
    void setWhyNotWrite(const QString& why); // into the log; empty: it can be written

Q_SIGNALS:
    // How many runs, and how many bytes that freed; a warning if the log file could not be made
    // smaller.
    void runsDeleted(const QString& words, accrue::RunMessage::Severity severity);

private:
    void update();
    QString whyNot() const; // empty: it is possible
    void look();
    void ask(const PrunableRuns& found);
    void tell(int runs, qint64 bytesFreed, const QString& notCompacted);

    Backend& m_backend;
    QWidget& m_window;
    QAction* m_action;
    QString m_whyNotWrite;
    QPointer<QMessageBox> m_question;
};

} // namespace accrue
