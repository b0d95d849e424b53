// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QFrame>

class QAction;
class QLabel;
class QToolButton;
class QTreeView;

namespace accrue {

class ElidedLabel;
class MessageModel;

// The newest message in one line; opened, all of them. A click on one goes to its run.
class MessagePanel : public QFrame {
    Q_OBJECT
public:
    // `model` and `action` are borrowed; the action is checkable and opens and closes the panel.
    MessagePanel(MessageModel& model, QAction* action, QWidget* parent = nullptr);

    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    int closedHeight() const;
    int leastOpenHeight() const;
    QTreeView* view() const { return m_view; }

Q_SIGNALS:
    void openChanged(bool open);
    void runChosen(accrue::RunId run);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showNewest();
    void showSeverity(RunMessage::Severity severity);
    void showTip();
    void buildView(MessageModel& model);

    MessageModel& m_model;
    QAction* m_action;
    QToolButton* m_toggle;
    QLabel* m_sign; // of the newest one's severity
    ElidedLabel* m_newest;
    QTreeView* m_view;
    bool m_open = false;
};

} // namespace accrue
