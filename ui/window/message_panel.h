// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QFrame>
#include <QSplitter>

class QAction;
class QLabel;
class QToolButton;
class QTreeView;

namespace accrue {

class ElidedLabel;
class MessageModel;

// The newest message in one line; opened, all of them. A click on one shows its run.
class MessagePanel : public QFrame {
    Q_OBJECT
public:
    // `model` and `action` are borrowed; the action is checkable and opens and closes the panel.
    MessagePanel(MessageModel& model, QAction* action, QWidget* parent = nullptr);

    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    QTreeView* view() const { return m_view; }

Q_SIGNALS:
    void openChanged(bool open);
    void runChosen(accrue::RunId run);

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void buildView();
    void showNewest();
    void showTip();

    MessageModel& m_model;
    QAction* m_action;
    QToolButton* m_toggle;
    QLabel* m_sign; // the severity of the newest one
    ElidedLabel* m_newest;
    QTreeView* m_view;
    bool m_open = false;
    QString m_seen; // the newest one when the panel was open last: it is no news any more
};

// The pages above, the messages below. Closed, the messages have one line and the pages the rest;
// opened, they have the height that the user set last.
class MessageSplitter : public QSplitter {
    Q_OBJECT
public:
    // Both become its children.
    MessageSplitter(QWidget* pages, MessagePanel* messages, QWidget* parent = nullptr);

    int openHeight() const { return m_openHeight; } // pixels; also while closed
    void setOpenHeight(int height);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    MessagePanel* m_messages;
    int m_openHeight;
};

} // namespace accrue
