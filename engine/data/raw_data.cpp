// SPDX-License-Identifier: Apache-2.0
#include "engine/data/raw_data.h"

#include "engine/base/sentences.h"

#include <algorithm>
#include <array>

namespace accrue {

std::vector<std::string> numberedClasses(std::int64_t count)
{
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        names.push_back(std::to_string(i));
    return names;
}

std::string sizeText(std::int64_t height, std::int64_t width)
{
    return std::to_string(height) + " × " + std::to_string(width);
}

// A message, because it is also a part of other messages, in their language.
Message pictureText(std::int64_t channels, std::int64_t height, std::int64_t width)
{
    return Message(channels == 1 ? "data.grey_images" : "data.colour_images",
        { { "size", sizeText(height, width) } });
}

Message trainAndTest(std::int64_t trainSamples, std::int64_t testSamples)
{
    return Message("data.train_and_test", { { "train", trainSamples }, { "test", testSamples } });
}

DataSummary summaryOf(
    std::int64_t trainSamples, std::int64_t testSamples, const PictureShape& shape, Origin origin)
{
    // By Origin: nothing is stated about files that nobody has published.
    const std::array<Message, 4> origins { Message("data.built_in"), Message("data.published"),
        Message("data.not_published"), Message() };
    return { clausesOf({ trainAndTest(trainSamples, testSamples),
                 pictureText(shape.channels, shape.height, shape.width),
                 origins.at(static_cast<std::size_t>(origin)) }),
        trainSamples, testSamples, shape };
}

DataSummary summaryOf(const RawData& data, Origin origin)
{
    const RawSplit& train = data.train;
    return summaryOf(train.samples, data.test.samples,
        { train.channels, train.height, train.width,
            static_cast<std::int64_t>(data.classNames.size()) },
        origin);
}

void throwWrongLabel(const std::filesystem::path& file, std::uint8_t label, std::int64_t sample,
    std::int64_t classes, const std::string& source)
{
    throw Error(Message("data.label_out_of_range",
        { { "file", file }, { "label", label }, { "sample", sample }, { "source", source },
            { "last", classes - 1 } }));
}

// The remaining samples move up within `from`, so that the pixels of a set of gigabytes never exist
// twice.
RawSplit taken(RawSplit& from, const std::vector<bool>& drawn)
{
    const auto count = static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), true));
    RawSplit to { 0, from.channels, from.height, from.width };
    const std::int64_t size = from.images.empty() ? 0 : from.pixels();
    to.images.reserve(count * static_cast<std::size_t>(size));
    to.labels.reserve(count);
    auto keptImages = from.images.begin();
    auto keptLabels = from.labels.begin();
    for (std::int64_t i = 0; i < from.samples; ++i) {
        const auto pixels = from.images.begin() + i * size;
        const std::uint8_t label = from.labels[static_cast<std::size_t>(i)];
        if (drawn[static_cast<std::size_t>(i)]) {
            to.images.insert(to.images.end(), pixels, pixels + size);
            to.labels.push_back(label);
        } else {
            keptImages = std::copy(pixels, pixels + size, keptImages);
            *keptLabels++ = label;
        }
    }
    from.images.erase(keptImages, from.images.end());
    from.labels.erase(keptLabels, from.labels.end());
    from.samples = static_cast<std::int64_t>(from.labels.size());
    to.samples = static_cast<std::int64_t>(to.labels.size());
    return to;
}

} // namespace accrue
