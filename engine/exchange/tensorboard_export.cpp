// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_export.h"

#include "engine/base/output_file.h"
#include "engine/base/unfinished.h"
#include "engine/exchange/export_check.h"
#include "engine/exchange/exported_series.h"
#include "engine/exchange/hparams.h"
#include "engine/exchange/tensorboard_event.h"
#include "engine/exchange/tensorboard_histogram.h"
#include "engine/exchange/tensorboard_tags.h"
#include "engine/runlog/histogram_reader.h"
#include "engine/runlog/series_rows.h"
#include "engine/runs/run_log_error.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace accrue {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t { 1 } << 20;

WriteFailure failureOf(const fs::path& name)
{
    return [name](WriteStep, int error) {
        const RunLogError::Kind kind = RunLogError::kindOf(error);
        const bool full = kind == RunLogError::Kind::Machine && error != EIO;
        throw RunLogError(
            Message("exchange.event_file_failed",
                { { "file", name.string() }, { "reason", std::string(std::strerror(error)) },
                    { "advice",
                        full ? Message("runlog.csv_needs_space")
                             : Message("runlog.csv_elsewhere") } }),
            kind);
    };
}

double secondsOf(std::int64_t milliseconds)
{
    return static_cast<double>(milliseconds) / 1000;
}

// A run's folder and file. The file's name is that of no other run of any log, so that a file of
// that name may be replaced, and begins as TensorBoard wants it.
class RunPlace {
public:
    RunPlace(RunLogReader& log, const RunRecord& run, const fs::path& folder)
        : m_folder(folder / folderNameOf(run))
        , m_name("events.out.tfevents." + std::to_string(run.createdMs / 1000) + ".accrue."
              + log.checkpointFolder(run.id).filename().string())
    {
    }
    const fs::path& folder() const { return m_folder; }
    fs::path file() const { return m_folder / m_name; }

    // Throws RunLogError if the folder has anything but this run's file.
    void requireFree() const
    {
        std::error_code error;
        const fs::file_status status = fs::symlink_status(m_folder, error);
        if (!fs::exists(status))
            return;
        if (!fs::is_directory(status))
            throw RunLogError(
                Message("exchange.no_folder_of_a_run", { { "folder", m_folder.string() } }));
        for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, error))
            if (entry.path().filename() != m_name)
                throw RunLogError(Message("exchange.something_in_the_way",
                    { { "folder", m_folder.string() },
                        { "file", entry.path().filename().string() } }));
        if (error)
            failureOf(m_folder)(WriteStep::Make, error.value());
    }

private:
    const fs::path m_folder;
    const std::string m_name;
};

// The file of a run until it has its name. It is written beside the folder, because TensorBoard
// reads every file of a folder whose name has "tfevents" in it.
class EventFile {
public:
    explicit EventFile(RunPlace place)
        : m_place(std::move(place))
        , m_unfinished(m_place.folder())
        , m_out(m_unfinished.path(), failureOf(m_place.file()), OutputFile::Existing::Refuse)
    {
        m_buffer.reserve(kBufferBytes + 4096);
    }

    std::string& buffer() { return m_buffer; }
    void flushIfFull()
    {
        if (m_buffer.size() >= kBufferBytes)
            flush();
    }
    void close()
    {
        flush();
        m_out.close();
        m_buffer = {};
    }
    void place()
    {
        std::error_code error;
        fs::create_directory(m_place.folder(), error);
        Unfinished complete(m_unfinished.path(), m_place.file());
        if (error)
            failureOf(m_place.file())(WriteStep::Make, error.value());
        if (!complete.place())
            failureOf(m_place.file())(WriteStep::Replace, errno);
    }
    std::int64_t size() const { return m_out.size(); }
    const fs::path& folder() const { return m_place.folder(); }

private:
    void flush()
    {
        m_out.write(m_buffer);
        m_buffer.clear();
    }

    const RunPlace m_place;
    const Unfinished m_unfinished;
    OutputFile m_out;
    std::string m_buffer;
};

// When a row was logged: the training time since its attempt began, from when that began. Pauses
// are not in it.
class WallTimes {
public:
    WallTimes(RunLogReader& log, const RunRecord& run)
        : m_attempts(log.attempts(run.id))
    {
        if (m_attempts.empty()) // format 1
            m_attempts.emplace_back().startedMs = run.createdMs;
    }
    template <typename Row> double of(const Row& row) const
    {
        const RunAttempt* in = &m_attempts.front();
        for (const RunAttempt& attempt : m_attempts)
            if (attempt.from.step < row.step)
                in = &attempt;
        return secondsOf(in->startedMs) + row.seconds - in->from.seconds;
    }

private:
    std::vector<RunAttempt> m_attempts;
};

Settings hparamsOf(const RunRecord& run)
{
    Settings settings = settledSettings(run);
    std::erase_if(settings, [](const auto& setting) { return setting.first == "name"; });
    return settings;
}

// Of all runs together.
HparamsColumns columnsOf(RunLogReader& log, const std::vector<RunId>& runs)
{
    HparamsColumns columns;
    for (const RunId run : runs)
        for (auto& [key, value] : hparamsOf(log.run(run)))
            columns.settings.try_emplace(key, std::move(value));
    for (const MetricInfo& metric : summarisedMetrics(log, runs))
        if (metric.section == MetricSection::Evaluation || metric.section == MetricSection::Epoch
            || metric.id == MetricId::Loss || metric.section == MetricSection::Elsewhere)
            columns.metricTags.push_back(tagOf(metric));
    return columns;
}

class RunEvents {
public:
    RunEvents(RunLogReader& log, ExportCheck& check, const RunRecord& run, EventFile& file)
        : m_log(log)
        , m_check(check)
        , m_run(run)
        , m_file(file)
        , m_times(log, run)
    {
    }

    // Returns the number of values, or of those so far if `goesOn`, which gets the share of the run
    // that is done, returns false.
    template <typename GoesOn>
    std::int64_t write(const std::string& experiment, const GoesOn& goesOn)
    {
        writeBeginning(experiment);
        const std::vector<MetricInfo> written = seriesOf(m_log, m_run.id);
        std::int64_t values = 0;
        double done = 0;
        for (const MetricInfo& metric : written) {
            if (!goesOn(done++ / static_cast<double>(written.size())))
                return values;
            values += writeMetric(metric);
        }
        values += writeHistograms();
        writeEnd();
        return values;
    }

private:
    void writeBeginning(const std::string& experiment)
    {
        const double began = secondsOf(m_run.createdMs);
        appendVersion(m_file.buffer(), began);
        appendHparams(m_file.buffer(), began, kExperimentTag, experiment);
        appendHparams(
            m_file.buffer(), began, kSessionStartTag, sessionStartData(hparamsOf(m_run), began));
    }

    std::int64_t writeMetric(const MetricInfo& metric)
    {
        const std::vector<SeriesRow> rows = m_log.rows(
            m_run.id, metric.name, m_check.wholeRows(m_run.id, tableOf(m_run, metric.name)));
        std::string tag = tagOf(metric);
        std::int64_t rank = 0;
        for (const SeriesRow& row : rows) {
            if (row.rank != std::exchange(rank, row.rank))
                tag = tagOf(metric, row.rank);
            appendScalar(m_file.buffer(), m_times.of(row),
                isByMicroBatch(metric) ? row.microBatches : row.step, tag, row.value);
            m_file.flushIfFull();
        }
        return static_cast<std::int64_t>(rows.size());
    }

    std::int64_t writeHistograms()
    {
        const std::vector<RowRange>* const whole =
            m_check.wholeRows(m_run.id, CheckedTable::Histograms);
        HistogramReader reader(m_log.file());
        std::int64_t written = 0;
        for (const std::string& parameter : reader.names(m_run.id).parameters)
            for (const HistogramOf of : { HistogramOf::Value, HistogramOf::Gradient })
                for (const HistogramAtStep& each :
                    reader.histograms(m_run.id, parameter, of, HistogramReader::kAll, whole))
                    written += writeHistogram(each) ? 1 : 0;
        return written;
    }

    // TensorBoard has none without finite numbers.
    bool writeHistogram(const HistogramAtStep& each)
    {
        const std::string proto = histogramProto(each.histogram);
        if (proto.empty())
            return false;
        appendHistogram(m_file.buffer(), m_times.of(each), each.step, tagOf(each.histogram), proto);
        m_file.flushIfFull();
        return true;
    }

    void writeEnd()
    {
        const double ended = secondsOf(m_run.endedMs);
        appendHparams(m_file.buffer(), ended, kSessionEndTag, sessionEndData(m_run.outcome, ended));
        m_file.close();
    }

    RunLogReader& m_log;
    ExportCheck& m_check;
    const RunRecord& m_run;
    EventFile& m_file;
    const WallTimes m_times;
};

// The folder for all of them; one that this export has made goes with it if it fails.
class TargetFolder {
public:
    explicit TargetFolder(const fs::path& folder)
        : m_folder(folder)
    {
        std::error_code error;
        const fs::file_status status = fs::status(folder, error);
        if (fs::exists(status) && !fs::is_directory(status))
            throw RunLogError(
                Message("exchange.no_target_folder", { { "folder", folder.string() } }));
        m_isOurs = fs::create_directories(folder, error);
        if (error)
            failureOf(folder)(WriteStep::Make, error.value());
    }
    ~TargetFolder()
    {
        std::error_code notEmpty;
        if (m_isOurs)
            fs::remove(m_folder, notEmpty);
    }
    TargetFolder(const TargetFolder&) = delete;
    TargetFolder& operator=(const TargetFolder&) = delete;

private:
    const fs::path m_folder;
    bool m_isOurs = false;
};

} // namespace

std::optional<TensorBoardExport> exportTensorBoard(RunLogReader& log,
    const std::vector<RunId>& runs, const fs::path& folder, const CsvProgress& progress,
    std::vector<LogDamage>* leftOut)
{
    for (const RunId run : runs)
        RunPlace(log, log.run(run), folder).requireFree();
    const TargetFolder target(folder); // destroyed after the files in it
    ExportCheck check(log, leftOut, "accrue export --tensorboard DIR --damaged");
    const std::string experiment = experimentData(columnsOf(log, runs));
    TensorBoardExport done;
    std::vector<std::unique_ptr<EventFile>> files;
    bool on = true;
    for (std::size_t i = 0; on && i < runs.size(); ++i) {
        const auto goesOn = [&](double shareOfRun) {
            on = !progress
                || progress(
                    (static_cast<double>(i) + shareOfRun) / static_cast<double>(runs.size()));
            return on;
        };
        log.inOneState([&] {
            if (!check.takes(runs[i]))
                return;
            const RunRecord run = log.run(runs[i]);
            files.push_back(std::make_unique<EventFile>(RunPlace(log, run, folder)));
            done.values += RunEvents(log, check, run, *files.back()).write(experiment, goesOn);
        });
    }
    if (!on)
        return std::nullopt;
    for (const auto& file : files) {
        file->place();
        done.bytes += file->size();
        done.folders.push_back(file->folder());
    }
    return done;
}

} // namespace accrue
