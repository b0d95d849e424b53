// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace accrue {

// Changes the tags of some runs: a line for tags to add, which completes those that the log has,
// and a list in which each is checked, partly if only some of the runs have it. Not modal; deletes
// itself. GUI thread.
class TagDialog : public QDialog {
    Q_OBJECT
public:
    struct Tag {
        std::string name;
        int used = 0; // by runs of the log
        Qt::CheckState state = Qt::Unchecked; // of the runs that are changed
    };

    // `what`: the runs, in words. `tags`: of the log, in the order shown.
    TagDialog(QWidget& window, const QString& what, const std::vector<Tag>& tags);

    QLineEdit* line() const { return m_line; }
    QListWidget* list() const { return m_list; }
    QLabel* problem() const { return m_problem; } // why the line cannot be accepted

Q_SIGNALS:
    // To be added to those runs that lack them, and removed from those that have them.
    void saved(const std::vector<std::string>& added, const std::vector<std::string>& removed);

private:
    void fill(const std::vector<Tag>& tags);
    void complete(const std::vector<Tag>& tags);
    void save();

    QLineEdit* m_line;
    QLabel* m_problem;
    QListWidget* m_list;
};

} // namespace accrue
