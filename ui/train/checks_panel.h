// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/experiment_check.h"

#include <QScrollArea>
#include <QString>

#include <optional>
#include <string>
#include <vector>

class QAction;
class QGridLayout;
class QLabel;
class QPushButton;

namespace accrue {

// What the checks found, one sentence per line, each with its icon, the field that it is about as a
// link, and a button if an obvious change would settle it. Its height does not follow its lines:
// more than fit scroll, so that nothing beside it moves when a finding appears or disappears.
class ChecksPanel : public QScrollArea {
    Q_OBJECT
public:
    enum class Sign { Good, Note, Warning, Error };
    struct Line {
        Sign sign = Sign::Good;
        QString text;
        std::optional<Fix> fix {};
        QAction* action = nullptr; // what else would settle it, instead of a fix; borrowed
        std::string key {}; // of the field that the text is about; empty: of none
        QString field {}; // what that field is called
        friend bool operator==(const Line&, const Line&) = default;
    };

    explicit ChecksPanel(QWidget* parent = nullptr);
    void setLines(std::vector<Line> lines);
    const std::vector<Line>& lines() const { return m_lines; }

    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override { return { 0, 88 }; } // four lines of words

Q_SIGNALS:
    void fixAsked(const accrue::Fix& fix);
    void fieldAsked(const std::string& key); // its link was followed

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateScrollBar();
    void rebuild();
    void addLine(int row, const Line& line);
    QLabel* makeText(const Line& line);
    QPushButton* makeButton(const Line& line);
    QGridLayout* m_layout;
    std::vector<Line> m_lines;
};

// The findings of `check` about `experiment`: errors, warnings, the plan, notes, with the labels of
// fields instead of keys.
std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check, const Experiment& experiment);

} // namespace accrue
