// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// When a run ends before its length by its own settings: run.stop_when and run.patience. Pure; any
// thread.

// The metrics of evaluations and epochs, which a rule compares: each is a figure of many samples,
// the same on all devices of a run. The loss of one window is not among them.
inline constexpr std::size_t kRuleMetrics = 6;
struct RuleMetric {
    const char* name;
    bool isShare; // 0 to 1
};
const std::array<RuleMetric, kRuleMetrics>& ruleMetrics();
// What is known of them: the last value of each, in that order; NaN: there was none.
struct RuleValues {
    std::array<double, kRuleMetrics> last;
    RuleValues() { last.fill(std::numeric_limits<double>::quiet_NaN()); }
};

struct StopCondition {
    enum class Operator { NotBelow, NotAbove, Above, Below };
    std::size_t metric = 0; // of ruleMetrics()
    Operator op = Operator::NotBelow;
    double limit = 0;
    friend bool operator==(const StopCondition&, const StopCondition&) = default;
};
using StopRule = std::vector<StopCondition>; // all must hold; empty: the rule is never met

struct ParsedRule {
    StopRule rule;
    Message problem; // a sentence with what is allowed; empty: none
};
// "test_accuracy >= 0.99 and train_loss < 0.1": METRIC op NUMBER joined by `and`, with >=, <=, > or
// <. Empty text is no rule.
ParsedRule parseStopRule(std::string_view text);

// Errors and warnings about both settings; part of `validate`.
Findings checkEarlyEnd(const Experiment& experiment);

// "test_accuracy = 0.9912, train_loss = 0.031": the values by which the rule is met. Empty: it is
// not met; a metric without a value, or with NaN, meets no condition.
std::optional<Message> valuesThatMeet(const StopRule& rule, const RuleValues& values);

} // namespace accrue
