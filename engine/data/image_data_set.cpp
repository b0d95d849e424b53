// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_data_set.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <new>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/data/image_file.h"
#include "engine/data/image_resize.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostThreads = 8; // each decodes one picture, of 100 MB at most

// ---- what lies there ----

struct Sample {
    fs::path file;
    std::uint8_t label = 0;
    ImageHeader header;
    std::string problem; // why it cannot be used; empty: it can
};

struct Part {
    fs::path folder; // of the classes; empty: there is no such part
    std::vector<Sample> samples {};
};

struct Folder {
    fs::path path; // that all parts lie in
    std::vector<std::string> classes;
    Part train;
    Part test;
    Part validation;

    std::array<Part*, 3> parts() { return { &train, &test, &validation }; }
    std::array<const Part*, 3> parts() const { return { &train, &test, &validation }; }
};

std::vector<std::string> foldersIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && !isHidden(entry.path()))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

void requireClass(const fs::path& has, const fs::path& lacks, const std::vector<std::string>& all,
    const std::vector<std::string>& some)
{
    for (const std::string& name : all)
        if (!std::binary_search(some.begin(), some.end(), name))
            throw DataError(lacks.string() + " has no folder " + name + ", but " + has.string()
                + " has one: both need the same classes.");
}

void requireSameClasses(const Part& train, const Part& other, const std::vector<std::string>& all)
{
    if (other.folder.empty())
        return;
    const std::vector<std::string> others = foldersIn(other.folder);
    requireClass(train.folder, other.folder, all, others);
    requireClass(other.folder, train.folder, others, all);
}

std::vector<std::string> classesOf(const Folder& folder)
{
    const fs::path& train = folder.train.folder;
    std::vector<std::string> classes = foldersIn(train);
    requireSameClasses(folder.train, folder.test, classes);
    requireSameClasses(folder.train, folder.validation, classes);
    if (classes.empty())
        throw DataError(train.string()
            + " holds no folder: put the pictures of each class into a folder of its own there.");
    if (classes.size() > kMostImageClasses)
        throw DataError(train.string() + " holds "
            + formatCount(static_cast<std::int64_t>(classes.size()))
            + " folders, more classes than the largest number allowed, "
            + std::to_string(kMostImageClasses) + ".");
    return classes;
}

// Before anything is walked to its end: a folder that holds other things, too, such as the one
// above the data set, may hold very many.
void requirePicturesInEach(const fs::path& folder, const std::vector<std::string>& classes)
{
    for (const std::string& name : classes) {
        fs::directory_iterator { folder / name }; // throws where it may not be looked into
        if (!holdsPicture(folder / name))
            throw DataError((folder / name).string()
                + " holds no pictures (.png, .jpg, .jpeg, .webp), but folders beside it do: each "
                  "needs some directly in it, or give the folder that holds the classes alone.");
    }
}

std::vector<fs::path> picturesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory() && isPicture(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty())
        throw DataError(folder.string()
            + " holds no pictures (.png, .jpg, .jpeg, .webp): every class needs one there.");
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

// What `read` throws becomes the sample's problem.
void readOne(Sample& sample, std::size_t number,
    const std::function<void(Sample&, std::size_t)>& read, const fs::path& below)
{
    if (!sample.problem.empty())
        return;
    const std::string name = sample.file.lexically_relative(below).string();
    try {
        read(sample, number);
    } catch (const ImageError& error) {
        sample.problem = name + " " + error.what();
    } catch (const DataError& error) {
        sample.problem = error.what();
        sample.problem.pop_back(); // its full stop
    } catch (const std::bad_alloc&) {
        sample.problem = name + " needs more memory than there is";
    } catch (const std::exception& error) { // none may end a thread
        sample.problem = name + " cannot be read: " + error.what();
    }
}

void readAll(std::vector<Sample>& samples, const fs::path& below,
    const std::function<void(Sample&, std::size_t)>& read)
{
    const auto threads = static_cast<std::size_t>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::thread::hardware_concurrency()), 1, kMostThreads));
    const auto share = [&](std::size_t begin) {
        for (std::size_t i = begin; i < samples.size(); i += threads)
            readOne(samples[i], i, read, below);
    };
    std::vector<std::thread> others;
    for (std::size_t begin = 1; begin < threads; ++begin)
        others.emplace_back(share, begin);
    share(0);
    for (std::thread& thread : others)
        thread.join();
}

void readHeaders(std::vector<Sample>& samples, const fs::path& below)
{
    readAll(samples, below,
        [](Sample& sample, std::size_t) { sample.header = readImageHeader(sample.file); });
}

// Empty: there is none.
fs::path onlyOne(const std::vector<fs::path>& folders)
{
    if (folders.size() > 1)
        throw DataError(folders[0].string() + " and " + folders[1].string()
            + " are both there: keep one of the two.");
    return folders.empty() ? fs::path() : folders.front();
}

Folder look(const DataFiles& files)
{
    Folder folder;
    folder.path = files.folder;
    folder.train.folder = files.train.front();
    folder.test.folder = onlyOne(files.test);
    folder.validation.folder = onlyOne(files.validation);
    try {
        folder.classes = classesOf(folder);
        if (folder.train.folder == folder.path)
            requirePicturesInEach(folder.path, folder.classes);
        for (Part* part : folder.parts())
            part->samples = samplesBelow(part->folder, folder.classes);
    } catch (const fs::filesystem_error& error) {
        throw DataError(
            error.path1().string() + " cannot be looked into: " + error.code().message() + ".");
    }
    for (Part* part : folder.parts())
        readHeaders(part->samples, folder.path);
    return folder;
}

// ---- one size for all ----

using Size = std::pair<std::int64_t, std::int64_t>; // height, width

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
    for (const Part* part : folder.parts())
        count += std::count_if(part->samples.begin(), part->samples.end(), holds);
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
        given ? Size { given->height, given->width } : mostCommonSize(folder.train.samples);
    return { countOf(folder, isColour) == 0 ? 1 : 3, size.first, size.second, settings.fit };
}

PictureFrame frameAs(const PictureForm& form, PictureFit fit, const Folder& folder)
{
    if (form.channels == 1 && countOf(folder, isColour) > 0)
        throw DataError(folder.path.string()
            + " holds pictures in colour, but the model was trained on grey ones: make them grey.");
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
std::string partsText(const Folder& folder)
{
    const std::string train = formatCount(readableOf(folder.train));
    if (folder.test.folder.empty())
        return train + (folder.train.folder == folder.path ? " pictures in one folder" : " train");
    const std::string test = " and " + formatCount(readableOf(folder.test)) + " test";
    if (folder.validation.folder.empty())
        return train + " train" + test;
    return train + " train, " + formatCount(readableOf(folder.validation)) + " validation" + test;
}

std::string resizedText(std::int64_t resized, PictureFit fit)
{
    constexpr std::array<std::string_view, 3> kWords { "resized", "resized and cropped",
        "letterboxed" };
    return resized == 0
        ? std::string()
        : ", " + formatCount(resized) + " " + std::string(kWords[static_cast<std::size_t>(fit)]);
}

std::string describe(
    const Folder& folder, const PictureFrame& frame, const std::string& whatBecomes)
{
    const std::int64_t unreadable =
        countOf(folder, [](const Sample& sample) { return !isReadable(sample); });
    const fs::path test = folder.test.folder.filename();
    return partsText(folder) + ", " + std::to_string(frame.height) + " × "
        + std::to_string(frame.width) + (frame.channels == 1 ? " grey" : " colour") + " in "
        + std::to_string(folder.classes.size()) + " classes, "
        + formatBytes(countOf(folder, isReadable) * frame.pixels())
        + resizedText(resizedOf(folder, frame), frame.fit)
        + (test.empty() || test == "test" ? "" : ", tested on " + test.string())
        + (unreadable > 0 ? ", " + formatCount(unreadable) + whatBecomes : "");
}

void checkMemory(const Folder& folder, const PictureFrame& frame)
{
    const std::int64_t samples = countOf(folder, [](const Sample&) { return true; });
    if (frame.pixels() <= kLargestImageSet / samples)
        return;
    throw DataError(folder.path.string() + " holds " + formatCount(samples) + " pictures, at "
        + std::to_string(frame.height) + " × " + std::to_string(frame.width) + " "
        + formatBytes(samples * frame.pixels()) + ", more than the largest allowed, "
        + formatBytes(kLargestImageSet) + ": give a smaller data.image_size.");
}

// ---- what cannot be read ----

void refuseUnreadable(const Folder& folder)
{
    constexpr int kNamed = 5;
    std::string named;
    std::int64_t count = 0;
    for (const Part* part : folder.parts())
        for (const Sample& sample : part->samples)
            if (!isReadable(sample) && ++count <= kNamed)
                named += (named.empty() ? "" : "; ") + sample.problem;
    if (count == 0)
        return;
    throw DataError("In " + folder.path.string() + " "
        + (count == 1 ? "a picture" : formatCount(count) + " pictures") + " cannot be read: "
        + named + (count > kNamed ? "; and " + formatCount(count - kNamed) + " more" : "")
        + ". Repair or remove " + (count == 1 ? "it" : "them")
        + ", or set data.unreadable to skip.");
}

void requireEveryClass(const Part& part, const std::vector<std::string>& classes)
{
    std::vector<bool> seen(classes.size(), part.folder.empty());
    for (const Sample& sample : part.samples)
        if (isReadable(sample))
            seen[sample.label] = true;
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (lost != seen.end())
        throw DataError(
            (part.folder / classes[static_cast<std::size_t>(lost - seen.begin())]).string()
            + " holds no picture that can be read: every class needs one there.");
}

void requireEveryClass(const Folder& folder)
{
    for (const Part* part : folder.parts())
        requireEveryClass(*part, folder.classes);
}

// ---- pixels ----

// A sample that turns out to be damaged gets a problem, and its place in the split stays black.
RawSplit decode(std::vector<Sample>& samples, const PictureFrame& frame, const fs::path& below)
{
    RawSplit split;
    split.samples = static_cast<std::int64_t>(samples.size());
    split.channels = frame.channels;
    split.height = frame.height;
    split.width = frame.width;
    split.images.resize(static_cast<std::size_t>(split.samples * split.pixels()));
    readAll(samples, below, [&](Sample& sample, std::size_t number) {
        const Image image = readImage(sample.file);
        if (image.channels > frame.channels)
            throw ImageError("was changed while it was read");
        writePlanes(
            image, frame, split.images.data() + static_cast<std::int64_t>(number) * split.pixels());
    });
    return split;
}

// Closes the gaps, and labels what is left.
void keepReadable(RawSplit& split, const std::vector<Sample>& samples)
{
    auto kept = split.images.begin();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!isReadable(samples[i]))
            continue;
        const auto from = split.images.begin() + static_cast<std::int64_t>(i) * split.pixels();
        kept = std::copy(from, from + split.pixels(), kept);
        split.labels.push_back(samples[i].label);
    }
    split.images.erase(kept, split.images.end());
    split.samples = static_cast<std::int64_t>(split.labels.size());
}

} // namespace

RawData readImageDataSet(
    const DataSettings& settings, const DataFiles& files, const std::optional<PictureForm>& form)
{
    Folder folder = look(files);
    const PictureFrame frame =
        form ? frameAs(*form, settings.fit, folder) : frameOf(folder, settings);
    checkMemory(folder, frame);
    std::array<RawSplit, 3> splits;
    for (std::size_t i = 0; i < splits.size(); ++i)
        splits[i] = decode(folder.parts()[i]->samples, frame, folder.path);
    if (settings.unreadable == Unreadable::Refuse)
        refuseUnreadable(folder);
    requireEveryClass(folder);
    for (std::size_t i = 0; i < splits.size(); ++i)
        keepReadable(splits[i], folder.parts()[i]->samples);
    RawData data;
    data.name = nameOf(DataName::Images);
    data.classNames = folder.classes;
    data.train = std::move(splits[0]);
    data.test = std::move(splits[1]);
    if (!folder.validation.folder.empty())
        data.validation = std::move(splits[2]);
    data.description = "images, " + describe(folder, frame, " unreadable ones skipped");
    return data;
}

DataSummary checkImageDataSet(const DataFiles& files, const DataSettings& as)
{
    const Folder folder = look(files);
    requireEveryClass(folder);
    const PictureFrame frame = frameOf(folder, as);
    DataSummary summary { readableOf(folder.train), readableOf(folder.test),
        describe(folder, frame, " unreadable"),
        { frame.channels, frame.height, frame.width,
            static_cast<std::int64_t>(folder.classes.size()) } };
    summary.validationFolder = folder.validation.folder.filename().string();
    if (!folder.test.folder.empty())
        return summary;
    summary.untested.resize(folder.classes.size());
    for (const Sample& sample : folder.train.samples)
        summary.untested[sample.label] += isReadable(sample) ? 1 : 0;
    return summary;
}

} // namespace accrue
