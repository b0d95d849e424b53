// SPDX-License-Identifier: Apache-2.0
#include "app/queue/part_copy.h"

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/exchange/csv.h"
#include "engine/logfile/log_copy.h"
#include "engine/runlog/run_log_writer.h"

#include <string>
#include <system_error>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// Beside the copy: which part it is. The log itself has no place for it.
fs::path noteOf(const fs::path& copy)
{
    return copy.string() + "-part";
}

std::string nameOf(const QueuePart& part)
{
    return std::to_string(part.number) + "/" + std::to_string(part.count);
}

// A copy without a note is one that somebody has moved; it is trusted.
void requireSamePart(const fs::path& copy, const QueuePart& part)
{
    std::error_code error;
    if (!fs::exists(noteOf(copy), error))
        return;
    const std::string noted = readTextFile(noteOf(copy)).text;
    if (noted != nameOf(part) + "\n")
        throw InputError(Message("cli.copy_of_other_part",
            { { "file", copy.string() }, { "is", noted.substr(0, noted.find('\n')) },
                { "wanted", nameOf(part) } }));
}

// Before the copy gets its name: a copy that has all runs would train those of the other parts.
void keepPart(const fs::path& written, const fs::path& copy, const QueuePart& part)
{
    {
        RunLogWriter log(written);
        RunQueue(log).keepPart(part);
        if (!log.close())
            throw RunLogError(log.problem(), RunLogError::Kind::Machine);
    }
    std::error_code ignored;
    fs::remove(written.string() + "-lock", ignored);
    writeTextFile(noteOf(copy), nameOf(part) + "\n");
}

} // namespace

void makePartCopy(const fs::path& log, const fs::path& copy, const QueuePart& part)
{
    requireOtherFile(copy, log);
    if (std::error_code error; fs::exists(copy, error)) {
        requireSamePart(copy, part);
        return;
    }
    copyLog(log, copy, [&](const fs::path& written) { keepPart(written, copy, part); });
}

} // namespace accrue
