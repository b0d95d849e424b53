// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Names and notes that the user has changed and that the log does not have yet. A list of runs that
// was read before the change was written still has the old text, which must not reappear on the
// screen meanwhile. A value.
class RequestedTexts {
public:
    using Text = std::string RunRecord::*;

    // Remembers that `text` of `run` becomes `now`.
    void add(const RunRecord& run, Text text, const std::string& now);
    // `read` with the requested texts; empty: none was requested. A request ends as soon as the log
    // has another text than before, whether this one or a later one.
    std::optional<RunRecord> appliedTo(const RunRecord& read);
    void clear() { m_requests.clear(); }

private:
    struct Request {
        RunId run {};
        Text text = nullptr;
        std::string before;
        std::string now;
    };
    std::vector<Request> m_requests;
};

} // namespace accrue
