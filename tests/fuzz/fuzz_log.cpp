// SPDX-License-Identifier: Apache-2.0
// A run log, by each command that reads one.
#include "app/commands/commands.h"
#include "engine/base/error.h"
#include "engine/runs/run_log_error.h"
#include "tests/fuzz/fuzz_folder.h"

#include <fstream>
#include <new>
#include <sstream>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

class LogFolder : public fuzz::Folder {
public:
    LogFolder()
    {
        for (const char* home : { "XDG_DATA_HOME", "XDG_CONFIG_HOME" })
            ::setenv(home, path().c_str(), 1);
    }

    // A log of these bytes alone, without what was made beside the one before.
    fs::path log(const std::uint8_t* bytes, std::size_t size) const
    {
        for (const auto& entry : fs::directory_iterator(path()))
            fs::remove_all(entry.path());
        std::ofstream(path() / "log.db", std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        return path() / "log.db";
    }
    fs::path csv() const { return path() / "out.csv"; }
};

// Any other exception would reach the user in the words of a library.
void run(int (*command)(const Arguments&, Console&), const Arguments& arguments)
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    try {
        command(arguments, console);
    } catch (const InputError&) {
    } catch (const RunLogError&) {
    } catch (const fs::filesystem_error&) {
    } catch (const std::bad_alloc&) {
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const LogFolder folder;
    Arguments all;
    all.runLog = folder.log(bytes, size).string();
    all.all = true;
    Arguments one = all;
    one.operands = { "1" };
    Arguments two = all;
    two.operands = { "1", "2" };
    Arguments csv = all;
    csv.csv = folder.csv().string();
    csv.runs = { "1", "2" };
    run(listCommand, all);
    run(showCommand, one);
    run(memoryCommand, one);
    run(compareCommand, two);
    run(summaryCommand, all);
    two.output = "-";
    run(reportCommand, two);
    run(exportCommand, csv);
    csv.wide = true;
    csv.damaged = true; // nearly every changed row is: its values are formatted all the same
    run(exportCommand, csv);
    one.json = true;
    run(memoryCommand, one);
    return 0;
}
