// SPDX-License-Identifier: Apache-2.0
#include "ui/models/equivalence_words.h"

#include "ui/models/format.h"

#include <cmath>

namespace accrue {

namespace {

using Verdict = Equivalence::Verdict;

constexpr int kDigits = 2;

QString updatesText(const LossDifference& found)
{
    return countedText(found.updates, Ui::tr("1 update"), Ui::tr("%1 updates"));
}

QString sizeText(double difference)
{
    return numberText(difference, kDigits);
}

// In float32 only the first updates decide. The effect of rounding on later ones is stated
// separately, so that equal trainings are not reported as equal to 0.04 only.
QString lossesText(const Equivalence& losses)
{
    const LossDifference& all = losses.all;
    const QString step = countText(all.step);
    if (losses.verdict == Verdict::NotComparable)
        return Ui::tr("These two runs cannot be compared update by update: their updates use "
                      "different numbers of samples");
    if (all.step == 0)
        return Ui::tr("Losses are identical to the last digit over %1").arg(updatesText(all));
    if (losses.verdict == Verdict::Different)
        return Ui::tr("Different: losses differ by up to %1 over %2 (at step %3)")
            .arg(sizeText(all.greatest), updatesText(all), step);
    if (all.greatest <= kFloat32Bound)
        return Ui::tr("Losses agree to %1 over %2 (largest difference, at step %3)")
            .arg(sizeText(all.greatest), updatesText(all), step);
    return Ui::tr("Losses agree to %1 over the first %2; then rounding differences grow to at "
                  "most %3 over %4 (at step %5)")
        .arg(sizeText(losses.first.greatest), updatesText(losses.first), sizeText(all.greatest),
            updatesText(all), step);
}

QString parametersText(const ParameterDistance& parameters)
{
    if (!parameters.problem.empty())
        return Ui::tr("their parameters could not be compared: %1")
            .arg(messageText(parameters.problem));
    const QString apart = parameters.relative == 0
        ? Ui::tr("their parameters are identical, bit for bit")
        : Ui::tr("their parameters differ by %1").arg(numberText(parameters.relative, kDigits));
    return parameters.stepOfA == parameters.stepOfB
        ? apart
        : Ui::tr("%1 (after %2 and %3 updates)")
              .arg(apart, countText(parameters.stepOfA), countText(parameters.stepOfB));
}

} // namespace

QString equivalenceText(const EquivalenceAnswer& answer)
{
    if (!answer.problem.isEmpty())
        return answer.problem;
    QString text = lossesText(answer.losses);
    if (answer.parameters)
        text += Ui::tr("; ") + parametersText(*answer.parameters);
    // A problem of the engine is a sentence with its own full stop.
    return text.endsWith(QLatin1Char('.')) || text.endsWith(QStringLiteral("。"))
        ? text
        : Ui::tr("%1.").arg(text);
}

QString equivalenceExplanation(const EquivalenceAnswer& answer)
{
    QStringList sentences {
        Ui::tr("The same training with other micro-batches differs only by rounding: losses "
               "agree within %1 in float64, and within %2 over the first %3 updates in float32; "
               "then the rounding differences grow.")
            .arg(numberText(kFloat64Bound), numberText(kFloat32Bound), countText(kFirstUpdates))
    };
    const LossDifference& first = answer.losses.first;
    if (answer.losses.verdict == Verdict::Different)
        sentences << Ui::tr("Here: %1 over the first %2.")
                         .arg(sizeText(first.greatest), updatesText(first));
    if (answer.parameters && answer.parameters->problem.empty())
        sentences << Ui::tr("The distance of the parameters a and b is ‖a − b‖ / ‖a‖ over all %1 "
                            "of them, computed from the last checkpoints.")
                         .arg(countText(answer.parameters->parameters));
    return sentences.join(QLatin1Char(' '));
}

} // namespace accrue
