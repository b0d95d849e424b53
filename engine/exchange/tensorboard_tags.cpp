// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_tags.h"

#include "engine/base/shown_text.h"

#include <string_view>

namespace accrue {

namespace {

constexpr std::size_t kLongestFolderName = 100; // bytes; file systems allow 255

// "test_loss" is "loss/test"; the metrics of an epoch are "loss/train_epoch".
std::string resultTag(const MetricInfo& metric)
{
    const std::size_t cut = metric.name.rfind('_');
    const bool isOfEpoch = metric.section == MetricSection::Epoch;
    return metric.name.substr(cut + 1) + "/" + metric.name.substr(0, cut)
        + (isOfEpoch ? "_epoch" : "");
}

std::string groupOf(const MetricInfo& metric)
{
    switch (metric.format) {
    case MetricFormat::Milliseconds:
    case MetricFormat::Rate:
        return "time/";
    case MetricFormat::Bytes:
        return "memory/";
    default:
        return "optimizer/";
    }
}

bool isPlain(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
}

} // namespace

std::string tagOf(const MetricInfo& metric, std::int64_t rank)
{
    if (metric.ofEachRank)
        return "devices/" + metric.name + "/rank_" + std::to_string(rank);
    switch (metric.section) {
    case MetricSection::Evaluation:
    case MetricSection::Epoch:
        return resultTag(metric);
    case MetricSection::Trace:
        return "trace/" + metric.name;
    case MetricSection::Step:
        return metric.id == MetricId::Loss ? metric.name + "/train" : groupOf(metric) + metric.name;
    case MetricSection::Elsewhere:
        break;
    }
    return madeOneLine(metric.name); // a tag is UTF-8
}

std::string folderNameOf(const RunRecord& run)
{
    const std::string whole = madeOneLine(run.name);
    std::string name(firstBytes(whole, kLongestFolderName));
    for (char& c : name)
        if (!isPlain(c))
            c = '_';
    // A name that begins with a point is a hidden one, and `..` another folder.
    if (name.empty() || name.front() == '.')
        name.insert(name.begin(), '_');
    return name + "-" + std::to_string(numberOf(run.id));
}

} // namespace accrue
