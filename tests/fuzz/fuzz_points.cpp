// SPDX-License-Identifier: Apache-2.0
// Measurements of accrue scale; what was understood of them is predicted from, drawn, and printed.
#include "app/commands/commands.h"
#include "engine/base/error.h"
#include "tests/fuzz/fuzz_folder.h"

#include <fstream>
#include <sstream>
#include <string_view>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

void write(const std::string& file, std::string_view text)
{
    std::ofstream(file, std::ios::binary) << text;
}

// What it prints as JSON; empty: the points were refused.
std::string scaled(Arguments arguments)
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    try {
        scaleCommand(arguments, console);
        arguments.json = true;
        out.str({});
        scaleCommand(arguments, console);
    } catch (const InputError&) {
        return {};
    }
    return out.str();
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const fuzz::Folder folder;
    Arguments arguments;
    arguments.points = folder.path("points.json");
    arguments.chart = folder.path("chart.svg");
    arguments.predicted = { "1", "2", "16384" };
    arguments.criticalBatch = "65536";
    arguments.perMachine = "2";
    arguments.assumed = { "25us,10gbit" };
    write(*arguments.points, fuzz::textOf(bytes, size));
    const std::string printed = scaled(arguments);
    if (printed.empty())
        return 0;
    write(*arguments.points, printed);
    fuzz::demand(scaled(arguments) == printed, "what is printed reads back the same");
    return 0;
}
