// SPDX-License-Identifier: Apache-2.0
#include "tests/app/command_line_fixture.h"

#include "app/command_line.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <QTemporaryDir>

namespace accrue {

CommandResult runAccrue(std::vector<std::string> arguments, const std::string& input)
{
    arguments.insert(arguments.begin(), "accrue");
    std::vector<const char*> argv;
    argv.reserve(arguments.size());
    for (const std::string& argument : arguments)
        argv.push_back(argument.c_str());
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    const int code = runCommandLine(static_cast<int>(argv.size()), argv.data(), in, out, err);
    return { code, out.str(), err.str() };
}

void useHome(const std::filesystem::path& folder)
{
    setenv("XDG_DATA_HOME", (folder / "data").c_str(), 1);
    setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
    unsetenv("ACCRUE_DATA_DIR");
}

std::filesystem::path pathOf(const QTemporaryDir& folder, const std::string& file)
{
    return std::filesystem::path(folder.path().toStdString()) / file;
}

void writeFile(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::string readFile(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>() };
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

} // namespace accrue
