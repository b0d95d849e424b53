// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/run_log_follower.h"
#include "ui/widgets/form_widgets.h"

#include <optional>
#include <vector>

namespace accrue {

// Which run with measured memory is shown: always the latest (the first entry, initially chosen),
// or a chosen run, which remains. GUI thread.
class RunChoice : public FormComboBox {
    Q_OBJECT
public:
    explicit RunChoice(QWidget* parent = nullptr);

    void setRuns(const RunList& runs); // those without measured memory are left out
    void choose(RunId run); // ignored if it is not in the list
    void followLatest();

    bool followsLatest() const { return !m_chosen; }
    const RunRecord* shown() const; // null: there is none

Q_SIGNALS:
    void shownChanged(); // another run, or its record

private:
    void takeEntry(int index);
    void fill();
    void apply();
    QString titleOf(const RunRecord& run) const;
    std::vector<RunRecord>::const_iterator find(const std::optional<RunId>& id) const;

    std::vector<RunRecord> m_runs; // those that train first, then the newest, archived ones last
    std::optional<RunId> m_chosen;
};

} // namespace accrue
