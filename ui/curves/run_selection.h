// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/curves/curve_groups.h"
#include "ui/curves/run_styling.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What all tabs of a comparison share: which runs are compared, hidden, selected and pointed at.
// Each tab shows it and changes it here, never in another tab. GUI thread.
class RunSelection : public QObject {
    Q_OBJECT
public:
    using Runs = std::vector<RunId>;
    using QObject::QObject;

    // In their order; those that stay keep being hidden or selected.
    void setRuns(const Runs& runs);
    const Runs& runs() const { return m_runs; }

    bool isShown(RunId run) const;
    void setHidden(const Runs& runs, bool hidden);
    void showAlone(const Runs& runs); // again: all are shown
    void showAll();

    // By a click in the list or a frame around points.
    void select(const Runs& runs);
    const Runs& selected() const { return m_selected; }

    // The mouse is over them, in whichever view.
    void pointAt(const Runs& runs);
    const Runs& pointedAt() const { return m_pointedAt; }

    // The run that differences are shown to, which may be none of those that are compared.
    void setBaseline(std::optional<RunId> run);
    std::optional<RunId> baseline() const { return m_baseline; }

    // Which runs are shown as one, as curveGroups() reads it.
    void setGroupBy(const std::string& by);
    const std::string& groupBy() const { return m_groupBy; }

    RunDistinction distinction() const { return { m_groupBy, m_style }; }
    void setDistinction(const RunDistinction& distinction);

    // What their colours and lines show.
    void setStyleChoice(const StyleChoice& choice);
    const StyleChoice& styleChoice() const { return m_style; }

Q_SIGNALS:
    void runsChanged();
    void hiddenChanged();
    void selectedChanged();
    void pointedAtChanged();
    void baselineChanged();
    void groupByChanged();
    void styleChoiceChanged();

private:
    Runs shownOf(const Runs& runs) const;
    void setHiddenRuns(const Runs& hidden);

    Runs m_runs;
    Runs m_hidden;
    Runs m_selected;
    Runs m_pointedAt;
    std::optional<RunId> m_baseline;
    std::string m_groupBy = grouping::kSeeds;
    StyleChoice m_style;
};

} // namespace accrue
