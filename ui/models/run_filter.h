// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_query.h"

#include <QString>
#include <QStringList>

namespace accrue {

// What the search field says (run_query.h), as the window has text.
class RunFilter {
public:
    static RunFilter parse(const QString& text);

    bool matches(const RunRecord& run) const { return m_query.matches(run); }
    bool isEmpty() const { return m_query.isEmpty(); }
    // What could not be understood, a sentence; such a term is left out. Empty: all well.
    QString problem() const;

private:
    RunQuery m_query;
};

// Short names with what they mean, for the search field's help: "b: micro-batch" …
QStringList filterKeys();

} // namespace accrue
