// SPDX-License-Identifier: Apache-2.0
#include "app/queue/queue_text.h"

#include "app/log_access.h"
#include "app/run_tally.h"
#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/report/comparison_rows.h"
#include "engine/report/queue_outlook.h"

namespace accrue {

namespace {

constexpr int kNameWidth = 40; // columns; a name has no limit on screen

std::string durationOr(const std::optional<double>& seconds)
{
    return seconds ? formatDuration(*seconds) : "–";
}

std::string bytesOr(const std::optional<double>& bytes)
{
    return bytes ? formatBytes(static_cast<std::int64_t>(*bytes)) : "–";
}

// "at rung 1 of 2"
Message rungText(const RunRecord& run)
{
    return Message("queue.waits_at_rung",
        { { "rung", run.queue->rung + 1 }, { "rungs", run.queue->rungs.size() } });
}

Cell stateOf(const RunRecord& run)
{
    if (run.queue->held && !isLive(run))
        return { label("held"), TextStyle::Marked };
    if (waitsAtRung(run))
        return { rungText(run).text(), TextStyle::Plain };
    return { conditionText(run), isLive(run) ? TextStyle::Good : TextStyle::Plain };
}

} // namespace

Message beginningOf(const RunRecord& run, bool resumed)
{
    return Message(resumed ? "cli.queued_run_resumes" : "cli.queued_run_begins",
        { { "run", labelOf(run) }, { "plan", planText(planInForce(run)) } });
}

Message endingOf(const RunRecord& run, const std::vector<RunRecord>& runs)
{
    std::vector<Message> words { waitsAtRung(run) ? rungText(run)
                                                  : Message::plain(conditionText(run)) };
    if (const std::optional<double> accuracy = bestAccuracyOf(run))
        words.push_back(Message("cli.best_of_run", { { "accuracy", Percent { *accuracy } } }));
    words.push_back(Message::plain(formatDuration(run.seconds)));
    const bool isExplained =
        run.outcome && (isFailure(*run.outcome) || run.early != EarlyEnd::None);
    if (!isExplained || run.message.empty())
        return Message("cli.queued_run_ended",
            { { "run", labelOf(run) }, { "how", clausesOf(words) },
                { "left", outlookText(runs) } });
    return Message("cli.queued_run_ended_because",
        { { "run", labelOf(run) }, { "how", clausesOf(words) }, { "why", run.message },
            { "left", outlookText(runs) } });
}

Message outlookText(const std::vector<RunRecord>& runs, bool isHeld)
{
    const QueueOutlook outlook = outlookOf(runs, isHeld);
    if (outlook.waiting + outlook.held + outlook.training + outlook.atRung == 0 && !outlook.isHeld)
        return Message("queue.empty");
    std::vector<Message> words { Message("queue.waiting", { { "count", outlook.waiting } }) };
    if (outlook.training > 0)
        words.push_back(Message("queue.training", { { "count", outlook.training } }));
    if (outlook.held > 0)
        words.push_back(Message("queue.held", { { "count", outlook.held } }));
    if (outlook.seconds > 0)
        words.push_back(Message("queue.left", { { "time", formatDuration(outlook.seconds) } }));
    if (outlook.unknown > 0)
        words.push_back(Message("queue.unknown", { { "count", outlook.unknown } }));
    if (outlook.atRung > 0)
        words.push_back(Message("queue.at_rungs", { { "count", outlook.atRung } }));
    if (outlook.isHeld)
        words.push_back(Message("queue.all_held"));
    return clausesOf(words);
}

Message heldText(const std::vector<RunRecord>& runs)
{
    const std::vector<RunRecord> held = heldBeforeRung(runs);
    std::vector<std::string> names;
    names.reserve(held.size());
    for (const RunRecord& run : held)
        names.push_back("#" + std::to_string(numberOf(run.id)));
    if (names.empty())
        return {};
    return Message(
        "queue.held_before_rung", { { "runs", commaList(names) }, { "count", names.size() } });
}

TextTable queueTable(const std::vector<RunRecord>& runs)
{
    TextTable table({ "", label("Run"), label("Name"), label("State"), label("Batch"),
                        label("Peak, predicted"), label("Time left") },
        { 0, 1, 5, 6 });
    int position = 0;
    for (const RunRecord& run : queueOf(runs))
        table.addRow({ std::to_string(++position), "#" + std::to_string(numberOf(run.id)),
            clipped(printable(run.name), kNameWidth), stateOf(run), planText(planInForce(run)),
            bytesOr(run.queue->predictedBytes), durationOr(secondsLeftOf(run)) });
    return table;
}

} // namespace accrue
