// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/metric_choice.h"

#include "engine/events/metrics.h"
#include "ui/models/run_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace accrue {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(MetricChoice)
};

struct Section {
    MetricSection section;
    const char* title;
};
constexpr Section kSections[] = {
    { MetricSection::Step, QT_TRANSLATE_NOOP("MetricChoice", "Each step") },
    { MetricSection::Epoch, QT_TRANSLATE_NOOP("MetricChoice", "Each epoch") },
    { MetricSection::Evaluation, QT_TRANSLATE_NOOP("MetricChoice", "Each evaluation") },
    { MetricSection::Trace, QT_TRANSLATE_NOOP("MetricChoice", "Trace, and each device") },
    { MetricSection::Elsewhere, QT_TRANSLATE_NOOP("MetricChoice", "Others") },
};

// Of a trace: its first value, and what each of several ranks has.
bool isOffered(const MetricInfo& metric)
{
    return metric.section != MetricSection::Trace || metric.ofEachRank
        || metric.name == tracedMetrics().front().name;
}

std::vector<MetricInfo> offeredMetrics(const std::set<std::string>& available)
{
    std::vector<MetricInfo> all = metricsBeside(available);
    for (const MetricInfo& metric : tracedMetrics())
        if (std::ranges::find(all, metric.name, &MetricInfo::name) == all.end())
            all.push_back(metric);
    std::erase_if(all, [](const MetricInfo& metric) { return !isOffered(metric); });
    return all;
}

} // namespace

QString curveTitle(const std::string& metric)
{
    const MetricInfo info = metricNamed(metric);
    const QString title = metricTitle(metric);
    if (info.id == MetricId::Loss)
        return Words::tr("%1, each step").arg(title);
    if (info.section == MetricSection::Epoch)
        return Words::tr("%1, epoch mean").arg(title);
    return title;
}

std::set<std::string> metricsOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    std::set<std::string> found;
    for (const RunSummaries& of : summaries)
        for (const MetricSummary& summary : of.metrics)
            found.insert(summary.metric);
    // Traces and what each device measures have no summaries.
    for (const RunRecord& run : runs)
        for (const MetricInfo& metric : tracedMetrics())
            if (metric.ofEachRank ? run.plan.devices > 1 : !run.experiment.trace.parameters.empty())
                found.insert(metric.name);
    for (const RunRecord& run : runs)
        for (const MetricInfo& metric : metrics())
            if (metric.ofEachRank && run.plan.devices > 1)
                found.insert(metric.name);
    return found;
}

void fillMetricMenu(QMenu& menu, const std::set<std::string>& available,
    const std::function<void(const std::string& metric)>& chosen)
{
    for (const Section& section : kSections) {
        bool isFirst = true;
        for (const MetricInfo& metric : offeredMetrics(available)) {
            if (metric.section != section.section)
                continue;
            if (std::exchange(isFirst, false))
                menu.addSection(Words::tr(section.title));
            QAction* const action = menu.addAction(
                curveTitle(metric.name), &menu, [chosen, name = metric.name] { chosen(name); });
            action->setEnabled(available.contains(metric.name));
            if (!action->isEnabled())
                action->setToolTip(Words::tr("None of these runs has logged this metric yet."));
        }
    }
    menu.setToolTipsVisible(true);
}

} // namespace accrue
