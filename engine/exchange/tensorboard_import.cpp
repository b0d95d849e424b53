// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_import.h"

#include "engine/base/error.h"
#include "engine/base/sha.h"
#include "engine/base/shown_text.h"
#include "engine/exchange/hparams.h"
#include "engine/exchange/record_file.h"
#include "engine/exchange/tensorboard_event.h"
#include "engine/exchange/tensorboard_histogram.h"
#include "engine/experiment/run_name.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace accrue {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "tfevents"; // in the names of event files
constexpr std::size_t kTokenDigits = 32;
constexpr std::size_t kLongestTag = 500; // bytes; a row of the log repeats it
constexpr double kLatestTime = 1e11; // seconds; the year 5138

Message nameOfFile(const fs::path& file)
{
    return Message::plain(madeOneLine(file.string()));
}

// The name of what a tag stands for, in the log.
std::string nameOfTag(std::string_view tag)
{
    const std::string name = madeOneLine(firstBytes(tag, kLongestTag));
    return name.empty() ? "value" : name;
}

// The histograms of a folder, one after the other.
class HistogramSums {
public:
    void add(std::int64_t step, double time, std::string_view tag, ParameterHistogram histogram)
    {
        const HistogramTag named = histogramTagOf(tag);
        histogram.parameter = nameOfTag(named.parameter);
        histogram.of = named.of;
        const std::size_t place =
            m_order.emplace(histogram.parameter, m_order.size()).first->second;
        OfStep& at = m_steps[step];
        at.time = time;
        const HistogramOf of = histogram.of;
        at.histograms.insert_or_assign({ place, of }, std::move(histogram)); // the last one counts
    }

    bool isEmpty() const { return m_steps.empty(); }

    void forgetFrom(std::int64_t step) { m_steps.erase(m_steps.lower_bound(step), m_steps.end()); }

    // By step, and in a step by the order in which parameters first came.
    std::vector<HistogramsMeasured> moved(double began)
    {
        std::vector<HistogramsMeasured> all;
        all.reserve(m_steps.size());
        for (auto& [step, at] : m_steps) {
            HistogramsMeasured& measured = all.emplace_back();
            measured.step = step;
            measured.seconds = std::max(0.0, at.time - began);
            for (auto& [place, histogram] : at.histograms)
                measured.histograms.push_back(std::move(histogram));
        }
        return all;
    }

private:
    struct OfStep {
        double time = 0; // of the last one
        std::map<std::pair<std::size_t, HistogramOf>, ParameterHistogram> histograms;
    };

    std::map<std::int64_t, OfStep> m_steps;
    std::map<std::string, std::size_t> m_order; // of parameters
};

// What the events of a folder add up to, one after the other.
class EventSums {
public:
    void add(const EventRecord& event)
    {
        if (event.isSessionStart)
            forgetFrom(event.step);
        const double time = isTime(event.wallTime) ? event.wallTime : 0;
        for (const EventValue& value : event.values) {
            takePlugin(value);
            if (value.number && (!value.isTensor || m_scalarTags.contains(value.tag)))
                addScalar(event.step, time, value);
            if (value.histogram || (value.isTensor && m_histogramTags.contains(value.tag)))
                addHistogram(event.step, time, value);
        }
    }

    bool isEmpty() const
    {
        return m_series.empty() && m_histograms.isEmpty() && m_hparams.settings.empty();
    }
    std::int64_t belowZero() const { return m_belowZero; }
    std::int64_t wrongHistograms() const { return m_wrongHistograms; }

    // The times of the points become seconds since the first one.
    void moveInto(ForeignRun& run)
    {
        for (auto& [tag, points] : m_series) {
            ForeignSeries& series = run.series.emplace_back();
            series.metric = tag;
            series.points = std::move(points);
            putInOrder(series);
            for (ForeignPoint& point : series.points)
                point.seconds = std::max(0.0, point.seconds - m_began);
        }
        run.histograms = m_histograms.moved(m_began);
        run.settings = std::move(m_hparams.settings);
        run.outcome = m_hparams.outcome.value_or(RunOutcome::Completed);
        const bool isTimed = m_ended >= m_began;
        run.createdMs = isTimed ? std::llround(m_began * 1000) : 0;
        run.endedMs = isTimed ? std::llround(m_ended * 1000) : 0;
    }

private:
    static bool isTime(double seconds) { return seconds >= 0 && seconds < kLatestTime; }

    // Only the first value of a tag need have it.
    void takePlugin(const EventValue& value)
    {
        if (!value.pluginContent.empty() && value.plugin == kHparamsPlugin)
            readHparams(m_hparams, value.pluginContent);
        if (value.plugin == kScalarsPlugin)
            m_scalarTags.emplace(value.tag);
        if (value.plugin == kHistogramsPlugin)
            m_histogramTags.emplace(value.tag);
    }

    // False: the step is below zero.
    bool takePlace(std::int64_t step, double time)
    {
        if (step < 0) {
            ++m_belowZero;
            return false;
        }
        m_began = std::min(m_began, time);
        m_ended = std::max(m_ended, time);
        return true;
    }

    void addScalar(std::int64_t step, double time, const EventValue& value)
    {
        if (takePlace(step, time))
            pointsOf(value.tag).push_back({ step, time, *value.number });
    }

    void addHistogram(std::int64_t step, double time, const EventValue& value)
    {
        std::optional<ParameterHistogram> histogram =
            value.histogram ? histogramInProto(*value.histogram) : histogramInTensor(value.tensor);
        if (!histogram)
            ++m_wrongHistograms;
        else if (!histogram->counts.empty() && takePlace(step, time))
            m_histograms.add(step, time, value.tag, std::move(*histogram));
    }

    std::vector<ForeignPoint>& pointsOf(std::string_view tag)
    {
        if (const auto known = m_series.find(tag); known != m_series.end())
            return known->second;
        return m_series[nameOfTag(tag)];
    }

    void forgetFrom(std::int64_t step)
    {
        for (auto& [tag, points] : m_series)
            std::erase_if(points, [&](const ForeignPoint& point) { return point.step >= step; });
        std::erase_if(m_series, [](const auto& series) { return series.second.empty(); });
        m_histograms.forgetFrom(step);
    }

    std::map<std::string, std::vector<ForeignPoint>, std::less<>> m_series; // times, by tag
    HistogramSums m_histograms;
    std::set<std::string, std::less<>> m_scalarTags; // whose tensors are scalars
    std::set<std::string, std::less<>> m_histogramTags; // whose tensors are histograms
    HparamsOfRun m_hparams;
    double m_began = std::numeric_limits<double>::infinity();
    double m_ended = -std::numeric_limits<double>::infinity();
    std::int64_t m_belowZero = 0;
    std::int64_t m_wrongHistograms = 0;
};

// What of a file could not be read.
void addProblems(std::vector<Message>& problems, const fs::path& file, const RecordReader& reader,
    std::int64_t damaged, std::int64_t events)
{
    if (reader.unreadableFrom() == 0) {
        problems.push_back(Message("exchange.not_an_event_file", { { "file", nameOfFile(file) } }));
        return;
    }
    if (damaged > 0)
        problems.push_back(Message(
            "exchange.damaged_events", { { "file", nameOfFile(file) }, { "count", damaged } }));
    if (const auto from = reader.unreadableFrom())
        problems.push_back(Message("exchange.unreadable_events",
            { { "file", nameOfFile(file) },
                { "bytes", ByteCount { static_cast<std::int64_t>(reader.size() - *from) } },
                { "byte", *from }, { "events", events } }));
    if (const auto at = reader.cutOffAt())
        problems.push_back(Message("exchange.events_cut_off",
            { { "file", nameOfFile(file) }, { "byte", *at }, { "events", events } }));
}

// Adds all events of a file. Returns its first record, which has the time at which it was begun,
// and the first one with a value; empty: it has none.
std::string readFile(EventSums& sums, std::vector<Message>& problems, const fs::path& file)
try {
    RecordReader reader(file);
    std::string begun;
    std::string identity;
    std::int64_t events = 0;
    std::int64_t noEvents = 0;
    while (const auto record = reader.next()) {
        if (const std::optional<EventRecord> event = eventIn(*record)) {
            if (events++ == 0)
                begun = *record;
            if (identity.empty() && !event->values.empty())
                identity = begun + std::string(*record);
            sums.add(*event);
        } else {
            ++noEvents;
        }
    }
    addProblems(problems, file, reader, reader.damagedRecords() + noEvents, events);
    return identity;
} catch (const Error& error) { // it cannot be read
    problems.push_back(error.message());
    return {};
}

std::string tokenOf(const fs::path& file, const std::string& beginning)
{
    const std::string all = "tensorboard\n" + file.filename().string() + "\n" + beginning;
    return sha256(all.data(), all.size()).substr(0, kTokenDigits);
}

// As TensorBoard names it: by its place below the folder, or the folder itself.
std::string runNameOf(const EventFolder& events, const fs::path& folder)
{
    const fs::path whole = fs::absolute(folder).lexically_normal();
    const fs::path last = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
    const std::string name = madeOneLine(events.name == "." ? last.string() : events.name);
    return name.empty() ? "tensorboard" : cutToRunName(name);
}

} // namespace

bool isEventFile(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored)
        && file.filename().string().find(kMark) != std::string::npos;
}

std::vector<EventFolder> eventFoldersIn(const fs::path& given)
{
    // Without a slash at its end, with which no path of an entry begins.
    const fs::path folder = given.has_filename() ? given : given.parent_path();
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw RunLogError(
            Message("exchange.no_folder_of_events", { { "folder", given.string() } }));
    std::map<std::string, EventFolder> found;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, options, error), end;
         !error && entry != end; entry.increment(error)) {
        if (!isEventFile(*entry))
            continue;
        const std::string name =
            entry->path().parent_path().lexically_relative(folder).generic_string();
        found[name].name = name;
        found[name].files.push_back(entry->path());
    }
    if (error)
        throw RunLogError(Message("exchange.folder_not_read",
            { { "folder", folder.string() }, { "reason", error.message() } }));
    std::vector<EventFolder> folders;
    for (auto& [name, events] : found) {
        std::sort(events.files.begin(), events.files.end());
        folders.push_back(std::move(events));
    }
    return folders;
}

ReadEvents readEvents(const EventFolder& events, const fs::path& folder)
{
    ReadEvents read;
    EventSums sums;
    std::string token;
    for (const fs::path& file : events.files) {
        const std::string beginning = readFile(sums, read.problems, file);
        if (token.empty() && !beginning.empty())
            token = tokenOf(file, beginning);
    }
    if (sums.belowZero() > 0)
        read.problems.push_back(Message("exchange.steps_below_zero",
            { { "run", madeOneLine(events.name) }, { "count", sums.belowZero() } }));
    if (sums.wrongHistograms() > 0)
        read.problems.push_back(Message("exchange.wrong_histograms",
            { { "run", madeOneLine(events.name) }, { "count", sums.wrongHistograms() } }));
    if (sums.isEmpty())
        return read;
    ForeignRun& run = read.run.emplace();
    sums.moveInto(run);
    run.token = token;
    run.source = RunSource::TensorBoard;
    run.origin = (folder / (events.name == "." ? "" : events.name)).lexically_normal().string();
    run.name = runNameOf(events, folder);
    return read;
}

Message noEventsIn(const fs::path& folder)
{
    return Message("exchange.no_events", { { "folder", folder.string() } });
}

std::vector<Message> readRuns(const std::vector<EventFolder>& folders,
    const std::filesystem::path& folder, const std::function<bool(const ForeignRun&)>& take)
{
    std::vector<Message> problems;
    std::set<std::string> tokens;
    for (const EventFolder& events : folders) {
        ReadEvents read = readEvents(events, folder);
        std::move(read.problems.begin(), read.problems.end(), std::back_inserter(problems));
        if (!read.run)
            continue;
        if (!tokens.insert(read.run->token).second)
            problems.push_back(
                Message("exchange.same_events", { { "folder", nameOfFile(read.run->origin) } }));
        else if (!take(*read.run))
            break;
    }
    return problems;
}

} // namespace accrue
