// SPDX-License-Identifier: Apache-2.0
#include "engine/events/metrics.h"

#include "engine/base/shown_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

namespace accrue {

namespace {

// Empty if the time was not measured. metric_columns.cpp has the same formula in SQL.
std::optional<double> throughputOf(const StepDone& step)
{
    if (!(step.stepMs > 0) || !std::isfinite(step.stepMs))
        return std::nullopt;
    return static_cast<double>(step.windowSamples) * 1000 / step.stepMs;
}

MetricInfo ofTrace(MetricId id, const char* name, const char* title, const char* column)
{
    return { .id = id,
        .name = name,
        .title = title,
        .section = MetricSection::Trace,
        .sinceFormat = 3,
        .source = TraceColumn { column } };
}

MetricInfo timeOfStep(
    MetricId id, const char* name, const char* title, double StepDone::*milliseconds)
{
    return { .id = id,
        .name = name,
        .title = title,
        .unit = "ms",
        .better = Better::Lower,
        .section = MetricSection::Step,
        .format = MetricFormat::Milliseconds,
        .source = milliseconds };
}

// Of RanksMeasured, which has a value of each rank.
MetricInfo ofRank(const char* name, const char* title, const char* unit, MetricFormat format)
{
    return { .name = name,
        .title = title,
        .unit = unit,
        .better = format == MetricFormat::Number ? Better::Neither : Better::Lower,
        .section = MetricSection::Step,
        .format = format,
        .ofEachRank = true };
}

// The same of a micro-batch, with trace.parameters.
MetricInfo tracedOfRank(const char* name, const char* title, const char* unit, MetricFormat format)
{
    MetricInfo metric = ofRank(name, title, unit, format);
    metric.better = Better::Neither;
    metric.section = MetricSection::Trace;
    return metric;
}

// A new metric is a row here and the code that sets its values; one that code names also has an
// enumerator of MetricId. It needs no migration of the run log if it is carried by name. Rows
// without an enumerator come last, because infoOf() finds the others by their index.
const std::vector<MetricInfo>& table()
{
    using Id = MetricId;
    using Section = MetricSection;
    using Format = MetricFormat;
    static const std::vector<MetricInfo> all {
        { Id::Loss, "loss", "Loss", "", Better::Lower, Section::Step, Format::Number, 1,
            &StepDone::loss },
        { Id::LearningRate, "learning_rate", "Learning rate", "", Better::Neither, Section::Step,
            Format::Number, 1, &StepDone::learningRate },
        { Id::GradientNorm, "gradient_norm", "Gradient norm", "", Better::Neither, Section::Step,
            Format::Number, 1, &StepDone::gradientNorm },
        timeOfStep(Id::StepMs, "step_ms", "Step time", &StepDone::stepMs),
        timeOfStep(Id::DataMs, "data_ms", "Data time", &StepDone::dataMs),
        timeOfStep(Id::ForwardMs, "forward_ms", "Forward time", &StepDone::forwardMs),
        timeOfStep(Id::BackwardMs, "backward_ms", "Backward time", &StepDone::backwardMs),
        timeOfStep(Id::OptimizerMs, "optimizer_ms", "Optimizer time", &StepDone::optimizerMs),
        { Id::PeakBytes, "peak_bytes", "Peak memory (training)", "bytes", Better::Lower,
            Section::Step, Format::Bytes, 1, &StepDone::peakBytes },
        { Id::Throughput, "throughput", "Throughput", "samples/s", Better::Higher, Section::Step,
            Format::Rate, 1, &throughputOf },
        { Id::TrainLoss, "train_loss", "Training loss", "", Better::Lower, Section::Epoch,
            Format::Number, 1, &EpochDone::trainLoss },
        { Id::TrainAccuracy, "train_accuracy", "Training accuracy", "", Better::Higher,
            Section::Epoch, Format::Share, 1, &EpochDone::trainAccuracy },
        { Id::TestLoss, "test_loss", "Test loss", "", Better::Lower, Section::Evaluation,
            Format::Number, 1, &Evaluated::testLoss },
        { Id::TestAccuracy, "test_accuracy", "Test accuracy", "", Better::Higher,
            Section::Evaluation, Format::Share, 1, &Evaluated::testAccuracy },
        { Id::ValidationLoss, "validation_loss", "Validation loss", "", Better::Lower,
            Section::Evaluation, Format::Number, 2, &Evaluated::validationLoss },
        { Id::ValidationAccuracy, "validation_accuracy", "Validation accuracy", "", Better::Higher,
            Section::Evaluation, Format::Share, 2, &Evaluated::validationAccuracy },
        ofTrace(Id::TracedValue1, "traced_value_1", "Traced value 1", "value_1"),
        ofTrace(Id::TracedValue2, "traced_value_2", "Traced value 2", "value_2"),
        ofTrace(Id::TracedValue3, "traced_value_3", "Traced value 3", "value_3"),
        ofTrace(Id::TracedValue4, "traced_value_4", "Traced value 4", "value_4"),
        ofTrace(Id::TracedChecksum, "traced_checksum", "Traced checksum", "checksum"),
        { Id::UpdateRatio, "update_ratio", "Update ratio", "", Better::Neither, Section::Step },
        ofRank("rank_step_ms", "Step time of a device", "ms", Format::Milliseconds),
        ofRank("rank_data_ms", "Data time of a device", "ms", Format::Milliseconds),
        ofRank("rank_forward_ms", "Forward time of a device", "ms", Format::Milliseconds),
        ofRank("rank_backward_ms", "Backward time of a device", "ms", Format::Milliseconds),
        ofRank("rank_optimizer_ms", "Optimizer time of a device", "ms", Format::Milliseconds),
        ofRank("wait_ms", "Waiting for other devices", "ms", Format::Milliseconds),
        ofRank("communication_ms", "Communication time", "ms", Format::Milliseconds),
        ofRank("communication_bytes", "Bytes sent", "bytes", Format::Bytes),
        ofRank("rank_peak_bytes", "Peak memory of a device", "bytes", Format::Bytes),
        ofRank("rank_samples", "Samples of a device", "", Format::Number),
        tracedOfRank("rank_checksum", "Traced checksum of a device", "", Format::Number),
        tracedOfRank("micro_batch_bytes", "Bytes sent in a micro-batch", "bytes", Format::Bytes),
    };
    return all;
}

template <typename Wanted> std::vector<MetricInfo> rowsOfTable(const Wanted& wanted)
{
    std::vector<MetricInfo> rows;
    std::copy_if(table().begin(), table().end(), std::back_inserter(rows), wanted);
    return rows;
}

bool isOfTrace(const MetricInfo& metric)
{
    return metric.section == MetricSection::Trace;
}

bool isField(const MetricInfo& metric)
{
    return !isCarriedByName(metric) && !std::holds_alternative<ComputedOfStep>(metric.source);
}

std::vector<const MetricInfo*> fieldsInTable(MetricSection section)
{
    std::vector<const MetricInfo*> fields;
    for (const MetricInfo& metric : table())
        if (metric.section == section && isField(metric))
            fields.push_back(&metric);
    return fields;
}

// A field and a computed source can both be called with their event; the field of another event, a
// column and a name cannot, and have no value.
template <typename Event>
std::optional<double> valueIn(const MetricSource& source, const Event& event)
{
    return std::visit(
        [&event](const auto& from) -> std::optional<double> {
            if constexpr (std::is_invocable_v<decltype(from), const Event&>)
                return std::invoke(from, event);
            return std::nullopt;
        },
        source);
}

} // namespace

const std::vector<MetricInfo>& metrics()
{
    static const std::vector<MetricInfo> all =
        rowsOfTable([](const MetricInfo& metric) { return !isOfTrace(metric); });
    return all;
}

const std::vector<MetricInfo>& tracedMetrics()
{
    static const std::vector<MetricInfo> all = rowsOfTable(isOfTrace);
    return all;
}

// By index: the rows of MetricId come first, in its order.
const MetricInfo& infoOf(MetricId id)
{
    return table().at(static_cast<std::size_t>(id));
}

const MetricInfo* findMetric(std::string_view name)
{
    for (const MetricInfo& metric : table())
        if (metric.name == name)
            return &metric;
    return nullptr;
}

// A log may come from anybody: the title is safe to print, whatever the name is.
MetricInfo metricNamed(const std::string& name)
{
    const MetricInfo* known = findMetric(name);
    return known != nullptr ? *known : MetricInfo { .name = name, .title = shortened(name) };
}

std::vector<MetricInfo> metricsBeside(const std::set<std::string>& names)
{
    std::vector<MetricInfo> all = metrics();
    for (const std::string& name : names)
        if (findMetric(name) == nullptr)
            all.push_back(metricNamed(name));
    return all;
}

// Made once, in the order of MetricSection.
const std::vector<const MetricInfo*>& fieldsOf(MetricSection section)
{
    static const std::array fields { fieldsInTable(MetricSection::Evaluation),
        fieldsInTable(MetricSection::Epoch), fieldsInTable(MetricSection::Step),
        fieldsInTable(MetricSection::Trace), fieldsInTable(MetricSection::Elsewhere) };
    return fields.at(static_cast<std::size_t>(section));
}

std::optional<double> metricIn(const MetricInfo& metric, const StepDone& event)
{
    return valueIn(metric.source, event);
}

std::optional<double> metricIn(const MetricInfo& metric, const EpochDone& event)
{
    return valueIn(metric.source, event);
}

std::optional<double> metricIn(const MetricInfo& metric, const Evaluated& event)
{
    return valueIn(metric.source, event);
}

BestEvaluation judgementOf(const Evaluated& event)
{
    for (const MetricId id : kJudgedBy)
        if (const std::optional<double> value = metricIn(infoOf(id), event))
            return { nameOf(id), *value, event.step };
    return {}; // not reached: the last one is in every evaluation
}

} // namespace accrue
