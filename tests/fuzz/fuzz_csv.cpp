// SPDX-License-Identifier: Apache-2.0
// A CSV file of another program, with the roles that its columns suggest and with others.
#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/exchange/csv_import.h"
#include "engine/experiment/run_name.h"
#include "engine/runs/run_log_error.h"
#include "tests/fuzz/fuzz_target.h"

using namespace accrue;

namespace {

void read(const std::filesystem::path& file, const CsvLayout& layout)
{
    for (const ForeignRun& run : readCsv(file, layout).runs) {
        fuzz::demand(isRunName(run.name), "a run has a name");
        fuzz::demand(!run.series.empty(), "a run has values");
        for (const ForeignSeries& series : run.series)
            for (std::size_t i = 0; i < series.points.size(); ++i)
                fuzz::demand(series.points[i].step >= 0
                        && (i == 0 || series.points[i - 1].step < series.points[i].step),
                    "each step is there once, in order");
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static fuzz::MemoryFile file;
    file.hold(bytes, size);
    try {
        CsvLayout layout = csvLayoutOf(file.path());
        for (const CsvColumn& column : layout.columns)
            fuzz::demand(isOneLine(column.name), "a column's name is text");
        read(file.path(), layout);
        for (const char* role : { "=run", "=step", "=setting", "=value", "=time", "=my metric" }) {
            mapColumn(layout, layout.columns.front().name + role);
            mapColumn(layout, layout.columns.back().name + role);
            read(file.path(), layout);
        }
    } catch (const RunLogError&) { // no CSV
    }
    return 0;
}
