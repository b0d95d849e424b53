// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compare_tab.h"
#include "ui/histograms/histogram_feed.h"

#include <string>
#include <vector>

class QComboBox;

namespace accrue {

class ElidedLabel;
class HistogramView;
class RunLogFollower;
class RunSelection;
class SearchedBox;

// How the numbers of one parameter of the compared runs, or of its gradient, are distributed while
// they train. Read in the background, and only while the tab is seen. GUI thread.
class CompareHistograms : public CompareTab {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    CompareHistograms(
        const RunLogFollower& follower, RunSelection& selection, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setAsking(bool asking) override;
    void reset() override;
    bool drawsRecords() const override { return true; } // how far runs have come
    // The maps or, if its own menu was opened, the chart below them.
    PicturedChart* chart() const override { return m_pictured; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    bool drawsNumbers() const override { return true; }
    bool isZoomed() const override; // the chart below the maps
    void resetZoom() override;
    QCheckBox* logYBox() const override { return m_logY; } // of that chart, too
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    SearchedBox* parameterBox() const { return m_parameter; }
    QComboBox* ofBox() const { return m_of; } // values or gradients
    QCheckBox* sharedBox() const { return m_shared; } // one axis of values for all runs
    QCheckBox* outliersBox() const { return m_outliers; } // ignored
    HistogramView* view() const { return m_view; }
    ElidedLabel* notes() const { return m_notes; } // which runs have none
    HistogramFeed* feed() const { return m_feed; }

private:
    void layOut();
    void connectParts();
    void connectSelection();
    void ask();
    void draw();
    void takeScales();
    void offerParameters();
    HistogramOf of() const;
    HistogramPanels panels() const;
    QString whyNone() const;
    QStringList missing() const;

    const RunLogFollower& m_follower;
    RunSelection& m_selection;
    SearchedBox* m_parameter;
    QComboBox* m_of;
    QCheckBox* m_shared;
    QCheckBox* m_outliers;
    QCheckBox* m_logY;
    ElidedLabel* m_notes;
    HistogramView* m_view;
    PicturedChart* m_pictured;
    HistogramFeed* m_feed;
    std::vector<RunRecord> m_runs;
    Background m_background = Background::Light;
    std::string m_chosen; // parameter; remains while runs without it are compared
    std::string m_drawn; // parameter, and of what
    bool m_isAsking = false;
    QString m_problem; // of the last reading; empty: it succeeded
};

} // namespace accrue
