// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace accrue {

// The one exception of this room. what() is a whole sentence that names the file and what to do.
class RunLogError : public std::runtime_error {
public:
    enum class Kind {
        Input, // the file that was named will not do, or its folder
        Machine, // it would do, but the disk is full or fails, or another process keeps it busy
        Damaged, // it is a run log, but what is in it is not what was written
    };
    explicit RunLogError(const std::string& sentence, Kind kind = Kind::Input)
        : std::runtime_error(sentence)
        , m_kind(kind)
    {
    }
    Kind kind() const { return m_kind; }

    // Whose fault `systemError`, an errno, is.
    static Kind kindOf(int systemError)
    {
        const bool machine = systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG
            || systemError == EIO || systemError == EMFILE || systemError == ENFILE;
        return machine ? Kind::Machine : Kind::Input;
    }

private:
    Kind m_kind;
};

} // namespace accrue
