// SPDX-License-Identifier: Apache-2.0
// A run log, by each command that reads one.
#include "app/commands/commands.h"
#include "engine/base/error.h"
#include "engine/runs/run_log_error.h"
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
#include <new>
#include <sstream>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

// In memory; removed when the process ends.
class Folder {
public:
    Folder()
    {
        std::string made = "/dev/shm/accrue-fuzz-XXXXXX";
        fuzz::demand(::mkdtemp(made.data()) != nullptr, "there is a place for a log");
        m_path = made;
        for (const char* home : { "XDG_DATA_HOME", "XDG_CONFIG_HOME" })
            ::setenv(home, m_path.c_str(), 1);
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    // A log of these bytes alone, without what was made beside the one before.
    fs::path log(const std::uint8_t* bytes, std::size_t size) const
    {
        for (const auto& entry : fs::directory_iterator(m_path))
            fs::remove_all(entry.path());
        std::ofstream(m_path / "log.db", std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        return m_path / "log.db";
    }
    fs::path csv() const { return m_path / "out.csv"; }

private:
    fs::path m_path;
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
    static const Folder folder;
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
    run(exportCommand, csv);
    csv.wide = true;
    csv.damaged = true; // nearly every changed row is: its values are formatted all the same
    run(exportCommand, csv);
    one.json = true;
    run(memoryCommand, one);
    return 0;
}
