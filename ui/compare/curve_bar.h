// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/grid_settings.h"

#include <QMap>
#include <QString>
#include <QWidget>

#include <set>
#include <string>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace accrue {

class RunSelection;
class SearchedBox;

// What all charts of a grid share: x axis, smoothing, bands; the button that adds charts, and
// the menu that keeps grids under names. GUI thread.
class CurveBar : public QWidget {
    Q_OBJECT
public:
    using Views = QMap<QString, CurveView>; // by name
    // Borrowed: views keep its groups, colours and lines, too.
    explicit CurveBar(RunSelection& selection, QWidget* parent = nullptr);

    void show(const GridSettings& settings); // emits nothing
    GridSettings settings() const { return m_settings; }
    void offer(const std::set<std::string>& metrics); // that there are
    void setHasMeans(bool any); // of groups; otherwise there is no choice of their bands

    const Views& views() const { return m_views; }
    void setViews(const Views& views) { m_views = views; }
    void saveView(const QString& name);
    void removeView(const QString& name);
    void applyView(const CurveView& view);

    SearchedBox* axisBox() const { return m_axis; }
    QComboBox* bandBox() const { return m_band; }
    QSlider* smoothingSlider() const { return m_smoothing; }
    QCheckBox* logXBox() const { return m_logX; }
    QCheckBox* logYBox() const { return m_logY; } // of all charts
    QToolButton* chartButton() const { return m_chart; }
    QToolButton* viewButton() const { return m_view; }

Q_SIGNALS:
    void changed(); // by the user
    void chartsAsked(); // by the button that adds them

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildAxis();
    void buildSmoothing();
    void buildBand();
    void buildMenus();
    void layOut();
    void showBand();
    void take(); // what the user has chosen
    void fillAxes();
    void fillViews();
    void askName();

    RunSelection& m_selection;
    GridSettings m_settings;
    Views m_views;
    std::set<std::string> m_metrics;
    bool m_isFilling = false;
    SearchedBox* m_axis = nullptr;
    QCheckBox* m_logX = nullptr;
    QCheckBox* m_logY = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingText = nullptr;
    QComboBox* m_band = nullptr;
    QToolButton* m_chart = nullptr;
    QToolButton* m_view = nullptr;
    QBoxLayout* m_rows = nullptr;
    bool m_hasMeans = false;
};

} // namespace accrue
