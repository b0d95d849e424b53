// SPDX-License-Identifier: Apache-2.0
#include "app/csv_output.h"

#include "app/wrong_input.h"

#include <filesystem>
#include <string_view>

namespace accrue {

bool isCsvToOutput(const Arguments& arguments)
{
    return arguments.csv == "-";
}

void refuseJsonBesideCsv(const Arguments& arguments)
{
    if (isCsvToOutput(arguments) && arguments.json)
        throw WrongInput("--csv - and --json would both write to the standard output; name a file"
                         " with --csv, or leave --json out.");
}

CsvTarget csvTarget(const Arguments& arguments, Console& console)
{
    if (!isCsvToOutput(arguments))
        return std::filesystem::path(arguments.csv);
    return CsvTarget([&console](std::string_view text) { console.print(text); });
}

CsvProgress whileRead(const Console& console)
{
    return [&console](double) { return !console.outputError(); };
}

} // namespace accrue
