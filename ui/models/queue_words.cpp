// SPDX-License-Identifier: Apache-2.0
#include "ui/models/queue_words.h"

#include "engine/report/comparison_rows.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <set>

namespace accrue {

namespace {

constexpr std::size_t kMostLines = 12; // of a tip

QString counted(std::size_t count, const QString& one, const QString& many)
{
    return countedText(static_cast<std::int64_t>(count), one, many);
}

// Of several workers, which take runs from one queue.
double secondsUntilEmpty(const QueueOutlook& outlook)
{
    return outlook.seconds / static_cast<double>(std::max<std::size_t>(1, outlook.training));
}

// Seconds from now; with the date unless it is today.
QString timeOfDay(double seconds)
{
    const QDateTime now = QDateTime::currentDateTime();
    const QDateTime then = now.addSecs(static_cast<qint64>(seconds));
    return then.date() == now.date() ? QLocale().toString(then.time(), QLocale::ShortFormat)
                                     : QLocale().toString(then, QLocale::ShortFormat);
}

using Runs = std::vector<const RunRecord*>;

QString namesOf(const Runs& runs)
{
    QStringList names;
    for (const RunRecord* run : runs)
        names << runNumber(run->id);
    return names.join(QStringLiteral(", "));
}

Runs heldOf(const Runs& runs)
{
    Runs held;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(held),
        [](const RunRecord* run) { return run->queue->held && !isLive(*run); });
    return held;
}

QString meaningAtRung(const RunRecord& run, const std::vector<RunRecord>& queue)
{
    const Runs awaited = awaitedAtRung(run, queue);
    QString text =
        Ui::tr("It has trained %1 updates, and is compared there with the other runs of its "
               "sweep: the best go on, the others are stopped.")
            .arg(countText(run.step));
    if (!awaited.empty())
        text += QLatin1Char(' ') + Ui::tr("Still to come: %1.").arg(namesOf(awaited));
    if (const Runs held = heldOf(awaited); !held.empty())
        text += QLatin1Char(' ')
            + Ui::tr("Nothing is decided as long as these are held: %1.").arg(namesOf(held));
    return text;
}

Runs halvedIn(const std::vector<RunRecord>& runs)
{
    std::set<std::int64_t> sweeps;
    for (const RunRecord& run : runs)
        if (run.queue && run.sweep != 0)
            sweeps.insert(run.sweep);
    Runs halved;
    for (const RunRecord& run : runs)
        if (run.early == EarlyEnd::Halving && sweeps.contains(run.sweep))
            halved.push_back(&run);
    return halved;
}

} // namespace

QString outlookText(const QueueOutlook& outlook)
{
    QStringList parts;
    if (outlook.isHeld)
        parts << Ui::tr("The queue is held");
    if (outlook.training > 0)
        parts << counted(
            outlook.training, Ui::tr("1 run is training"), Ui::tr("%1 runs are training"));
    if (outlook.waiting > 0 || outlook.training + outlook.held + outlook.atRung == 0)
        parts << counted(outlook.waiting, Ui::tr("1 waits"), Ui::tr("%1 wait"));
    if (outlook.held > 0)
        parts << counted(outlook.held, Ui::tr("1 held"), Ui::tr("%1 held"));
    if (outlook.atRung > 0)
        parts << counted(outlook.atRung, Ui::tr("1 at a rung"), Ui::tr("%1 at a rung"));
    if (const double left = secondsUntilEmpty(outlook); left > 0)
        parts << (outlook.training > 0 && !outlook.isHeld
                ? Ui::tr("%1 left, until %2").arg(durationText(left), timeOfDay(left))
                : Ui::tr("%1 left").arg(durationText(left)));
    if (outlook.unknown > 0)
        parts << counted(
            outlook.unknown, Ui::tr("1 of unknown length"), Ui::tr("%1 of unknown length"));
    return parts.join(QStringLiteral(" · "));
}

QString queuedText(const QueueOutlook& outlook)
{
    const std::size_t waiting = outlook.waiting + outlook.held + outlook.atRung;
    if (waiting == 0)
        return {};
    const QString count = counted(waiting, Ui::tr("1 queued"), Ui::tr("%1 queued"));
    if (outlook.isHeld)
        return Ui::tr("%1, held").arg(count);
    const bool isKnown = outlook.training > 0 && outlook.seconds > 0 && outlook.unknown == 0;
    return isKnown ? Ui::tr("%1, until %2").arg(count, timeOfDay(secondsUntilEmpty(outlook)))
                   : count;
}

QString queueStateText(const RunRecord& run, const std::vector<RunRecord>& queue)
{
    if (run.queue->held && !isLive(run))
        return run.queue->failures > 1
            ? Ui::tr("held after %1 interruptions").arg(run.queue->failures)
            : Ui::tr("held");
    const QString state = QString::fromStdString(conditionText(run));
    if (run.queue->rungs.empty())
        return state;
    const qint64 rung = run.queue->rung + 1;
    const auto rungs = static_cast<qint64>(run.queue->rungs.size());
    if (waitsAtRung(run)) {
        const QString at = Ui::tr("at rung %1 of %2").arg(rung).arg(rungs);
        const std::size_t awaited = awaitedAtRung(run, queue).size();
        return awaited == 0
            ? at
            : Ui::tr("%1, awaits %2").arg(at, counted(awaited, Ui::tr("1 run"), Ui::tr("%1 runs")));
    }
    return rung > rungs ? Ui::tr("%1, past all rungs").arg(state)
                        : Ui::tr("%1, before rung %2 of %3").arg(state).arg(rung).arg(rungs);
}

QString queueStateMeaning(const RunRecord& run, const std::vector<RunRecord>& queue)
{
    if (run.queue->held && !isLive(run))
        return run.queue->failures > 1 ? Ui::tr(
                   "The programs that trained it ended %1 times without a word, so it is not taken "
                   "again until you release it.")
                                             .arg(run.queue->failures)
                                       : Ui::tr("It is not trained until you release it.");
    if (waitsAtRung(run))
        return meaningAtRung(run, queue);
    const std::optional<std::int64_t> next = nextRung(*run.queue);
    if (!next)
        return {};
    return Ui::tr(
        "After %1 updates it is compared with the other runs of its sweep: the best go on, "
        "the others are stopped.")
        .arg(countText(*next));
}

QString halvedText(const std::vector<RunRecord>& runs)
{
    const std::size_t count = halvedIn(runs).size();
    return count == 0
        ? QString()
        : counted(count, Ui::tr("1 stopped by halving"), Ui::tr("%1 stopped by halving"));
}

QString halvedMeaning(const std::vector<RunRecord>& runs)
{
    QStringList lines;
    const Runs halved = halvedIn(runs);
    for (const RunRecord* run : halved)
        if (static_cast<std::size_t>(lines.size()) < kMostLines)
            lines << QStringLiteral("%1: %2").arg(
                runTitle(*run), QString::fromStdString(run->message.text()));
    if (halved.size() > kMostLines)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

} // namespace accrue
