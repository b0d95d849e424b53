// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/csv.h"

#include "engine/base/format.h"
#include "engine/events/event_json.h"
#include "engine/runlog/csv_file.h"
#include "engine/runlog/export_check.h"
#include "engine/runlog/series_rows.h"
#include "engine/runs/run_json.h"
#include "engine/runs/run_tags.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <system_error>

// The long form has a line for each value, the wide one a line for each run. Both are written while
// they are read, run by run, into a file that gets its name at the end, so that an export that is
// cancelled or fails leaves nothing.

namespace accrue {

namespace {

void writeMetric(CsvFile& csv, const RunRecord& run, const std::string& metric,
    const std::vector<SeriesRow>& rows)
{
    // The same for all rows, so the loop below formats only numbers. The name is quoted, because a
    // metric that the table lacks may have any name.
    const std::string name = "," + CsvFile::textCell(metric) + ",";
    const std::string head =
        std::to_string(numberOf(run.id)) + "," + CsvFile::textCell(run.name) + ",";
    for (const SeriesRow& row : rows) {
        std::string line = head;
        line += std::to_string(row.step) + "," + std::to_string(row.samples) + ",";
        line += std::to_string(row.microBatches) + "," + std::to_string(row.epoch) + ",";
        line += exactNumber(row.seconds) + name + exactNumber(row.value);
        csv.writeLine(line);
    }
}

// The wide form: the header and the cell of a run side by side, ready to be written. Stored in
// pairs, so that headers and cells cannot get out of step.
struct CsvColumn {
    std::string header;
    std::string cell;
};

class RunColumns {
public:
    void text(const std::string& header, std::string_view value)
    {
        cell(header, CsvFile::textCell(value));
    }
    void count(const std::string& header, std::int64_t value)
    {
        cell(header, std::to_string(value));
    }
    void number(const std::string& header, double value) { cell(header, exactNumber(value)); }
    void cell(const std::string& header, const std::string& written)
    {
        m_columns.push_back({ header, written });
    }
    std::string line(std::string CsvColumn::*part) const
    {
        std::string line;
        for (const CsvColumn& column : m_columns)
            line += (line.empty() ? "" : ",") + column.*part;
        return line;
    }

private:
    std::vector<CsvColumn> m_columns;
};

void addIdentity(RunColumns& columns, const RunRecord& run)
{
    columns.count("run", numberOf(run.id));
    columns.text("name", run.name);
    columns.text("state", nameOf(run.state));
    columns.text("outcome", run.outcome ? nameOf(*run.outcome) : "");
    columns.count("attempt", run.attempt);
    columns.text("created", isoTime(run.createdMs));
    columns.text("ended", run.endedMs == 0 ? "" : isoTime(run.endedMs));
    columns.cell("archived", run.archived ? "true" : "false");
    columns.text("note", run.note);
    columns.text("tags", textOfTags(run.tags));
    columns.text("message", run.message.english());
    columns.text("host", run.host);
    columns.text("device", run.device);
    columns.text("device_name", run.deviceName);
    columns.count("threads", run.threads);
    columns.text("program_version", run.programVersion);
    columns.text("code_revision", run.codeRevision);
    columns.text("torch_version", run.torchVersion);
    columns.text("cuda_version", run.cudaVersion);
    columns.text("data", run.dataDescription.english());
    columns.text("checkpoint", run.checkpoint);
}

void addPlan(RunColumns& columns, const RunRecord& run)
{
    columns.count("parameters", run.parameters);
    columns.count("train_samples", run.trainSamples);
    columns.count("test_samples", run.testSamples);
    columns.count("plan.effective", run.plan.effective);
    columns.count("plan.micro", run.plan.micro);
    columns.count("plan.steps", run.plan.steps);
    columns.count("plan.devices", run.plan.devices);
    columns.count("plan.epoch_windows", run.epochPlan.windows);
    columns.count("plan.tail_samples", run.epochPlan.tailSamples);
    columns.count("total_steps", run.totalSteps);
}

void addSettings(RunColumns& columns, const RunRecord& run)
{
    for (const auto& [key, value] : settingsOf(run.experiment)) {
        if (key == "name")
            continue; // the run's own name is already there, and may have been changed since
        const std::string shown = settingText(value);
        // Numbers and booleans need neither quotes nor an apostrophe.
        if (std::holds_alternative<std::string>(value))
            columns.text(key, shown);
        else
            columns.cell(key, shown);
    }
}

void addProgress(RunColumns& columns, const RunRecord& run)
{
    columns.count("step", run.step);
    columns.count("samples", run.samples);
    columns.count("micro_batches", run.microBatches);
    columns.count("epoch", run.epoch);
    columns.number("seconds", run.seconds);
    columns.number(nameOf(MetricId::Throughput), run.throughput);
    columns.count(nameOf(MetricId::PeakBytes), run.peakBytes);
}

// Every metric has its five columns in every row, empty if the run has no value of it.
void addSummaries(RunColumns& columns, const std::vector<MetricInfo>& shown,
    const std::vector<MetricSummary>& summaries)
{
    for (const MetricInfo& metric : shown) {
        const auto found = std::find_if(summaries.begin(), summaries.end(),
            [&](const MetricSummary& summary) { return summary.metric == metric.name; });
        const bool known = found != summaries.end();
        const MetricSummary values = known ? *found : MetricSummary {};
        const auto add = [&](const char* part, const std::string& cell) {
            columns.cell(CsvFile::textCell(metric.name + "." + part), known ? cell : std::string());
        };
        add("final", exactNumber(values.final));
        add("best", exactNumber(values.best));
        add("best_step", std::to_string(values.bestStep));
        add("min", exactNumber(values.min));
        add("max", exactNumber(values.max));
    }
}

RunColumns columnsOf(const RunRecord& run, const std::vector<MetricInfo>& shown,
    const std::vector<MetricSummary>& summaries)
{
    RunColumns columns;
    addIdentity(columns, run);
    addPlan(columns, run);
    addSettings(columns, run);
    addProgress(columns, run);
    addSummaries(columns, shown, summaries);
    return columns;
}

// All metrics of which any of these runs has summaries. A run whose summaries cannot be read is
// reported, or left out, when its turn comes.
std::vector<MetricInfo> metricsOf(RunLogReader& log, const std::vector<RunId>& runs)
{
    std::set<std::string> names;
    for (const RunId run : runs)
        try {
            for (const MetricSummary& summary : log.summaries(run))
                names.insert(summary.metric);
        } catch (const RunLogError&) {
            continue;
        }
    return metricsBeside(names);
}

// In the order of the long form: metrics that the table lacks come last.
std::vector<MetricInfo> seriesOf(RunLogReader& log, RunId run)
{
    std::vector<MetricInfo> written = metricsOf(log, { run });
    written.insert(written.begin() + static_cast<std::ptrdiff_t>(metrics().size()),
        tracedMetrics().begin(), tracedMetrics().end());
    return written;
}

// The header and memoryCells() must have the same order; docs/run_log_format.md documents it.
std::string memoryHeader()
{
    std::string header = "run,name,step,epoch,seconds,phase,micro_batch,samples,begin_bytes,"
                         "end_bytes,peak_bytes";
    for (const char* part : { ",peak.", ",end." })
        for (std::size_t i = 0; i < kMemoryCategories; ++i)
            header += part + std::string(nameOf(static_cast<MemoryCategory>(i)));
    return header + ",cached_bytes,other_bytes";
}

std::string memoryCells(const PhaseMemory& phase)
{
    std::string line = std::string(nameOf(phase.phase)) + "," + std::to_string(phase.microBatch);
    for (const std::int64_t number :
        { phase.samples, phase.beginBytes, phase.endBytes, phase.peakBytes })
        line += "," + std::to_string(number);
    for (const CategoryBytes& part : { phase.atPeak, phase.atEnd })
        for (const std::int64_t bytes : part)
            line += "," + std::to_string(bytes);
    return line + "," + std::to_string(phase.cachedBytes) + "," + std::to_string(phase.otherBytes);
}

void writeMemory(CsvFile& csv, const RunRecord& run, const std::vector<MemoryMeasured>& memory)
{
    const std::string head =
        std::to_string(numberOf(run.id)) + "," + CsvFile::textCell(run.name) + ",";
    for (const MemoryMeasured& measured : memory)
        for (const PhaseMemory& phase : measured.phases)
            csv.writeLine(head + std::to_string(measured.step) + ","
                + std::to_string(measured.epoch) + "," + exactNumber(measured.seconds) + ","
                + memoryCells(phase));
}

// Each run in one state of the log: one that is being written has the same steps of every metric.
// `writeRun` reports its progress within the run to its last argument and stops when that returns
// false.
template <typename WriteRun>
bool exportByRun(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const std::string& header, const CsvProgress& progress, std::vector<LogDamage>* leftOut,
    const char* call, const WriteRun& writeRun)
{
    // Before the file is opened: a mistyped name must not replace the log.
    if (!target.print)
        requireOtherFile(target.file, log.file());
    CsvFile csv(target);
    ExportCheck check(log, leftOut, call);
    csv.writeLine(header);
    bool on = true;
    for (std::size_t i = 0; on && i < runs.size(); ++i) {
        const auto goesOn = [&](double shareOfRun) {
            const double done = static_cast<double>(i) + shareOfRun;
            on = !progress || progress(done / static_cast<double>(runs.size()));
            return on;
        };
        if (goesOn(0))
            log.inOneState([&] {
                if (check.takes(runs[i]))
                    writeRun(csv, check, runs[i], goesOn);
            });
    }
    // A cancelled export returns before commit(), so the temporary file disappears with `csv`.
    if (!on || (progress && !progress(1)))
        return false;
    csv.commit();
    return true;
}

} // namespace

bool exportSeriesCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    return exportByRun(log, runs, target,
        "run,name,step,samples,micro_batches,epoch,seconds,metric,value", progress, leftOut,
        kExportCall, [&](CsvFile& csv, ExportCheck& check, RunId id, const auto& goesOn) {
            const RunRecord run = log.run(id);
            const std::vector<MetricInfo> written = seriesOf(log, id);
            double done = 0;
            for (const MetricInfo& metric : written) {
                if (!goesOn(done++ / static_cast<double>(written.size())))
                    return;
                const auto* whole = check.wholeRows(id, tableOf(metric.name));
                writeMetric(csv, run, metric.name, log.rows(id, metric.name, whole));
            }
        });
}

bool exportRunsCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    // All rows have the columns of all exported runs, so that the table is rectangular.
    const std::vector<MetricInfo> shown = metricsOf(log, runs);
    return exportByRun(log, runs, target, columnsOf({}, shown, {}).line(&CsvColumn::header),
        progress, leftOut, kExportCall, [&](CsvFile& csv, ExportCheck&, RunId id, const auto&) {
            csv.writeLine(columnsOf(log.run(id), shown, log.summaries(id)).line(&CsvColumn::cell));
        });
}

bool exportMemoryCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    return exportByRun(log, runs, target, memoryHeader(), progress, leftOut,
        "accrue memory RUN --csv FILE --damaged",
        [&](CsvFile& csv, ExportCheck& check, RunId id, const auto&) {
            writeMemory(
                csv, log.run(id), log.memory(id, check.wholeRows(id, CheckedTable::Memory)));
        });
}

void requireOtherFile(const std::filesystem::path& csv, const std::filesystem::path& log)
{
    // By device and inode, not by name: a link or another spelling may lead to the log.
    for (const char* suffix : { "", "-wal", "-shm", "-lock" }) {
        std::error_code notThere;
        const std::filesystem::path part = log.string() + suffix;
        if (std::filesystem::equivalent(csv, part, notThere))
            throw RunLogError(Message("runlog.csv_would_replace_log",
                { { "file", csv.string() }, { "replaced", part.string() } }));
    }
}

void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows)
{
    CsvFile csv(file);
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += (i == 0 ? "" : ",") + CsvFile::shownCell(row[i]);
        csv.writeLine(line);
    }
    csv.commit();
}

} // namespace accrue
