// SPDX-License-Identifier: Apache-2.0
#include "app/joining.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/report/local_ranks.h"

#include <unistd.h>

namespace accrue {

namespace {

class NoEvents : public EventSink {
public:
    void emitEvent(Event) override { }
};

// Of a rank that rank 0 has started, rank 0 reports it.
int failed(std::int64_t rank, const Message& why, int code, Console& console)
{
    if (!isLocalRank())
        console.sayError(Message("cli.rank_failed", { { "rank", rank }, { "problem", why } }));
    return code;
}

} // namespace

int joinRun(const RankPlace& place, const Arguments& arguments, Console& console)
{
    endWithStarterOfRanks();
    Engine& engine = requireEngine();
    RunControl control;
    NoEvents events;
    const StopSignals signals(
        [&](int) { control.requestStop(); }, [](int signal) { ::_exit(exitCodeOf(signal)); });
    try {
        const RunEnded ended =
            engine.join({ place, dataDirectories(arguments.data) }, control, events);
        return isFailure(ended.outcome) ? failed(place.rank, ended.message, kExitFailed, console)
                                        : kExitDone;
    } catch (const InputError& error) {
        return failed(place.rank, error.message(), kExitWrongInput, console);
    }
}

} // namespace accrue
