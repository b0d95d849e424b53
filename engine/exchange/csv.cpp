// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv.h"

#include "engine/base/format.h"
#include "engine/events/event_json.h"
#include "engine/exchange/csv_file.h"
#include "engine/exchange/export_check.h"
#include "engine/exchange/exported_series.h"
#include "engine/runlog/series_rows.h"
#include "engine/runs/run_json.h"
#include "engine/runs/run_tags.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cstddef>
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
        line += exactNumber(row.seconds) + name + exactNumber(row.value) + ",";
        line += std::to_string(row.rank);
        csv.writeLine(line);
    }
}

// The wide form: the header and the cell of a run side by side, ready to be written. Stored in
// pairs, so that headers and cells cannot get out of step.
struct CsvColumn {
    std::string header;
    std::string cell;
};
using CsvColumns = std::vector<CsvColumn>;

CsvColumn text(const std::string& header, std::string_view value)
{
    return { header, CsvFile::textCell(value) };
}

CsvColumn count(const std::string& header, std::int64_t value)
{
    return { header, std::to_string(value) };
}

CsvColumn number(const std::string& header, double value)
{
    return { header, exactNumber(value) };
}

std::string lineOf(const CsvColumns& columns, std::string CsvColumn::*part)
{
    std::string line;
    for (const CsvColumn& column : columns)
        line += (line.empty() ? "" : ",") + column.*part;
    return line;
}

CsvColumns identityColumns(const RunRecord& run)
{
    return { count("run", numberOf(run.id)), text("name", run.name),
        text("state", nameOf(run.state)), text("outcome", run.outcome ? nameOf(*run.outcome) : ""),
        count("attempt", run.attempt), text("created", isoTime(run.createdMs)),
        text("ended", run.endedMs == 0 ? "" : isoTime(run.endedMs)),
        { "archived", run.archived ? "true" : "false" }, text("note", run.note),
        text("tags", textOfTags(run.tags)), text("message", run.message.english()),
        text("host", run.host), text("device", run.device), text("device_name", run.deviceName),
        count("threads", run.threads), text("program_version", run.programVersion),
        text("code_revision", run.codeRevision), text("torch_version", run.torchVersion),
        text("cuda_version", run.cudaVersion), text("data", run.dataDescription.english()),
        text("checkpoint", run.checkpoint), text("source", nameOf(run.source)),
        text("origin", run.origin) };
}

// Without a recipe nothing was planned.
CsvColumns planColumns(const RunRecord& run)
{
    const auto count = [&run](const std::string& header, std::int64_t value) {
        return CsvColumn { header, hasRecipe(run) ? std::to_string(value) : std::string() };
    };
    return { count("parameters", run.parameters), count("train_samples", run.trainSamples),
        count("test_samples", run.testSamples), count("plan.effective", run.plan.effective),
        count("plan.micro", run.plan.micro), count("plan.steps", run.plan.steps),
        count("plan.devices", run.plan.devices), count("plan.epoch_windows", run.epochPlan.windows),
        count("plan.tail_samples", run.epochPlan.tailSamples),
        count("total_steps", run.totalSteps) };
}

CsvColumn settingColumn(const std::string& key, const std::optional<SettingValue>& value)
{
    const std::string header = CsvFile::textCell(key);
    if (!value)
        return { header, {} };
    const std::string shown = settingText(*value);
    // Numbers and booleans need neither quotes nor an apostrophe.
    const bool isText = std::holds_alternative<std::string>(*value);
    return isText ? text(header, shown) : CsvColumn { header, shown };
}

CsvColumns settingColumns(const RunRecord& run, const std::vector<std::string>& others)
{
    CsvColumns columns;
    for (const KeyInfo& key : experimentKeys())
        if (key.key != "name") // the run's own name is already there, and may have been changed
            columns.push_back(settingColumn(key.key,
                hasRecipe(run) ? settingOf(run.experiment, key.key)
                               : settledSetting(run, key.key)));
    for (const std::string& key : others)
        columns.push_back(settingColumn(key, settledSetting(run, key)));
    return columns;
}

CsvColumns progressColumns(const RunRecord& run)
{
    return { count("step", run.step), count("samples", run.samples),
        count("micro_batches", run.microBatches), count("epoch", run.epoch),
        number("seconds", run.seconds), number(nameOf(MetricId::Throughput), run.throughput),
        count(nameOf(MetricId::PeakBytes), run.peakBytes) };
}

// Every metric has its five columns in every row, empty if the run has no value of it.
CsvColumns summaryColumns(
    const std::vector<MetricInfo>& shown, const std::vector<MetricSummary>& summaries)
{
    CsvColumns columns;
    for (const MetricInfo& metric : shown) {
        const auto found = std::ranges::find(summaries, metric.name, &MetricSummary::metric);
        const bool known = found != summaries.end();
        const MetricSummary values = known ? *found : MetricSummary {};
        for (const CsvColumn& column : { number("final", values.final), number("best", values.best),
                 count("best_step", values.bestStep), number("min", values.min),
                 number("max", values.max) })
            columns.push_back({ CsvFile::textCell(metric.name + "." + column.header),
                known ? column.cell : std::string() });
    }
    return columns;
}

// All rows have the columns of all exported runs, so that the table is rectangular.
struct ColumnsOfAll {
    std::vector<MetricInfo> metrics;
    std::vector<std::string> otherKeys; // keysOfOthers
};

ColumnsOfAll columnsOfAll(RunLogReader& log, const std::vector<RunId>& runs)
{
    std::vector<RunRecord> records = log.runs(RunLogReader::Archived::Show);
    std::erase_if(records,
        [&](const RunRecord& run) { return std::ranges::find(runs, run.id) == runs.end(); });
    return { summarisedMetrics(log, runs), keysOfOthers(records) };
}

CsvColumns columnsOf(
    const RunRecord& run, const ColumnsOfAll& all, const std::vector<MetricSummary>& summaries)
{
    CsvColumns columns;
    for (const CsvColumns& some :
        { identityColumns(run), planColumns(run), settingColumns(run, all.otherKeys),
            progressColumns(run), summaryColumns(all.metrics, summaries) })
        columns.insert(columns.end(), some.begin(), some.end());
    return columns;
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
        "run,name,step,samples,micro_batches,epoch,seconds,metric,value,rank", progress, leftOut,
        kExportCall, [&](CsvFile& csv, ExportCheck& check, RunId id, const auto& goesOn) {
            const RunRecord run = log.run(id);
            const std::vector<MetricInfo> written = seriesOf(log, id);
            double done = 0;
            for (const MetricInfo& metric : written) {
                if (!goesOn(done++ / static_cast<double>(written.size())))
                    return;
                const auto* whole = check.wholeRows(id, tableOf(run, metric.name));
                writeMetric(csv, run, metric.name, log.rows(id, metric.name, whole));
            }
        });
}

bool exportRunsCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    const ColumnsOfAll shown = columnsOfAll(log, runs);
    return exportByRun(log, runs, target, lineOf(columnsOf({}, shown, {}), &CsvColumn::header),
        progress, leftOut, kExportCall, [&](CsvFile& csv, ExportCheck&, RunId id, const auto&) {
            csv.writeLine(
                lineOf(columnsOf(log.run(id), shown, log.summaries(id)), &CsvColumn::cell));
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
