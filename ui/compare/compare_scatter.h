// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/points_tab.h"

#include <optional>

namespace accrue {

class NumberBox;

// The compared runs over any two of their numbers, with a third one or a setting as colour. GUI
// thread.
class CompareScatter : public PointsTab {
    Q_OBJECT
public:
    explicit CompareScatter(RunSelection& selection, QWidget* parent = nullptr); // borrowed

    QCheckBox* logXBox() const override { return m_logX; }
    QCheckBox* logYBox() const override { return m_logY; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    NumberBox* xBox() const { return m_x; }
    NumberBox* yBox() const { return m_y; }
    NumberBox* colorBox() const { return m_color; }
    QCheckBox* trendBox() const { return m_trend; }
    QToolButton* swapButton() const { return m_swap; }

protected:
    void draw() override;

private:
    void layOut();
    void connectParts();
    void findKeys();
    void offer();
    void swapAxes();
    void chooseScale(const NumberBox& box, QCheckBox& logarithmic, std::string& scaled);
    void setScale(QCheckBox& logarithmic, bool on);
    PointColors colors();
    const NumberColumn* shown(const NumberBox& box) const;

    NumberBox* m_y;
    NumberBox* m_x;
    QToolButton* m_swap;
    NumberBox* m_color;
    QCheckBox* m_logX;
    QCheckBox* m_logY;
    QCheckBox* m_trend;
    std::vector<RunGroupKey> m_keys; // that may be colours
    std::string m_coloredBy; // what m_colorRange is of
    std::optional<AxisRange> m_colorRange;
    bool m_isChoosing = false; // a scale, not the user
    std::string m_scaledX; // the number for which it was decided whether its axis is logarithmic
    std::string m_scaledY;
};

} // namespace accrue
