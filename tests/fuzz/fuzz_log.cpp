// SPDX-License-Identifier: Apache-2.0
// A run log, by each command that reads one.
#include "app/command_line.h"
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
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

void run(std::vector<std::string> words, const fs::path& log)
{
    words.insert(words.begin(), "accrue");
    words.insert(words.end(), { "--db", log.string() });
    std::vector<const char*> argv;
    for (const std::string& word : words)
        argv.push_back(word.c_str());
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const int code = runCommandLine(static_cast<int>(argv.size()), argv.data(), in, out, err);
    fuzz::demand(code >= 0 && code <= 2, "a command ends with a code of its own");
    for (const char* const word : { "std::", "_M_", "basic_string", "json.exception" })
        fuzz::demand(err.str().find(word) == std::string::npos, "a message is a sentence");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const Folder folder;
    const fs::path log = folder.log(bytes, size);
    const std::string csv = folder.csv().string();
    run({ "list", "--all" }, log);
    run({ "list", "--all", "--json" }, log);
    run({ "show", "1" }, log);
    run({ "compare", "1", "2" }, log);
    run({ "memory", "1" }, log);
    run({ "export", "--csv", csv, "--runs", "1,2" }, log);
    run({ "export", "--csv", csv, "--wide" }, log);
    return 0;
}
