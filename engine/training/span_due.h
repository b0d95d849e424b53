// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// How far a run is, in the units of a span.
struct RunProgress {
    double epochs = 0; // passes over the training set, with their fraction
    std::int64_t steps = 0;
    double seconds = 0; // training time
};

// Says when something that happens every span is due. A span that was passed several times over is
// due once.
class SpanDue {
public:
    explicit SpanDue(const Span& every);

    bool reached(const RunProgress& progress) const;
    void done(const RunProgress& progress); // due again at the next whole multiple of the span

    // Where along the span it is due, in the span's unit; what a checkpoint holds.
    double next() const { return m_next; }
    void setNext(double next) { m_next = next; }

private:
    double along(const RunProgress& progress) const;

    const Span m_every;
    double m_next;
};

} // namespace accrue
