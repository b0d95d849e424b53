// SPDX-License-Identifier: Apache-2.0
#include "ui/models/equivalence_words.h"

#include "engine/base/sentences.h"
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
                      "different numbers of samples.");
    if (all.step == 0)
        return Ui::tr("Equivalent: losses are identical to the last digit for %1.")
            .arg(updatesText(all));
    if (losses.verdict == Verdict::Different)
        return Ui::tr("Different: losses differ by up to %1 over %2, most at step %3.")
            .arg(sizeText(all.greatest), updatesText(all), step);
    if (all.greatest <= kFloat32Bound)
        return Ui::tr("Equivalent: losses agree to %1 for %2.")
            .arg(sizeText(all.greatest), updatesText(all));
    return Ui::tr("Equivalent: losses agree to %1 for %2. Later differences (≤ %3, step %4) are "
                  "accumulated rounding.")
        .arg(sizeText(losses.first.greatest), updatesText(losses.first), sizeText(all.greatest),
            step);
}

// "11 %", "0.00034 %"
QString distanceText(double relative)
{
    return numberText(100 * relative, kDigits) + QStringLiteral(" %");
}

QString weightsText(const ParameterDistance& weights)
{
    if (!weights.problem.empty())
        return Ui::tr("The weights could not be compared: %1").arg(messageText(weights.problem));
    const bool isSame = weights.relative == 0;
    if (weights.stepOfA == weights.stepOfB)
        return isSame ? Ui::tr("Final weights are identical, bit for bit.")
                      : Ui::tr("Final weights differ by %1.").arg(distanceText(weights.relative));
    const QString a = countText(weights.stepOfA);
    const QString b = countText(weights.stepOfB);
    return isSame
        ? Ui::tr("The weights after %1 and %2 updates are identical, bit for bit.").arg(a, b)
        : Ui::tr("The weights after %1 and %2 updates differ by %3.")
              .arg(a, b, distanceText(weights.relative));
}

// With what the language has between sentences.
QString oneAfterTheOther(const QStringList& sentences)
{
    Message all;
    for (const QString& sentence : sentences)
        all = followedBy(all, Message::plain(sentence.toStdString()));
    return messageText(all);
}

} // namespace

QString equivalenceText(const EquivalenceAnswer& answer)
{
    if (!answer.problem.isEmpty())
        return answer.problem;
    QStringList sentences { lossesText(answer.losses) };
    if (answer.parameters)
        sentences << weightsText(*answer.parameters);
    return oneAfterTheOther(sentences);
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
        sentences << Ui::tr("The distance of the weights a and b is ‖a − b‖ / ‖a‖ over all %1 "
                            "of them, computed from the last checkpoints.")
                         .arg(countText(answer.parameters->parameters));
    return oneAfterTheOther(sentences);
}

} // namespace accrue
