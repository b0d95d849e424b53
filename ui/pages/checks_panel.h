// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/experiment_check.h"

#include <QScrollArea>
#include <QString>

#include <optional>
#include <vector>

class QAction;
class QGridLayout;
class QPushButton;

namespace accrue {

// What the checks found, one sentence a line, each with its sign, and with a button where it is
// plain what would settle it. As high as its lines, until they would take the charts' room: then
// they scroll.
class ChecksPanel : public QScrollArea {
    Q_OBJECT
public:
    enum class Sign { Good, Note, Warning, Error };
    struct Line {
        Sign sign = Sign::Good;
        QString text;
        std::optional<Fix> fix;
        QAction* action = nullptr; // what else would settle it, instead of a fix; borrowed
        friend bool operator==(const Line&, const Line&) = default;
    };

    explicit ChecksPanel(QWidget* parent = nullptr);
    void setLines(std::vector<Line> lines);
    const std::vector<Line>& lines() const { return m_lines; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void fixAsked(const accrue::Fix& fix);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateScrollBar();
    void rebuild();
    void addLine(int row, const Line& line);
    QPushButton* makeButton(const Fix& fix);
    QPushButton* makeButton(QAction* action);
    QGridLayout* m_layout;
    std::vector<Line> m_lines;
};

// What `check` says: the batch first, then errors, then warnings.
std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check);

} // namespace accrue
