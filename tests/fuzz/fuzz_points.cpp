// SPDX-License-Identifier: Apache-2.0
// Measurements of accrue scale; what was understood of them is predicted from, drawn, and printed.
#include "app/commands/commands.h"
#include "engine/base/error.h"
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
#include <sstream>
#include <string_view>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

// In memory; removed when the process ends.
class Folder {
public:
    Folder()
    {
        std::string made = "/dev/shm/accrue-fuzz-XXXXXX";
        fuzz::demand(::mkdtemp(made.data()) != nullptr, "there is a place for points");
        m_path = made;
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const char* name) const { return (m_path / name).string(); }

private:
    fs::path m_path;
};

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
    static const Folder folder;
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
