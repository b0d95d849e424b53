// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/points_tab.h"
#include "ui/relations/pareto_picture.h"

#include <array>
#include <optional>

class QPushButton;

namespace accrue {

class NumberBox;

// Which of the compared runs no other one beats in two or three numbers at once. GUI thread.
class ComparePareto : public PointsTab {
    Q_OBJECT
public:
    explicit ComparePareto(RunSelection& selection, QWidget* parent = nullptr); // borrowed

    QCheckBox* logXBox() const override { return m_logX; }
    QCheckBox* logYBox() const override { return m_logY; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    // Of y, x and the third number, which is the colour.
    static constexpr std::size_t kGoals = 3;
    NumberBox* numberBox(std::size_t goal) const { return m_goals.at(goal).number; }
    QToolButton* directionButton(std::size_t goal) const { return m_goals.at(goal).direction; }
    QPushButton* selectButton() const { return m_select; }
    const ParetoPicture& picture() const { return m_picture; }

protected:
    void draw() override;

private:
    struct Goal {
        NumberBox* number = nullptr;
        QToolButton* direction = nullptr;
        Better better = Better::Lower;
        std::optional<Better> chosen {}; // by the user; empty: as usual for the number
    };
    void build(Goal& goal, const QString& purpose);
    void layOut();
    void offer();
    void showDirection(Goal& goal);
    const NumberColumn* shown(const Goal& goal) const;
    std::vector<ParetoGoal> goals() const; // of x, y and the third; empty: there are no two
    void describe(const std::vector<ParetoGoal>& goals);

    std::array<Goal, kGoals> m_goals;
    QCheckBox* m_logX;
    QCheckBox* m_logY;
    QPushButton* m_select;
    ParetoPicture m_picture;
    std::string m_coloredBy; // what m_colorRange is of
    std::optional<AxisRange> m_colorRange;
};

} // namespace accrue
