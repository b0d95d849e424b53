// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/events/metrics.h"
#include "engine/runs/run_record.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// A number of a run by which runs are compared, ranked or drawn.
struct RunNumber {
    enum class Kind { Metric, Seconds }; // how it is written
    std::string name; // as it was requested
    Message title; // "Test accuracy, final"
    MetricInfo shownAs; // unit and format; which value is better
    Kind kind = Kind::Metric;
    // Empty: the run has none, or one that is not finite.
    std::function<std::optional<double>(const RunRecord&, const std::vector<MetricSummary>&)>
        value {};
};

// A key of run_keys.h whose values are numbers ("accuracy", "time", "optimizer.lr"), or a metric of
// the log of any name with "final" (the default), "best", "min" or "max": "train_loss:min".
// `logged` are the summaries of the runs in question, for metrics that no table has. Throws
// InputError if there is no such number.
RunNumber runNumber(
    std::string_view name, const std::vector<std::vector<MetricSummary>>& logged = {});

// False: the record of a run is enough for it.
bool needsSummaries(std::string_view name);

std::string numberText(const RunNumber& number, double value); // "98.71 %", "12.3 ms", "0:41"

// A difference of two values, with as many digits as its interval justifies: "+1.9" points.
struct DifferenceTexts {
    Message difference; // "+1.9 points", "−12.3 MiB"
    std::string low; // "+1.2"
    std::string high;
};
DifferenceTexts differenceTexts(
    const RunNumber& number, double difference, double low, double high);
// Of two single values: "+1.90" for points, "−12.3 MiB", "−0.00035".
std::string plainDifference(const MetricInfo& shownAs, double difference);
// The half of an interval, with the unit: "0.31 %", "1.20 MiB".
std::string halfText(const RunNumber& number, double half);

} // namespace accrue
