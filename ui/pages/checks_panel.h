// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/experiment_check.h"

#include <QFrame>
#include <QString>

#include <vector>

class QGridLayout;

namespace accrue {

// What the checks found, one sentence a line, each with its sign.
class ChecksPanel : public QFrame {
    Q_OBJECT
public:
    enum class Sign { Good, Note, Warning, Error };
    struct Line {
        Sign sign = Sign::Good;
        QString text;
        friend bool operator==(const Line&, const Line&) = default;
    };

    explicit ChecksPanel(QWidget* parent = nullptr);
    void setLines(std::vector<Line> lines);
    const std::vector<Line>& lines() const { return m_lines; }

private:
    void rebuild();
    QGridLayout* m_layout;
    std::vector<Line> m_lines;
};

// What `check` says, the batch first.
std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check);

} // namespace accrue
