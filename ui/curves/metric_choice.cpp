// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/metric_choice.h"

#include "engine/events/metrics.h"
#include "ui/models/run_words.h"

#include <QCoreApplication>

#include <algorithm>

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

// Names of other programs: "train/loss" is in "train".
QString headingOf(const MetricInfo& metric, const Section& section)
{
    const std::size_t slash = metric.name.find('/');
    return section.section == MetricSection::Elsewhere && slash != std::string::npos && slash > 0
        ? QString::fromStdString(metric.title.substr(0, metric.title.find('/')))
        : Words::tr(section.title);
}

Choice choiceOf(const MetricInfo& metric, const Section& section,
    const std::set<std::string>& available, const std::set<std::string>& shown)
{
    Choice choice { QString::fromStdString(metric.name), curveTitle(metric.name) };
    if (findMetric(metric.name) != nullptr)
        choice.detail = choice.id; // of another program's metric it is the title
    choice.section = headingOf(metric, section);
    choice.isMarked = shown.contains(metric.name);
    if (!available.contains(metric.name) && !choice.isMarked) // a chart without curves can go
        choice.problem = Words::tr("None of these runs has logged this metric yet.");
    return choice;
}

// One heading after the other; names without a slash first.
Choices choicesOf(const std::vector<MetricInfo>& metrics, const Section& section,
    const std::set<std::string>& available, const std::set<std::string>& shown)
{
    Choices choices;
    for (const MetricInfo& metric : metrics)
        if (metric.section == section.section)
            choices.push_back(choiceOf(metric, section, available, shown));
    const QString own = Words::tr(section.title);
    std::ranges::stable_sort(choices, [&](const Choice& one, const Choice& other) {
        const auto rank = [&](const Choice& of) {
            return of.section == own ? QString() : of.section;
        };
        return rank(one) < rank(other);
    });
    return choices;
}

bool canBeChosen(const Choice& choice)
{
    return choice.problem.isEmpty();
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

Choices metricChoices(const std::set<std::string>& available, const std::set<std::string>& shown)
{
    std::set<std::string> names = available;
    names.insert(shown.begin(), shown.end()); // a chart whose metric no run has can be taken back
    const std::vector<MetricInfo> metrics = offeredMetrics(names);
    Choices choices;
    for (const Section& section : kSections) {
        const Choices of = choicesOf(metrics, section, available, shown);
        if (available.empty() || std::ranges::any_of(of, canBeChosen))
            choices.insert(choices.end(), of.begin(), of.end());
    }
    return choices;
}

QString metricSearch()
{
    return Words::tr("Search metrics");
}

} // namespace accrue
