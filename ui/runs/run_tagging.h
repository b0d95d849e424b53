// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/runs/tag_dialog.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <string>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class RunListView;
class RunLogFollower;
class RunUndo;

// Changes the tags of the selected runs. GUI thread.
class RunTagging : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this; the shortcut works in `page`.
    RunTagging(
        const RunLogFollower& follower, const RunListView& list, RunUndo& undo, QWidget& page);

    QAction* action() const { return m_action; }
    TagDialog* dialog() const { return m_dialog; } // null: it is not open
    void update(const QString& whyNotWrite); // by what is selected now

Q_SIGNALS:
    // Only the changes: the command line may have changed other tags meanwhile.
    void tagsRequested(accrue::RunId run, const std::vector<std::string>& added,
        const std::vector<std::string>& removed);

private:
    struct Change {
        RunId run {};
        std::vector<std::string> added;
        std::vector<std::string> removed;
    };

    void ask();
    void apply(const std::vector<RunId>& runs, const std::vector<std::string>& added,
        const std::vector<std::string>& removed);
    QString wordsFor(const std::vector<RunId>& runs) const;

    const RunLogFollower& m_follower;
    const RunListView& m_list;
    RunUndo& m_undo;
    QWidget& m_page;
    QAction* m_action;
    QPointer<TagDialog> m_dialog;
};

} // namespace accrue
