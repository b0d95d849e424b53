// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/experiment/keys.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Settings of runs as TensorBoard's page "hparams" reads them: the messages of
// tensorboard/plugins/hparams/{plugin_data,api}.proto, each the metadata of a value of its own.

inline constexpr std::string_view kExperimentTag = "_hparams_/experiment";
inline constexpr std::string_view kSessionStartTag = "_hparams_/session_start_info";
inline constexpr std::string_view kSessionEndTag = "_hparams_/session_end_info";

// The columns of the page: settings that any run has, and tags of metrics. TensorBoard reads it
// from whichever run it finds first, so each run has the one of all.
struct HparamsColumns {
    std::map<std::string, SettingValue> settings = {}; // each with a value of its type
    std::vector<std::string> metricTags = {};
};
std::string experimentData(const HparamsColumns& columns);
std::string sessionStartData(const Settings& settings, double startSeconds);
// Empty `outcome`: it has not ended.
std::string sessionEndData(const std::optional<RunOutcome>& outcome, double endSeconds);

// What a run's file says of it.
struct HparamsOfRun {
    Settings settings = {}; // numbers are doubles; in the order of the file
    std::optional<RunOutcome> outcome = {}; // Completed or Failed; empty: unknown, or it runs
};
// Adds what one such message says; other messages and other bytes change nothing.
void readHparams(HparamsOfRun& to, std::string_view data);

} // namespace accrue
