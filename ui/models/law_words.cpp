// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_words.h"

#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/memory_words.h"

#include <QStringList>

#include <cmath>

namespace accrue {

namespace {

// "None" would not state what is missing.
QString normText(const Experiment& experiment)
{
    return experiment.model.norm == Norm::None ? Ui::tr("no norm")
                                               : choiceTitle(experiment, key::modelNorm);
}

// The usual one is not named.
QString precisionText(const Experiment& experiment)
{
    return experiment.run.precision == Precision::Float32
        ? QString()
        : spelledSetting(experiment, key::runPrecision);
}

QStringList linesText(const MemoryLaw& law)
{
    QStringList lines;
    for (const MemoryLine& line : greatestLines(law))
        lines.append(Ui::tr("%1 + %2 · b (%3)")
                         .arg(bytesText(line.base), bytesText(line.perSample),
                             phaseWords(line.phase).title));
    return lines;
}

// "window 9 of about 18"
QString windowText(const FitProgress& progress)
{
    const QString number = countText(progress.windows + 1);
    return progress.ofWindows > 0
        ? Ui::tr("window %1 of about %2").arg(number, countText(progress.ofWindows))
        : Ui::tr("window %1").arg(number);
}

} // namespace

QString lawSubject(const Experiment& experiment, const std::string& device)
{
    QStringList words { choiceTitle(experiment, key::modelName), normText(experiment),
        choiceTitle(experiment, key::optimizerName), precisionText(experiment) };
    words.removeAll(QString());
    return Ui::tr("%1 on %2").arg(words.join(Ui::tr(", ")), QString::fromStdString(device));
}

QString samplesText(std::int64_t samples)
{
    return countedText(samples, Ui::tr("1 sample"), Ui::tr("%1 samples"));
}

QString fitProgressText(const FitProgress& progress)
{
    const QString window = windowText(progress);
    const QString samples = samplesText(progress.micro);
    if (progress.steps > 1)
        return Ui::tr("%1, %2 micro-batches of %3").arg(window, countText(progress.steps), samples);
    if (progress.timing)
        return Ui::tr("%1, speed of micro-batches of %2").arg(window, samples);
    if (progress.proving)
        return Ui::tr("%1, micro-batch of %2, at the limit of the budget").arg(window, samples);
    return Ui::tr("%1, micro-batch of %2").arg(window, samples);
}

ShownProgress progressOf(const FitProgress& progress, double seconds)
{
    ShownProgress shown;
    shown.steps = windowText(progress);
    shown.timeLeft = Ui::tr("estimating");
    if (progress.ofWindows <= 0)
        return shown;
    shown.share = shareOf(progress);
    shown.percent = Ui::tr("%1 %").arg(QString::number(100 * shown.share, 'f', 0));
    if (const std::optional<double> left = secondsLeft(progress, seconds))
        shown.timeLeft = Ui::tr("about %1 left").arg(durationText(*left));
    return shown;
}

// The wording distinguishes what a real window showed from what the memory model predicts: the
// former is "verified", the latter "predicted".
QString verdictText(const LawQuestion& question)
{
    const MemoryFit& fit = question.law.value();
    const CardAnswer answer = answerFor(question);
    const QString size = bytesText(answer.bytes);
    const std::int64_t ranks = ranksSharing(question.experiment, fit);
    const QString device = QString::fromStdString(fit.device);
    const QString card = question.experiment.memory.budget ? Ui::tr("the budget of %1").arg(size)
        : ranks == 1 ? Ui::tr("the %1 of %2").arg(size, device)
                     : Ui::tr("the %1 of %2 for each of %3").arg(size, device, countText(ranks));
    if (answer.micro == 0)
        return Ui::tr("No micro-batch fits %1: with %2, a window needs %3.")
            .arg(card, samplesText(fit.smallestMicro),
                bytesText(predictedBytes(fit, fit.smallestMicro)));
    const QString samples = samplesText(answer.micro);
    if (answer.proved)
        return (answer.isAll ? Ui::tr("The whole training set, %1, fits %2 as one micro-batch: "
                                      "verified with a real window.")
                             : Ui::tr("Micro-batches of up to %1 fit %2: verified with a real "
                                      "window; one sample more ran out of memory."))
            .arg(samples, card);
    // Within the measured range the memory model is right to 1 %; beyond it the prediction includes
    // a margin, which is stated.
    const QString predicted = answer.extrapolated
        ? Ui::tr("predicted, with %1").arg(messageText(marginText()))
        : Ui::tr("predicted");
    if (answer.isAll)
        return Ui::tr("The whole training set, %1, would fit %2 as one micro-batch: %3.")
            .arg(samples, card, predicted);
    if (answer.isWindow)
        return Ui::tr("The whole effective batch, %1, would fit %2 as one micro-batch: %3.")
            .arg(samples, card, predicted);
    return Ui::tr("Micro-batches of up to %1 fit %2: %3.").arg(samples, card, predicted);
}

QString splitText(const SplitSpeed& split)
{
    return QString::fromStdString(describe(split));
}

QString fastestText(const LawQuestion& question)
{
    const MemoryFit& fit = question.law.value();
    const std::optional<BatchPlan>& plan = question.plan;
    if (fit.speeds.empty())
        return Ui::tr("Speed was not measured with this memory model; measure again.");
    if (plan && !plan->schedule.empty())
        return Ui::tr("batch.schedule changes N, so no single split is the fastest.");
    const std::string sentence =
        plan ? fastestSentence(fit, { question.experiment, *plan }).text() : std::string();
    return sentence.empty() ? Ui::tr("No micro-batch for the form's B was timed.")
                            : QString::fromStdString(sentence);
}

// A band is stated only if there are enough measurements for one, at the largest b that was
// measured.
QString lawText(const MemoryFit& fit)
{
    const MemoryLaw& law = fit.law;
    const QStringList lines = linesText(law);
    const QString formula = lines.size() == 1
        ? Ui::tr("Peak = %1").arg(lines.front())
        : Ui::tr("Peak = maximum of %1").arg(lines.join(Ui::tr(", ")));
    const QString range =
        Ui::tr("measured from b = %1 to %2").arg(countText(law.from), countText(law.to));
    if (meetsMeasurements(law))
        return Ui::tr("%1, %2. %3").arg(formula, range, messageText(exactModel(law)));
    const std::optional<double> band = law.bandAt(law.to);
    if (!band)
        return Ui::tr("%1, %2.").arg(formula, range);
    return Ui::tr("%1, %2; at b = %3 within ± %4 (95 %).")
        .arg(formula, range, countText(law.to), bytesText(std::llround(*band)));
}

QString cardTitle(std::int64_t bytes)
{
    return Ui::tr("%1 GiB").arg(bytes >> 30);
}

QString cardAnswerText(const CardAnswer& answer)
{
    if (answer.micro == 0)
        return Ui::tr("no");
    const QString micro = countText(answer.micro);
    if (answer.isAll)
        return Ui::tr("%1, all samples").arg(micro);
    if (answer.isWindow)
        return Ui::tr("%1, all of B").arg(micro);
    return answer.proved ? Ui::tr("%1, verified").arg(micro) : micro;
}

QString cardsSentence(const MemoryFit& fit, const std::optional<BatchPlan>& plan)
{
    const std::string sentence = everyCardFits(fit, plan).text();
    return sentence.empty()
        ? QString()
        : Ui::tr("%1 To try a smaller card, type its size above, such as 128MiB.")
              .arg(QString::fromStdString(sentence));
}

QString cardsSource(const MemoryFit& fit)
{
    return QString::fromStdString(sourceOfCards(fit).text() + " " + marginSentence(fit).text());
}

QString stepsMeaning(const MemoryFit& fit)
{
    return Ui::tr(
        "Each micro-batch frees its activations before the next one begins, and all of them add to "
        "the same gradients (%1), so a window needs the same memory for every N.")
        .arg(bytesText(fit.gradientBytes));
}

} // namespace accrue
