// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/csv.h"

#include "engine/events/event_json.h"
#include "engine/experiment/format.h"
#include "engine/runlog/csv_file.h"
#include "engine/runlog/export_check.h"
#include "engine/runlog/run_json.h"
#include "engine/runlog/run_tags.h"
#include "engine/runlog/series_rows.h"

#include <map>
#include <system_error>

namespace accrue {

namespace {

bool goesOn(const CsvProgress& progress, std::size_t done, std::size_t all)
{
    return !progress
        || progress(all == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(all));
}

std::string countCell(std::int64_t value)
{
    return std::to_string(value);
}

void writeMetric(CsvFile& csv, const RunRecord& run, const std::string& metric,
    const std::vector<SeriesRow>& rows)
{
    // The same for all rows; the loop below makes no string but the numbers'.
    const std::string head = countCell(numberOf(run.id)) + "," + CsvFile::textCell(run.name) + ",";
    for (const SeriesRow& row : rows) {
        std::string line = head;
        line += countCell(row.step) + "," + countCell(row.samples) + ",";
        line += countCell(row.microBatches) + "," + countCell(row.epoch) + ",";
        line += exactNumber(row.seconds) + "," + metric + "," + exactNumber(row.value);
        csv.writeLine(line);
    }
}

// A column of the wide form; the header and the cell of a run side by side.
struct Column {
    std::string header;
    std::string cell; // ready to be written
};

void addIdentity(std::vector<Column>& columns, const RunRecord& run)
{
    const auto text = [&](const char* header, std::string_view value) {
        columns.push_back({ header, CsvFile::textCell(value) });
    };
    columns.push_back({ "run", countCell(numberOf(run.id)) });
    text("name", run.name);
    text("state", nameOf(run.state));
    text("outcome", run.outcome ? nameOf(*run.outcome) : "");
    columns.push_back({ "attempt", countCell(run.attempt) });
    text("created", isoTime(run.createdMs));
    text("ended", run.endedMs == 0 ? "" : isoTime(run.endedMs));
    columns.push_back({ "archived", run.archived ? "true" : "false" });
    text("note", run.note);
    text("tags", textOfTags(run.tags));
    text("message", run.message);
    text("host", run.host);
    text("device", run.device);
    text("device_name", run.deviceName);
    columns.push_back({ "threads", countCell(run.threads) });
    text("program_version", run.programVersion);
    text("code_revision", run.codeRevision);
    text("torch_version", run.torchVersion);
    text("cuda_version", run.cudaVersion);
    text("data", run.dataDescription);
    text("checkpoint", run.checkpoint);
}

void addPlan(std::vector<Column>& columns, const RunRecord& run)
{
    const auto count = [&](const char* header, std::int64_t value) {
        columns.push_back({ header, countCell(value) });
    };
    count("parameters", run.parameters);
    count("train_samples", run.trainSamples);
    count("test_samples", run.testSamples);
    count("plan.effective", run.plan.effective);
    count("plan.micro", run.plan.micro);
    count("plan.steps", run.plan.steps);
    count("plan.devices", run.plan.devices);
    count("plan.epoch_windows", run.epochPlan.windows);
    count("plan.tail_samples", run.epochPlan.tailSamples);
    count("total_steps", run.totalSteps);
}

void addSettings(std::vector<Column>& columns, const RunRecord& run)
{
    for (const auto& [key, value] : settingsOf(run.experiment)) {
        if (key == "name")
            continue; // the run's own name is there, and may have been changed since
        const bool text = std::holds_alternative<std::string>(value);
        const std::string shown = settingText(value);
        columns.push_back({ key, text ? CsvFile::textCell(shown) : shown });
    }
}

void addProgress(std::vector<Column>& columns, const RunRecord& run)
{
    columns.push_back({ "step", countCell(run.step) });
    columns.push_back({ "samples", countCell(run.samples) });
    columns.push_back({ "micro_batches", countCell(run.microBatches) });
    columns.push_back({ "epoch", countCell(run.epoch) });
    columns.push_back({ "seconds", exactNumber(run.seconds) });
    columns.push_back({ "throughput", exactNumber(run.throughput) });
    columns.push_back({ "peak_bytes", countCell(run.peakBytes) });
}

// Every metric has its five columns in every row, empty where the run has no value of it.
void addSummaries(std::vector<Column>& columns, const std::vector<MetricSummary>& summaries)
{
    std::map<std::string, const MetricSummary*> known;
    for (const MetricSummary& summary : summaries)
        known[summary.metric] = &summary;
    for (const MetricInfo& metric : metrics()) {
        const auto found = known.find(metric.name);
        const MetricSummary* summary = found == known.end() ? nullptr : found->second;
        const auto number = [&](const char* part, double MetricSummary::*member) {
            columns.push_back(
                { metric.name + "." + part, summary ? exactNumber(summary->*member) : "" });
        };
        number("final", &MetricSummary::final);
        number("best", &MetricSummary::best);
        columns.push_back(
            { metric.name + ".best_step", summary ? countCell(summary->bestStep) : "" });
        number("min", &MetricSummary::min);
        number("max", &MetricSummary::max);
    }
}

std::vector<Column> columnsOf(const RunRecord& run, const std::vector<MetricSummary>& summaries)
{
    std::vector<Column> columns;
    addIdentity(columns, run);
    addPlan(columns, run);
    addSettings(columns, run);
    addProgress(columns, run);
    addSummaries(columns, summaries);
    return columns;
}

std::string joined(const std::vector<Column>& columns, std::string Column::*part)
{
    std::string line;
    for (const Column& column : columns)
        line += (line.empty() ? "" : ",") + column.*part;
    return line;
}

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
    std::string line = std::string(nameOf(phase.phase)) + "," + countCell(phase.microBatch);
    for (const std::int64_t number :
        { phase.samples, phase.beginBytes, phase.endBytes, phase.peakBytes })
        line += "," + countCell(number);
    for (const CategoryBytes& part : { phase.atPeak, phase.atEnd })
        for (const std::int64_t bytes : part)
            line += "," + countCell(bytes);
    return line + "," + countCell(phase.cachedBytes) + "," + countCell(phase.otherBytes);
}

void writeMemory(CsvFile& csv, const RunRecord& run, const std::vector<MemoryMeasured>& memory)
{
    const std::string head = countCell(numberOf(run.id)) + "," + CsvFile::textCell(run.name) + ",";
    for (const MemoryMeasured& measured : memory)
        for (const PhaseMemory& phase : measured.phases)
            csv.writeLine(head + countCell(measured.step) + "," + countCell(measured.epoch) + ","
                + exactNumber(measured.seconds) + "," + memoryCells(phase));
}

// Each run in one state of the log.
template <typename WriteRun>
bool exportByRun(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const std::string& header, const CsvProgress& progress, std::vector<LogDamage>* leftOut,
    const char* call, const WriteRun& writeRun)
{
    if (!target.print)
        requireOtherFile(target.file, log.file());
    CsvFile csv(target);
    ExportCheck check(log, leftOut, call);
    csv.writeLine(header);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!goesOn(progress, i, runs.size()))
            return false;
        log.inOneState([&] {
            if (check.takes(runs[i]))
                writeRun(csv, check, runs[i]);
        });
    }
    if (!goesOn(progress, runs.size(), runs.size()))
        return false;
    csv.commit();
    return true;
}

} // namespace

bool exportSeriesCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    if (!target.print)
        requireOtherFile(target.file, log.file());
    CsvFile csv(target);
    ExportCheck check(log, leftOut);
    csv.writeLine("run,name,step,samples,micro_batches,epoch,seconds,metric,value");
    std::vector<MetricInfo> written = metrics();
    written.insert(written.end(), tracedMetrics().begin(), tracedMetrics().end());
    const std::size_t all = runs.size() * written.size();
    std::size_t done = 0;
    bool on = true;
    const auto writeRun = [&](RunId id) {
        if (!check.takes(id))
            return;
        const RunRecord run = log.run(id);
        for (const MetricInfo& metric : written) {
            on = on && goesOn(progress, done++, all);
            if (on)
                writeMetric(csv, run, metric.name,
                    log.rows(id, metric.name, check.wholeRows(id, tableOf(metric.name))));
        }
    };
    // A run that is being written has the same steps of every metric.
    for (const RunId id : runs)
        if (on)
            log.inOneState([&] { writeRun(id); });
    if (!on || !goesOn(progress, all, all))
        return false;
    csv.commit();
    return true;
}

bool exportRunsCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    const RunRecord none;
    return exportByRun(log, runs, target, joined(columnsOf(none, {}), &Column::header), progress,
        leftOut, kExportCall, [&](CsvFile& csv, ExportCheck&, RunId id) {
            csv.writeLine(joined(columnsOf(log.run(id), log.summaries(id)), &Column::cell));
        });
}

bool exportMemoryCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress, std::vector<LogDamage>* leftOut)
{
    return exportByRun(log, runs, target, memoryHeader(), progress, leftOut,
        "accrue memory RUN --csv FILE --damaged", [&](CsvFile& csv, ExportCheck& check, RunId id) {
            writeMemory(
                csv, log.run(id), log.memory(id, check.wholeRows(id, CheckedTable::Memory)));
        });
}

void requireOtherFile(const std::filesystem::path& csv, const std::filesystem::path& log)
{
    for (const char* suffix : { "", "-wal", "-shm", "-lock" }) {
        std::error_code notThere;
        const std::filesystem::path part = log.string() + suffix;
        if (std::filesystem::equivalent(csv, part, notThere))
            throw RunLogError("The CSV file " + csv.string() + " would replace "
                + (*suffix == '\0' ? "the run log itself" : "a file of the run log")
                + ". Name another file.");
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
