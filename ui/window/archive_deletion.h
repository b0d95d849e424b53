// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QMessageBox>
#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace accrue {

// “Delete archived runs…”: looks what there is, asks, and deletes them for good. Off, with the
// reason in its tooltip, while a run is being written and where none is archived. GUI thread.
class ArchiveDeletion : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    ArchiveDeletion(Backend& backend, QWidget& window);

    QAction* action() const { return m_action; }
    // The question that waits for an answer; null: none does.
    QMessageBox* question() const { return m_question; }
    void setWhyNotWrite(const QString& why); // into the log; empty: it can be written

Q_SIGNALS:
    // How many, and what that freed; a warning where the log could not be made smaller.
    void runsDeleted(const QString& words, accrue::RunMessage::Severity severity);

private:
    void update();
    QString whyNot() const; // empty: it can
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
