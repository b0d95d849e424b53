// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_words.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/models.h"
#include "ui/models/format.h"
#include "ui/models/memory_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(LawWords)
};

QString optimizerText(OptimizerName optimizer)
{
    switch (optimizer) {
    case OptimizerName::Sgd:
        return Text::tr("SGD");
    case OptimizerName::Adam:
        return Text::tr("Adam");
    case OptimizerName::AdamW:
        break;
    }
    return Text::tr("AdamW");
}

QString precisionText(Precision precision)
{
    switch (precision) {
    case Precision::Float32:
        break;
    case Precision::Float64:
        return Text::tr("float64");
    case Precision::BFloat16:
        return Text::tr("bfloat16");
    case Precision::Float16:
        return Text::tr("float16");
    }
    return {}; // as always
}

QStringList linesText(const MemoryLaw& law)
{
    QStringList lines;
    for (const MemoryLine& line : greatestLines(law))
        lines.append(
            Text::tr("%1 + %2 · b (%3)")
                .arg(bytesText(line.base), bytesText(line.perSample), phaseTitle(line.phase)));
    return lines;
}

// "window 9 of about 18"
QString windowText(const FitProgress& progress)
{
    const QString number = countText(progress.windows + 1);
    return progress.ofWindows > 0
        ? Text::tr("window %1 of about %2").arg(number, countText(progress.ofWindows))
        : Text::tr("window %1").arg(number);
}

} // namespace

QString normText(Norm norm)
{
    switch (norm) {
    case Norm::None:
        break;
    case Norm::Batch:
        return Text::tr("BatchNorm");
    case Norm::Group:
        return Text::tr("GroupNorm");
    case Norm::Layer:
        return Text::tr("LayerNorm");
    case Norm::Instance:
        return Text::tr("InstanceNorm");
    }
    return Text::tr("no norm");
}

QString lawSubject(const Experiment& experiment, const std::string& device)
{
    const QString model = QString::fromLatin1(modelInfo(experiment.model.name).title);
    QStringList words { model, normText(experiment.model.norm),
        optimizerText(experiment.optimizer.name), precisionText(experiment.run.precision) };
    words.removeAll(QString());
    return Text::tr("%1 on %2")
        .arg(words.join(QStringLiteral(", ")), QString::fromStdString(device));
}

QString samplesText(std::int64_t samples)
{
    return countedText(samples, Text::tr("1 sample"), Text::tr("%1 samples"));
}

QString fitProgressText(const FitProgress& progress)
{
    const QString window = windowText(progress);
    const QString samples = samplesText(progress.micro);
    if (progress.steps > 1)
        return Text::tr("%1, %2 micro-batches of %3")
            .arg(window, countText(progress.steps), samples);
    if (progress.timing)
        return Text::tr("%1, speed of micro-batches of %2").arg(window, samples);
    if (progress.proving)
        return Text::tr("%1, micro-batch of %2, at the border of the budget").arg(window, samples);
    return Text::tr("%1, micro-batch of %2").arg(window, samples);
}

ShownProgress progressOf(const FitProgress& progress, double seconds)
{
    ShownProgress shown;
    shown.steps = windowText(progress);
    shown.timeLeft = Text::tr("estimating");
    if (progress.ofWindows <= 0)
        return shown;
    shown.share = shareOf(progress);
    shown.percent = Text::tr("%1 %").arg(QString::number(100 * shown.share, 'f', 0));
    shown.secondsLeft = secondsLeft(progress, seconds);
    if (shown.secondsLeft)
        shown.timeLeft = Text::tr("about %1 left").arg(durationText(*shown.secondsLeft));
    return shown;
}

QString verdictText(const MemoryFit& fit, const Experiment& experiment)
{
    const CardAnswer answer = answerFor(fit, experiment);
    const QString size = bytesText(answer.bytes);
    const QString card = experiment.memory.budget
        ? Text::tr("the budget of %1").arg(size)
        : Text::tr("the %1 of %2").arg(size, QString::fromStdString(fit.device));
    if (answer.micro == 0)
        return Text::tr("Not one micro-batch fits %1: with %2 a window needs %3.")
            .arg(card, samplesText(fit.smallestMicro),
                bytesText(predictedBytes(fit, fit.smallestMicro)));
    const QString samples = samplesText(answer.micro);
    if (answer.proved)
        return (answer.isAll
                ? Text::tr("The whole training set, %1, fits %2 as one micro-batch: proved by a "
                           "real window.")
                : Text::tr("Micro-batches of up to %1 fit %2: proved by a real window; one sample "
                           "more was refused."))
            .arg(samples, card);
    const QString predicted = answer.extrapolated
        ? Text::tr("predicted, with %1").arg(QString::fromStdString(marginText()))
        : Text::tr("predicted");
    if (answer.isAll)
        return Text::tr("The whole training set, %1, would fit %2 as one micro-batch: %3.")
            .arg(samples, card, predicted);
    if (answer.isWindow)
        return Text::tr("The whole effective batch, %1, would fit %2 as one micro-batch: %3.")
            .arg(samples, card, predicted);
    return Text::tr("Micro-batches of up to %1 fit %2: %3.").arg(samples, card, predicted);
}

QString splitText(const SplitSpeed& split)
{
    return QString::fromStdString(describe(split));
}

QString fastestText(const MemoryFit& fit, const Experiment& experiment)
{
    if (fit.speeds.empty())
        return Text::tr("Speed was not measured with this memory model; measure again.");
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    if (plan && !plan->schedule.empty())
        return Text::tr("batch.schedule changes N, so that no one split is the fastest.");
    const std::string sentence = sentenceOnFastest(fit, experiment, "the form's");
    return sentence.empty() ? Text::tr("No micro-batch of the form's B was timed.")
                            : QString::fromStdString(sentence);
}

QString lawText(const MemoryFit& fit)
{
    const MemoryLaw& law = fit.law;
    const QStringList lines = linesText(law);
    const QString formula = lines.size() == 1
        ? Text::tr("Peak = %1").arg(lines.front())
        : Text::tr("Peak = the greatest of %1").arg(lines.join(QStringLiteral(", ")));
    const QString range =
        Text::tr("measured from b = %1 to %2").arg(countText(law.from), countText(law.to));
    if (meetsMeasurements(law))
        return Text::tr("%1, %2. %3")
            .arg(formula, range, QString::fromStdString(sentenceOnExactLaw(law)));
    const std::optional<double> band = law.bandAt(law.to);
    if (!band)
        return Text::tr("%1, %2.").arg(formula, range);
    return Text::tr("%1, %2; at b = %3 within ± %4 (95 %).")
        .arg(formula, range, countText(law.to), bytesText(std::llround(*band)));
}

QString cardTitle(std::int64_t bytes)
{
    return Text::tr("%1 GiB").arg(bytes >> 30);
}

QString cardAnswerText(const CardAnswer& answer)
{
    if (answer.micro == 0)
        return Text::tr("no");
    const QString micro = countText(answer.micro);
    if (answer.isAll)
        return Text::tr("%1, all samples").arg(micro);
    if (answer.isWindow)
        return Text::tr("%1, all of B").arg(micro);
    return answer.proved ? Text::tr("%1, proved").arg(micro) : micro;
}

QString cardsSentence(const MemoryFit& fit, const Experiment& experiment)
{
    const std::string sentence = sentenceOnEveryCard(fit, experiment);
    return sentence.empty()
        ? QString()
        : Text::tr("%1 To try a smaller one, type its size above, such as 128MiB.")
              .arg(QString::fromStdString(sentence));
}

QString cardsSource(const MemoryFit& fit)
{
    return QString::fromStdString(sentenceOnCards(fit) + " " + sentenceOnMargin(fit));
}

QString stepsMeaning(const MemoryFit& fit)
{
    return Text::tr("Each micro-batch gives its activations back before the next one begins, and "
                    "all add into the same gradients (%1): a window needs the same memory "
                    "whatever N is.")
        .arg(bytesText(fit.gradientBytes));
}

} // namespace accrue
