// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The messages of TensorBoard's event files, as far as scalars, histograms
// (tensorboard_histogram.h) and settings ("hparams") need them:
// tensorboard/compat/proto/{event,summary,tensor}.proto.

// The plugins of TensorBoard that show such values.
inline constexpr std::string_view kScalarsPlugin = "scalars";
inline constexpr std::string_view kHparamsPlugin = "hparams";

// One value of an event. Views are of the record that it was read from.
struct EventValue {
    std::string_view tag;
    std::string_view plugin; // of its metadata, which only the first value of a tag need have
    std::string_view pluginContent;
    std::optional<double> number; // a simple value, or a tensor of one number; empty: anything else
    bool isTensor = false; // only a tensor of a tag whose plugin is `scalars` is one of its values
    std::string_view tensor; // all of it
    std::optional<std::string_view> histogram; // a HistogramProto
};

struct EventRecord {
    double wallTime = 0; // Unix time in seconds
    std::int64_t step = 0;
    bool isVersion = false; // the first event of every file
    bool isSessionStart = false; // whatever has this step or a later one is trained again
    std::vector<EventValue> values;
};
// Empty: the bytes are no event.
std::optional<EventRecord> eventIn(std::string_view record);

// Records of events, with their framing, appended to `out`.
void appendVersion(std::string& out, double wallTime);
void appendScalar(
    std::string& out, double wallTime, std::int64_t step, std::string_view tag, double value);
// `proto`: a HistogramProto.
void appendHistogram(std::string& out, double wallTime, std::int64_t step, std::string_view tag,
    std::string_view proto);
void appendHparams(std::string& out, double wallTime, std::string_view tag, std::string_view data);

} // namespace accrue
