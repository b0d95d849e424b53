// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <filesystem>

namespace accrue {

// The file beside a run log ("runs.db-lock") whose bytes are locks of open file descriptions, freed
// by the operating system however a process dies. It is never deleted. Byte 0: the turn, held
// around every transaction and checkpoint. Byte 1: shared by all who write, alone by who migrates.
// Byte 4096 + id: run `id` is alive. Locks of two LockFiles in one process exclude each other, too.
// Not thread-safe.
class LockFile {
public:
    enum class Purpose {
        Writing, // makes the file; can take every lock
        Reading, // a file that is not there is as if nobody held a lock
    };
    LockFile(const std::filesystem::path& database, Purpose purpose);
    ~LockFile();
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;

    // All must not block; false: held by somebody else.
    bool tryTurn();
    bool trySharedTurn(); // keeps writers away while a file is copied
    void endTurn();
    bool tryPresence(); // many may hold it
    bool tryOnlyPresence(); // turns a held presence into the only one
    bool tryAlive(RunId run);
    void releaseAlive(RunId run);
    bool isAlive(RunId run) const; // held by somebody else than this LockFile

    bool isOpen() const { return m_descriptor >= 0; }
    bool isStillThere() const; // the path still names the file that is held

private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

std::filesystem::path lockFileOf(const std::filesystem::path& database);

} // namespace accrue
