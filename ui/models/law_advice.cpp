// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_advice.h"

#include "engine/experiment/fixes.h"
#include "engine/insight/memory_advice.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"

namespace accrue {

namespace {

std::optional<std::int64_t> microOf(const Experiment& experiment, const std::optional<Fix>& fix)
{
    // The fix is only tried here, so that it changes a copy.
    Experiment fixed = experiment;
    return fix && applyFix(fixed, *fix).empty() ? std::optional(fixed.batch.micro.value)
                                                : std::nullopt;
}

// A b that follows the budget is in no field, even if it has the same number: using the advice then
// fixes it.
bool isInTheForm(const LawQuestion& question, std::int64_t micro)
{
    return question.plan && !microFollowsBudget(question.experiment)
        && question.plan->micro == micro;
}

// Returns `fix` with the name that it has in the history, unless the form already has that b.
LawAdvice advised(const LawQuestion& question, QString choice, Fix fix, std::int64_t micro)
{
    if (isInTheForm(question, micro))
        return { std::move(choice), {}, Ui::tr("The form already has this micro-batch.") };
    fix.label = Message::plain(Ui::tr("use micro-batch %1").arg(micro).toStdString());
    return { std::move(choice), std::move(fix), {} };
}

QString whyNoLargest(const LawQuestion& question, std::int64_t largest)
{
    if (!question.problem.isEmpty())
        return question.problem;
    return largest == 0 ? Ui::tr("No micro-batch fits.")
                        : Ui::tr("Micro-batches of up to %1 fit, but B cannot be split evenly "
                                 "into them; choose b in the form.")
                              .arg(samplesText(largest));
}

} // namespace

LawAdvice adviseLargest(const LawQuestion& question)
{
    const Experiment& experiment = question.experiment;
    if (!question.law)
        return { {}, {}, Ui::tr("Measure first which micro-batch fits.") };
    const std::int64_t largest = fittingMicro(*question.law, limitBytes(experiment, *question.law));
    // Not always `largest` itself: b divides B as evenly as possible, so that the last slice is not
    // a tiny rest.
    const std::optional<Fix> fix = question.plan && largest > 0
        ? usingMicroThatFits(experiment, *question.plan, largest)
        : std::nullopt;
    const std::optional<std::int64_t> micro = microOf(experiment, fix);
    const QString choice = micro ? QStringLiteral("b = %1").arg(countText(*micro)) : QString();
    if (!experiment.batch.schedule.empty())
        return { choice, {},
            Ui::tr(
                "batch.schedule changes N during training; choose the micro-batch in the form.") };
    return micro ? advised(question, choice, *fix, *micro)
                 : LawAdvice { {}, {}, whyNoLargest(question, largest) };
}

LawAdvice adviseFastest(const LawQuestion& question)
{
    const Experiment& experiment = question.experiment;
    if (!question.law)
        return { {}, {}, Ui::tr("Measure first which split is the fastest.") };
    const auto found = question.plan
        ? fastestSplit(*question.law, *question.plan, limitBytes(experiment, *question.law))
        : std::nullopt;
    if (!found)
        return { {}, {}, fastestText(question) };
    const std::optional<Fix> fix = usingMicro(experiment, *question.plan, found->split.micro);
    const QString choice = splitText(found->split);
    // There is no fix either if the form already has this split, which advised() then reports.
    return fix || isInTheForm(question, found->split.micro)
        ? advised(question, choice, fix.value_or(Fix {}), found->split.micro)
        : LawAdvice { choice, {}, Ui::tr("B cannot be split this way; choose b in the form.") };
}

} // namespace accrue
