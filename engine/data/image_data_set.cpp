// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_data_set.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <new>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/base/file_messages.h"
#include "engine/base/sentences.h"
#include "engine/data/image_file.h"
#include "engine/data/image_folders.h"
#include "engine/data/image_resize.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostThreads = 8; // each decodes one picture, of at most 100 MB

// Three passes, the cheap ones first: names, which determine the classes and whether this is a data
// set at all; headers, which determine the size, and so the memory; pixels.

// ---- names ----

struct Sample {
    fs::path file;
    std::uint8_t label = 0;
    ImageHeader header;
    Message problem; // names it and why it cannot be used; empty: it can
};

struct Part {
    fs::path folder; // of the classes; empty: there is no such part
    std::vector<Sample> samples {};
};

struct Folder {
    fs::path path; // the folder of all parts
    std::vector<std::string> classes {};
    std::array<Part, 3> parts {}; // train, test, validation

    const Part& train() const { return parts[0]; }
    const Part& test() const { return parts[1]; }
    const Part& validation() const { return parts[2]; }
};

std::vector<std::string> foldersIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && !isHidden(entry.path()))
            names.push_back(entry.path().filename().string());
    // The numbers of the classes must not depend on the file system.
    std::sort(names.begin(), names.end());
    return names;
}

// If one part lacked a class, the labels of the parts would mean different things.
void requireClass(const fs::path& has, const fs::path& lacks, const std::vector<std::string>& all,
    const std::vector<std::string>& some)
{
    for (const std::string& name : all)
        if (!std::binary_search(some.begin(), some.end(), name))
            throw Error(Message("data.images_class_missing",
                { { "folder", lacks }, { "class", name }, { "other", has } }));
}

std::vector<std::string> classesOf(const Folder& folder)
{
    const fs::path& train = folder.train().folder;
    std::vector<std::string> classes = foldersIn(train);
    for (const fs::path& other : { folder.test().folder, folder.validation().folder }) {
        if (other.empty())
            continue;
        const std::vector<std::string> others = foldersIn(other);
        requireClass(train, other, classes, others);
        requireClass(other, train, others, classes);
    }
    if (classes.empty())
        throw Error(Message("data.images_without_classes", { { "folder", train } }));
    if (classes.size() > kMostImageClasses)
        throw Error(Message("data.images_too_many_classes",
            { { "folder", train }, { "count", classes.size() }, { "limit", kMostImageClasses } }));
    return classes;
}

// Before any folder is listed to its end: a folder that also contains other things, such as the one
// above the data set, may contain very many.
void requirePicturesInEach(const fs::path& folder, const std::vector<std::string>& classes)
{
    for (const std::string& name : classes) {
        static_cast<void>(fs::directory_iterator(folder / name)); // throws if it may not be listed
        if (!holdsPicture(folder / name))
            throw Error(Message("data.images_other_folder", { { "folder", folder / name } }));
    }
}

// Sorted, because a folder lists its names in any order, and the order of samples is part of a run.
std::vector<fs::path> picturesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory() && isPicture(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty())
        throw Error(Message("data.images_class_empty", { { "folder", folder } }));
    return files;
}

std::vector<Sample> samplesBelow(const fs::path& folder, const std::vector<std::string>& classes)
{
    std::vector<Sample> samples;
    for (std::size_t label = 0; !folder.empty() && label < classes.size(); ++label)
        for (fs::path& file : picturesBelow(folder / classes[label]))
            samples.push_back({ std::move(file), static_cast<std::uint8_t>(label), {}, {} });
    return samples;
}

// ---- reading, sample by sample, on all cores ----

// What `read` throws, as a sentence; called from a catch block. An exception that leaves a thread
// would end the process.
Message sentenceOfFailure(const fs::path& name)
{
    const auto about = [&name](const Message& reason) {
        return Message("data.image_problem", { { "file", name }, { "reason", reason } });
    };
    try {
        throw;
    } catch (const ImageError& error) {
        return about(error.message());
    } catch (const Error& error) {
        return error.message(); // which names the file
    } catch (const std::bad_alloc&) {
        return about(Message("data.image_memory"));
    } catch (const std::exception& error) {
        return about(Message("data.image_not_opened", { { "reason", error.what() } }));
    }
}

// If `read` throws, that becomes the sample's problem. Every thread reads each n-th sample.
// Pictures of one class often have the same size, so shares of neighbours would take unequal times.
void readAll(std::vector<Sample>& samples, const fs::path& below,
    const std::function<void(Sample&, std::size_t)>& read)
{
    // hardware_concurrency() is 0 if the number is unknown.
    const auto threads = static_cast<std::size_t>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::thread::hardware_concurrency()), 1, kMostThreads));
    const auto share = [&](std::size_t begin) {
        for (std::size_t i = begin; i < samples.size(); i += threads)
            try {
                if (samples[i].problem.empty())
                    read(samples[i], i);
            } catch (...) {
                samples[i].problem = sentenceOfFailure(samples[i].file.lexically_relative(below));
            }
    };
    std::vector<std::thread> others;
    for (std::size_t begin = 1; begin < threads; ++begin)
        others.emplace_back(share, begin);
    share(0);
    for (std::thread& thread : others)
        thread.join();
}

// Empty: there is none.
fs::path onlyOne(const std::vector<fs::path>& folders)
{
    if (folders.size() > 1)
        throw Error(
            Message("data.images_two_folders", { { "one", folders[0] }, { "other", folders[1] } }));
    return folders.empty() ? fs::path() : folders.front();
}

Folder look(const DataFiles& files)
{
    Folder folder { files.folder };
    folder.parts = { Part { files.train.front() }, Part { onlyOne(files.test) },
        Part { onlyOne(files.validation) } };
    try {
        folder.classes = classesOf(folder);
        if (folder.train().folder == folder.path)
            requirePicturesInEach(folder.path, folder.classes);
        for (Part& part : folder.parts)
            part.samples = samplesBelow(part.folder, folder.classes);
    } catch (const fs::filesystem_error& error) {
        throw Error(folderUnreadable(error.path1(), error.code().message()));
    }
    for (Part& part : folder.parts)
        readAll(part.samples, folder.path,
            [](Sample& sample, std::size_t) { sample.header = readImageHeader(sample.file); });
    return folder;
}

// ---- one size for all ----

using Size = std::pair<std::int64_t, std::int64_t>; // height, width

// Of equally common sizes the largest: enlarging loses nothing that training could use.
Size mostCommonSize(const std::vector<Sample>& samples)
{
    std::map<Size, std::int64_t> seen;
    for (const Sample& sample : samples)
        if (sample.problem.empty())
            ++seen[{ sample.header.height, sample.header.width }];
    const auto rank = [](const auto& entry) {
        const auto& [size, times] = entry;
        return std::make_tuple(times, size.first * size.second, size.first);
    };
    const auto most = std::max_element(
        seen.begin(), seen.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return most == seen.end() ? Size {} : most->first;
}

template <typename Holds> std::int64_t countOf(const Folder& folder, Holds holds)
{
    std::int64_t count = 0;
    for (const Part& part : folder.parts)
        count += std::count_if(part.samples.begin(), part.samples.end(), holds);
    return count;
}

bool isReadable(const Sample& sample)
{
    return sample.problem.empty();
}

bool isColour(const Sample& sample)
{
    return isReadable(sample) && !sample.header.isGrey;
}

PictureFrame frameOf(const Folder& folder, const DataSettings& settings)
{
    const auto& given = settings.imageSize;
    const Size size =
        given ? Size { given->height, given->width } : mostCommonSize(folder.train().samples);
    // Grey pictures can be stored in colour, but not the other way round.
    return { countOf(folder, isColour) == 0 ? 1 : 3, size.first, size.second, settings.fit };
}

// A saved model is evaluated on pictures of the form that it was trained with, whatever the most
// common size is now.
PictureFrame frameAs(const PictureForm& form, PictureFit fit, const Folder& folder)
{
    if (form.channels == 1 && countOf(folder, isColour) > 0)
        throw Error(Message("data.images_in_colour", { { "folder", folder.path } }));
    return { form.channels, form.height, form.width, fit };
}

std::int64_t resizedOf(const Folder& folder, const PictureFrame& frame)
{
    return countOf(folder, [&](const Sample& sample) {
        const bool fits =
            sample.header.height == frame.height && sample.header.width == frame.width;
        return isReadable(sample) && !fits;
    });
}

std::int64_t readableOf(const Part& part)
{
    return std::count_if(part.samples.begin(), part.samples.end(), isReadable);
}

// "6 train and 4 test", "9 pictures in one folder"
Message partsText(const Folder& folder)
{
    const std::int64_t train = readableOf(folder.train());
    const std::int64_t test = readableOf(folder.test());
    if (folder.test().folder.empty())
        return Message(folder.train().folder == folder.path ? "data.images_in_one_folder"
                                                            : "data.images_to_train_on",
            { { "train", train } });
    if (folder.validation().folder.empty())
        return trainAndTest(train, test);
    return Message("data.train_validation_and_test",
        { { "train", train }, { "validation", readableOf(folder.validation()) },
            { "test", test } });
}

// Empty if no picture is resized.
Message resizedText(std::int64_t resized, PictureFit fit)
{
    if (resized == 0)
        return {};
    if (fit == PictureFit::Stretch)
        return Message("data.images_resized", { { "count", resized } });
    return Message(fit == PictureFit::Crop ? "data.images_cropped" : "data.images_letterboxed",
        { { "count", resized } });
}

Message testedText(const fs::path& test)
{
    if (test.empty() || test == "test")
        return {};
    return Message("data.images_tested_on", { { "folder", test.string() } });
}

// Pictures that cannot be read are skipped only where pixels are stored.
Message damagedText(std::int64_t count, Pixels pixels)
{
    if (count == 0)
        return {};
    return Message(pixels == Pixels::Store ? "data.images_skipped" : "data.images_not_readable",
        { { "count", count } });
}

Message describe(const Folder& folder, const PictureFrame& frame, Pixels pixels)
{
    const std::int64_t unreadable =
        countOf(folder, [](const Sample& sample) { return !isReadable(sample); });
    const Message inClasses("data.images_in_classes",
        { { "pictures", pictureText(frame.channels, frame.height, frame.width) },
            { "classes", folder.classes.size() },
            { "bytes", ByteCount { countOf(folder, isReadable) * frame.pixels() } } });
    return clausesOf(
        { partsText(folder), inClasses, resizedText(resizedOf(folder, frame), frame.fit),
            testedText(folder.test().folder.filename()), damagedText(unreadable, pixels) });
}

// Before the pixels are allocated, so that a wrong data.image_size leads to a message and not to a
// killed process.
void checkMemory(const Folder& folder, const PictureFrame& frame)
{
    const std::int64_t samples = countOf(folder, [](const Sample&) { return true; });
    if (frame.pixels() <= kLargestImageSet / samples)
        return;
    throw Error(Message("data.images_too_large",
        { { "folder", folder.path }, { "samples", samples },
            { "size", sizeText(frame.height, frame.width) },
            { "bytes", ByteCount { samples * frame.pixels() } },
            { "limit", ByteCount { kLargestImageSet } } }));
}

// ---- unreadable pictures ----

void refuseUnreadable(const Folder& folder)
{
    constexpr std::size_t kNamed = 5;
    Message problems;
    std::size_t count = 0;
    for (const Part& part : folder.parts)
        for (const Sample& sample : part.samples)
            if (!isReadable(sample) && ++count <= kNamed)
                problems = followedBy(problems, sample.problem);
    if (count == 0)
        return;
    if (count > kNamed)
        problems =
            followedBy(problems, Message("data.images_more", { { "count", count - kNamed } }));
    throw Error(Message("data.images_unreadable",
        { { "count", count }, { "folder", folder.path }, { "problems", problems } }));
}

void requireEveryClass(const Folder& folder)
{
    for (const Part& part : folder.parts) {
        std::vector<bool> seen(folder.classes.size(), part.folder.empty());
        for (const Sample& sample : part.samples)
            if (isReadable(sample))
                seen[sample.label] = true;
        for (std::size_t label = 0; label < seen.size(); ++label)
            if (!seen[label])
                throw Error(Message("data.images_class_unreadable",
                    { { "folder", part.folder / folder.classes[label] } }));
    }
}

// ---- pixels ----

// A sample that turns out to be damaged gets a problem, and its place in the split stays black.
RawSplit decode(
    std::vector<Sample>& samples, const PictureFrame& frame, const fs::path& below, Pixels pixels)
{
    RawSplit split { static_cast<std::int64_t>(samples.size()), frame.channels, frame.height,
        frame.width };
    if (pixels == Pixels::Check)
        return split;
    split.images.resize(static_cast<std::size_t>(split.samples * split.pixels()));
    readAll(samples, below, [&](Sample& sample, std::size_t number) {
        const Image image = readImage(sample.file);
        if (image.channels > frame.channels)
            throw ImageError(Message("data.image_changed"));
        writePlanes(
            image, frame, split.images.data() + static_cast<std::int64_t>(number) * split.pixels());
    });
    return split;
}

// Labels the samples, and closes the gaps. Only now is it known which pictures can be decoded: each
// was decoded into its own place, so the threads need no lock.
void keepReadable(RawSplit& split, const std::vector<Sample>& samples)
{
    std::vector<bool> damaged;
    for (const Sample& sample : samples) {
        split.labels.push_back(sample.label);
        damaged.push_back(!isReadable(sample));
    }
    taken(split, damaged);
}

} // namespace

RawData readImageDataSet(const DataRequest& request)
{
    const DataSettings& settings = request.settings;
    Folder folder = look(request.files);
    const PictureFrame frame =
        request.form ? frameAs(*request.form, settings.fit, folder) : frameOf(folder, settings);
    const bool stores = request.pixels == Pixels::Store;
    if (stores)
        checkMemory(folder, frame);
    std::array<RawSplit, 3> splits;
    for (std::size_t i = 0; i < splits.size(); ++i)
        splits[i] = decode(folder.parts[i].samples, frame, folder.path, request.pixels);
    if (stores && settings.unreadable == Unreadable::Refuse)
        refuseUnreadable(folder);
    requireEveryClass(folder);
    for (std::size_t i = 0; i < splits.size(); ++i)
        keepReadable(splits[i], folder.parts[i].samples);
    RawData data;
    data.classNames = folder.classes;
    data.train = std::move(splits[0]);
    data.test = std::move(splits[1]);
    if (!folder.validation().folder.empty())
        data.validation = std::move(splits[2]);
    data.source = folder.train().folder;
    data.description = describe(folder, frame, request.pixels);
    return data;
}

} // namespace accrue
