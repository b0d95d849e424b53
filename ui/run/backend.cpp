// SPDX-License-Identifier: Apache-2.0
#include "ui/run/backend.h"

#include <QCoreApplication>

namespace accrue {

QString whyNotCompute(const Backend& backend)
{
    if (backend.controller.isActive())
        return QCoreApplication::translate(
            "Backend", "A run is in progress. Stop it or wait for it to finish.");
    return backend.engine.state() == EngineHost::State::Missing ? backend.engine.problem()
                                                                : QString();
}

} // namespace accrue
