// SPDX-License-Identifier: Apache-2.0
#include "app/commands/import_csv.h"

#include "app/commands/import_report.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/exchange/csv_import.h"
#include "engine/runlog/run_import.h"

#include <algorithm>
#include <string>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownCharacters = 40;

std::string textOfRole(const CsvColumn& column)
{
    if (column.role != CsvRole::Metric)
        return meaningOf(column.role).text();
    const std::string metric = shortened(column.metric, kShownCharacters);
    if (column.run.empty())
        return Message("cli.csv_role_metric", { { "metric", metric } }).text();
    return Message("cli.csv_role_metric_of_run",
        { { "metric", metric }, { "run", shortened(column.run, kShownCharacters) } })
        .text();
}

std::string delimiterText(char delimiter)
{
    return delimiter == '\t' ? Message("cli.csv_tab").text() : std::string(1, delimiter);
}

std::string tableOfColumns(const CsvLayout& layout, bool colours)
{
    TextTable table({ label("Column"), label("First value"), label("Becomes") });
    for (const CsvColumn& column : layout.columns)
        table.addRow({ shortened(column.name, kShownCharacters),
            shortened(column.example, kShownCharacters), textOfRole(column) });
    return table.render(colours);
}

Json jsonOf(const CsvLayout& layout)
{
    Json columns = Json::array();
    for (const CsvColumn& column : layout.columns) {
        Json object { { "column", column.name }, { "example", column.example },
            { "role", nameOf(column.role) } };
        if (column.role == CsvRole::Metric)
            object["metric"] = column.metric;
        if (!column.run.empty())
            object["run"] = column.run;
        columns.push_back(std::move(object));
    }
    return { { "delimiter", std::string(1, layout.delimiter) },
        { "decimal_comma", layout.decimalComma }, { "rows", layout.rows }, { "columns", columns } };
}

CsvLayout mappedLayout(const Arguments& arguments)
{
    CsvLayout layout = csvLayoutOf(arguments.csv);
    for (const std::string& assignment : arguments.columnMap)
        if (const Message problem = mapColumn(layout, assignment); !problem.empty())
            throw InputError(Message("cli.wrong_map", { { "problem", problem } }));
    return layout;
}

// On err, where the question is; out is for the result.
void show(const CsvLayout& layout, const Arguments& arguments, Console& console)
{
    console.say(Message("cli.csv_layout",
        { { "file", printable(arguments.csv) }, { "rows", layout.rows },
            { "delimiter", delimiterText(layout.delimiter) },
            { "point", layout.decimalComma ? "," : "." } }));
    const std::string table = tableOfColumns(layout, false);
    for (std::size_t begin = 0; begin < table.size();) {
        const std::size_t end = std::min(table.find('\n', begin), table.size());
        console.say(table.substr(begin, end - begin));
        begin = end + 1;
    }
}

bool isAgreedTo(const Arguments& arguments, Console& console)
{
    if (arguments.yes)
        return true;
    // Without a person to answer, a script must state that it means it.
    if (!console.terminal().in)
        throw InputError(Message("cli.import_needs_yes"));
    const bool agreed = console.ask(Message("cli.confirm_import"));
    if (!agreed)
        console.say(Message("cli.nothing_imported"));
    return agreed;
}

} // namespace

int importCsv(const Arguments& arguments, Console& console)
{
    const CsvLayout layout = mappedLayout(arguments);
    if (arguments.dryRun && arguments.json)
        console.printJson(jsonOf(layout));
    else if (!arguments.json)
        show(layout, arguments, console);
    if (const Message problem = problemOf(layout, arguments.csv); !problem.empty())
        throw InputError(problem);
    if (arguments.dryRun || !isAgreedTo(arguments, console))
        return kExitDone;
    const ReadCsv read = readCsv(arguments.csv, layout);
    ImportReport report(arguments, console);
    for (const Message& problem : read.problems)
        report.addProblem(problem);
    if (const Message problem = problemOf(read, arguments.csv); !problem.empty())
        throw InputError(problem);
    {
        LogProgressLine line(console);
        RunImport import(runLogOf(arguments), line.progress());
        for (const ForeignRun& run : read.runs)
            report.add(import.add(run), run.name);
    }
    report.print(arguments.csv);
    return kExitDone;
}

} // namespace accrue
