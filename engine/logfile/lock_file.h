// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/descriptor.h"
#include "engine/runs/run_record.h"

#include <chrono>
#include <filesystem>
#include <functional>

#include <fcntl.h>

namespace accrue {

// The file beside a run log ("runs.db-lock") whose bytes are locks of open file descriptions, which
// the operating system releases however a process dies. It is never deleted. Byte 0: the turn, held
// during every transaction and checkpoint. Byte 1: shared by all writers, exclusive for a
// migration. Byte 4096 + id: run `id` is alive. Locks of two LockFiles in one process exclude each
// other, too. Not thread-safe.
class LockFile {
public:
    enum class Purpose {
        Writing, // creates the file; can take every lock
        Reading, // a missing file means that nobody holds a lock
    };
    LockFile(const std::filesystem::path& database, Purpose purpose);

    // None of these may block; false: another LockFile holds the lock.
    bool tryTurn() { return set(F_WRLCK, kTurnByte); }
    bool trySharedTurn() { return set(F_RDLCK, kTurnByte); } // no writer while a file is copied
    void endTurn() { set(F_UNLCK, kTurnByte); }
    bool tryPresence() { return set(F_RDLCK, kPresenceByte); } // many may hold it
    bool tryOnlyPresence() { return set(F_WRLCK, kPresenceByte); } // for a holder of the presence
    bool tryAlive(RunId run) { return set(F_WRLCK, aliveByte(run)); }
    void releaseAlive(RunId run) { set(F_UNLCK, aliveByte(run)); }
    bool isAlive(RunId run) const; // held by another LockFile than this one

    bool isOpen() const { return m_descriptor.isOpen(); }
    // Whether the path still names the open file.
    bool isStillThere() const { return m_descriptor.isStillAt(m_path); }

private:
    static constexpr off_t kTurnByte = 0;
    static constexpr off_t kPresenceByte = 1;
    // A locked byte need not be in the file, which stays empty whatever the ids are.
    static off_t aliveByte(RunId run) { return 4096 + numberOf(run); }
    bool set(short type, off_t byte); // `type` as for fcntl

    std::filesystem::path m_path;
    Descriptor m_descriptor;
};

// Repeats `tryOnce` until it succeeds, for `patience` at most; false: it never did. For opening,
// closing and copying, where no thread could be woken. Blocks.
bool succeedsWithin(std::chrono::milliseconds patience, const std::function<bool()>& tryOnce);

std::filesystem::path lockFileOf(const std::filesystem::path& database);

} // namespace accrue
