// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <utility>

namespace accrue {

// Passes the events of a run on to a sink that is known only once the run has begun. Used by the
// session's threads, after passTo.
class RelaySink : public EventSink {
public:
    void passTo(EventSink& sink) { m_sink = &sink; } // borrowed; before the first event

    void emitEvent(Event event) override { m_sink->emitEvent(std::move(event)); }
    bool settle() override { return m_sink->settle(); }

private:
    EventSink* m_sink = nullptr;
};

} // namespace accrue
