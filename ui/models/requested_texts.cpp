// SPDX-License-Identifier: Apache-2.0
#include "ui/models/requested_texts.h"

#include <utility>

namespace accrue {

void RequestedTexts::add(const RunRecord& run, Text text, const std::string& now)
{
    Request request { run.id, text, run.*text, now };
    std::erase_if(m_requests, [&](const Request& earlier) {
        const bool again = earlier.run == run.id && earlier.text == text;
        // The text that the log still has, not that of the earlier request, decides when this one
        // ends.
        if (again)
            request.before = earlier.before;
        return again;
    });
    m_requests.push_back(std::move(request));
}

std::optional<RunRecord> RequestedTexts::appliedTo(const RunRecord& read)
{
    std::optional<RunRecord> shown;
    std::erase_if(m_requests, [&](const Request& request) {
        if (request.run != read.id)
            return false;
        if (read.*request.text != request.before)
            return true;
        if (!shown)
            shown = read;
        *shown.*request.text = request.now;
        return false;
    });
    return shown;
}

} // namespace accrue
