// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace accrue {

// The one exception of this room. Its message names the file and what to do.
class RunLogError : public Error {
public:
    enum class Kind {
        Input, // the named file or its folder is unsuitable
        Machine, // it is suitable, but the disk is full or fails, or another process keeps it busy
        Damaged, // it is a run log, but its content is not what was written
    };
    explicit RunLogError(Message message, Kind kind = Kind::Input)
        : Error(std::move(message))
        , m_kind(kind)
    {
    }
    Kind kind() const { return m_kind; }

    // The kind of `systemError`, an errno.
    static Kind kindOf(int systemError)
    {
        const bool machine = systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG
            || systemError == EIO || systemError == EMFILE || systemError == ENFILE;
        return machine ? Kind::Machine : Kind::Input;
    }

private:
    Kind m_kind;
};

// The error to throw if `run`, a run's number, is not in the log.
inline RunLogError noSuchRun(const std::filesystem::path& log, std::int64_t run)
{
    return RunLogError(Message(
        "runlog.no_such_run", { { "run", std::to_string(run) }, { "file", log.string() } }));
}

} // namespace accrue
