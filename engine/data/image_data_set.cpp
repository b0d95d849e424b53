// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_data_set.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <new>
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

struct Folder {
    fs::path path; // with train and test
    std::vector<std::string> classes;
    std::vector<Sample> train;
    std::vector<Sample> test;
};

bool isHidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

bool isPicture(const fs::path& path)
{
    std::string extension = path.extension().string();
    for (char& c : extension)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return !isHidden(path) && (extension == ".png" || extension == ".jpg" || extension == ".jpeg");
}

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

std::vector<std::string> classesOf(const fs::path& train, const fs::path& test)
{
    std::vector<std::string> classes = foldersIn(train);
    const std::vector<std::string> others = foldersIn(test);
    requireClass(train, test, classes, others);
    requireClass(test, train, others, classes);
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

std::vector<fs::path> picturesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory() && isPicture(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty())
        throw DataError(folder.string()
            + " holds no pictures (.png, .jpg, .jpeg): every class needs one in train and in "
              "test.");
    return files;
}

std::vector<Sample> samplesBelow(const fs::path& folder, const std::vector<std::string>& classes)
{
    std::vector<Sample> samples;
    for (std::size_t label = 0; label < classes.size(); ++label)
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

Folder look(const DataFiles& files)
{
    const fs::path& train = files.train.front();
    const fs::path& test = files.test.front();
    Folder folder;
    folder.path = files.folder;
    try {
        folder.classes = classesOf(train, test);
        folder.train = samplesBelow(train, folder.classes);
        folder.test = samplesBelow(test, folder.classes);
    } catch (const fs::filesystem_error& error) {
        throw DataError(
            error.path1().string() + " cannot be looked into: " + error.code().message() + ".");
    }
    readHeaders(folder.train, folder.path);
    readHeaders(folder.test, folder.path);
    return folder;
}

// ---- one size for all ----

using Size = std::pair<std::int64_t, std::int64_t>; // height, width

struct Shape {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    std::int64_t pixels() const { return channels * height * width; }
};

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
    return std::count_if(folder.train.begin(), folder.train.end(), holds)
        + std::count_if(folder.test.begin(), folder.test.end(), holds);
}

bool isReadable(const Sample& sample)
{
    return sample.problem.empty();
}

bool isColour(const Sample& sample)
{
    return isReadable(sample) && !sample.header.isGrey;
}

Shape shapeOf(const Folder& folder, const std::optional<std::int64_t>& side)
{
    const Size size = side ? Size { *side, *side } : mostCommonSize(folder.train);
    return { countOf(folder, isColour) == 0 ? 1 : 3, size.first, size.second };
}

Shape shapeAs(const PictureForm& form, const Folder& folder)
{
    if (form.channels == 1 && countOf(folder, isColour) > 0)
        throw DataError(folder.path.string()
            + " holds pictures in colour, but the model was trained on grey ones: make them grey.");
    return { form.channels, form.height, form.width };
}

std::int64_t resizedOf(const Folder& folder, const Shape& shape)
{
    return countOf(folder, [&](const Sample& sample) {
        const bool fits =
            sample.header.height == shape.height && sample.header.width == shape.width;
        return isReadable(sample) && !fits;
    });
}

std::int64_t readableOf(const std::vector<Sample>& samples)
{
    return std::count_if(samples.begin(), samples.end(), isReadable);
}

std::string describe(const Folder& folder, const Shape& shape, const std::string& whatBecomes)
{
    const std::int64_t train = readableOf(folder.train);
    const std::int64_t test = readableOf(folder.test);
    const auto all = static_cast<std::int64_t>(folder.train.size() + folder.test.size());
    const std::int64_t resized = resizedOf(folder, shape);
    return formatCount(train) + " train and " + formatCount(test) + " test, "
        + std::to_string(shape.height) + " × " + std::to_string(shape.width)
        + (shape.channels == 1 ? " grey" : " colour") + " in "
        + std::to_string(folder.classes.size()) + " classes, "
        + formatBytes((train + test) * shape.pixels())
        + (resized > 0 ? ", " + formatCount(resized) + " resized" : "")
        + (train + test < all ? ", " + formatCount(all - train - test) + whatBecomes : "");
}

void checkMemory(const Folder& folder, const Shape& shape)
{
    const auto samples = static_cast<std::int64_t>(folder.train.size() + folder.test.size());
    if (shape.pixels() <= kLargestImageSet / samples)
        return;
    throw DataError(folder.path.string() + " holds " + formatCount(samples) + " pictures, at "
        + std::to_string(shape.height) + " × " + std::to_string(shape.width) + " "
        + formatBytes(samples * shape.pixels()) + ", more than the largest allowed, "
        + formatBytes(kLargestImageSet) + ": give a smaller data.image_size.");
}

// ---- what cannot be read ----

void refuseUnreadable(const Folder& folder)
{
    constexpr int kNamed = 5;
    std::string named;
    std::int64_t count = 0;
    for (const std::vector<Sample>* samples : { &folder.train, &folder.test })
        for (const Sample& sample : *samples)
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

void requireEveryClass(
    const Folder& folder, const std::vector<Sample>& samples, const fs::path& split)
{
    std::vector<bool> seen(folder.classes.size());
    for (const Sample& sample : samples)
        if (isReadable(sample))
            seen[sample.label] = true;
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (lost != seen.end())
        throw DataError(
            (split / folder.classes[static_cast<std::size_t>(lost - seen.begin())]).string()
            + " holds no picture that can be read: every class needs one in train and in test.");
}

void checkReadable(const Folder& folder, const DataFiles& files, Unreadable unreadable)
{
    if (unreadable == Unreadable::Refuse)
        refuseUnreadable(folder);
    requireEveryClass(folder, folder.train, files.train.front());
    requireEveryClass(folder, folder.test, files.test.front());
}

// ---- pixels ----

// A sample that turns out to be damaged gets a problem, and its place in the split stays black.
RawSplit decode(std::vector<Sample>& samples, const Shape& shape, const fs::path& below)
{
    RawSplit split;
    split.samples = static_cast<std::int64_t>(samples.size());
    split.channels = shape.channels;
    split.height = shape.height;
    split.width = shape.width;
    split.images.resize(static_cast<std::size_t>(split.samples * split.pixels()));
    readAll(samples, below, [&](Sample& sample, std::size_t number) {
        const Image image = readImage(sample.file);
        if (image.channels > shape.channels)
            throw ImageError("was changed while it was read");
        writePlanes(image, shape.channels, shape.height, shape.width,
            split.images.data() + static_cast<std::int64_t>(number) * split.pixels());
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
    const Shape shape = form ? shapeAs(*form, folder) : shapeOf(folder, settings.imageSize);
    checkMemory(folder, shape);
    RawData data;
    data.name = nameOf(DataName::Images);
    data.classNames = folder.classes;
    data.train = decode(folder.train, shape, folder.path);
    data.test = decode(folder.test, shape, folder.path);
    checkReadable(folder, files, settings.unreadable);
    keepReadable(data.train, folder.train);
    keepReadable(data.test, folder.test);
    data.description = "images, " + describe(folder, shape, " unreadable ones skipped");
    return data;
}

DataSummary checkImageDataSet(const DataFiles& files)
{
    const Folder folder = look(files);
    requireEveryClass(folder, folder.train, files.train.front());
    requireEveryClass(folder, folder.test, files.test.front());
    const Shape shape = shapeOf(folder, {});
    return { readableOf(folder.train), readableOf(folder.test),
        describe(folder, shape, " unreadable"),
        { shape.channels, shape.height, shape.width,
            static_cast<std::int64_t>(folder.classes.size()) } };
}

} // namespace accrue
