// SPDX-License-Identifier: Apache-2.0
#include "ui/train/logged_panels.h"

#include "engine/base/case_folding.h"
#include "engine/events/metrics.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr std::size_t kMostCurves = 4; // as many as there are styles of a line

// Takes the metrics with that part in their name out of `left`, as many as one chart can tell
// apart.
std::vector<std::string> taken(std::vector<std::string>& left, const std::string& part)
{
    std::vector<std::string> found;
    std::erase_if(left, [&](const std::string& metric) {
        const bool takes =
            found.size() < kMostCurves && caseFolded(metric).find(part) != std::string::npos;
        if (takes)
            found.push_back(metric);
        return takes;
    });
    return found;
}

} // namespace

LoggedPanels loggedPanels(const std::vector<MetricSummary>& summaries)
{
    std::vector<std::string> left;
    for (const MetricSummary& summary : summaries)
        left.push_back(summary.metric);
    std::vector<LoggedPanel> found;
    if (auto losses = taken(left, nameOf(MetricId::Loss)); !losses.empty())
        found.push_back({ metricTitle(MetricId::Loss), std::move(losses) });
    if (auto accuracies = taken(left, "acc"); !accuracies.empty())
        found.push_back({ Ui::tr("Accuracy"), std::move(accuracies) });
    for (std::string& metric : left)
        found.push_back({ metricTitle(metric), { std::move(metric) } });
    LoggedPanels panels;
    std::move(found.begin(),
        found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), panels.size())),
        panels.begin());
    return panels;
}

} // namespace accrue
