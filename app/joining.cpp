// SPDX-License-Identifier: Apache-2.0
#include "app/joining.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/report/local_ranks.h"
#include "engine/report/rank_log.h"
#include "engine/runlog/program_version.h"

#include <filesystem>
#include <optional>
#include <utility>

#include <unistd.h>

namespace accrue {

namespace {

// What happens here goes into the rank's own file; the log has what happens on rank 0.
class OwnLog : public EventSink {
public:
    explicit OwnLog(const RankPlace& place)
        : m_place(place)
    {
    }
    void begin(const std::filesystem::path& checkpoints)
    {
        if (!checkpoints.empty())
            m_log.emplace(checkpoints, m_place.rank, m_place.ranks);
    }
    void emitEvent(Event event) override
    {
        if (m_log)
            m_log->emitEvent(std::move(event));
    }

private:
    const RankPlace& m_place;
    std::optional<RankLog> m_log;
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
    OwnLog log(place);
    const StopSignals signals(
        [&](int) { control.requestStop(); }, [](int signal) { ::_exit(exitCodeOf(signal)); });
    try {
        const JoinRequest request { place, dataDirectories(arguments.data),
            programVersion() + " " + codeRevision(),
            [&log](const std::filesystem::path& checkpoints) { log.begin(checkpoints); } };
        const RunEnded ended = engine.join(request, control, log);
        return isFailure(ended.outcome) ? failed(place.rank, ended.message, kExitFailed, console)
                                        : kExitDone;
    } catch (const InputError& error) {
        return failed(place.rank, error.message(), kExitWrongInput, console);
    } catch (const Error& error) {
        return failed(place.rank, error.message(), kExitFailed, console);
    }
}

} // namespace accrue
