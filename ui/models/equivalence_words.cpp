// SPDX-License-Identifier: Apache-2.0
#include "ui/models/equivalence_words.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <cmath>

namespace accrue {

namespace {

using Verdict = Equivalence::Verdict;

constexpr int kDigits = 2;

class Text {
    Q_DECLARE_TR_FUNCTIONS(EquivalenceWords)
};

QString updatesText(const LossDifference& found)
{
    return countedText(found.updates, Text::tr("1 update"), Text::tr("%1 updates"));
}

QString sizeText(double difference)
{
    return std::isfinite(difference) ? numberText(difference, kDigits)
                                     : Text::tr("a value that is not finite");
}

QString lossesText(const Equivalence& losses)
{
    const LossDifference& all = losses.all;
    const QString step = countText(all.step);
    if (losses.verdict == Verdict::NotComparable)
        return Text::tr("These two runs cannot be compared update by update: their updates are "
                        "not made of the same numbers of samples");
    if (all.step == 0)
        return Text::tr("The same losses to the last digit over %1").arg(updatesText(all));
    if (losses.verdict == Verdict::Different)
        return Text::tr("Not the same: losses differ by up to %1 over %2 (at step %3)")
            .arg(sizeText(all.greatest), updatesText(all), step);
    if (all.greatest <= kFloat32Bound)
        return Text::tr("The same to %1 over %2 (greatest difference of the losses, at step %3)")
            .arg(sizeText(all.greatest), updatesText(all), step);
    return Text::tr("The same to %1 over the first %2; after that rounding grew, to at most %3 "
                    "over %4 (at step %5)")
        .arg(sizeText(losses.first.greatest), updatesText(losses.first), sizeText(all.greatest),
            updatesText(all), step);
}

QString parametersText(const ParameterDistance& parameters)
{
    if (!parameters.problem.empty())
        return Text::tr("their parameters could not be compared: %1")
            .arg(QString::fromStdString(parameters.problem));
    const QString apart = parameters.relative == 0
        ? Text::tr("their parameters are the same, bit for bit")
        : Text::tr("their parameters are %1 apart").arg(numberText(parameters.relative, kDigits));
    return parameters.stepOfA == parameters.stepOfB
        ? apart
        : Text::tr("%1 (after %2 and %3 updates)")
              .arg(apart, countText(parameters.stepOfA), countText(parameters.stepOfB));
}

} // namespace

QString equivalenceText(const EquivalenceAnswer& answer)
{
    if (!answer.problem.isEmpty())
        return answer.problem;
    QString text = lossesText(answer.losses);
    if (answer.parameters)
        text += QStringLiteral("; ") + parametersText(*answer.parameters);
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

QString equivalenceExplanation(const EquivalenceAnswer& answer)
{
    QStringList sentences { Text::tr(
        "One training that is cut into other micro-batches differs by rounding only: its losses "
        "stay within %1 of each other in float64, and in float32 within %2 over the first %3 "
        "updates; after that the rounding grows.")
                                .arg(numberText(kFloat64Bound), numberText(kFloat32Bound),
                                    countText(kFirstUpdates)) };
    const LossDifference& first = answer.losses.first;
    if (answer.losses.verdict == Verdict::Different)
        sentences << Text::tr("Here it is %1 over the first %2.")
                         .arg(sizeText(first.greatest), updatesText(first));
    if (answer.parameters && answer.parameters->problem.empty())
        sentences << Text::tr("The distance of the parameters a and b is ‖a − b‖ / ‖a‖ over all "
                              "%1 of them, from the last checkpoints.")
                         .arg(countText(answer.parameters->parameters));
    return sentences.join(QLatin1Char(' '));
}

} // namespace accrue
