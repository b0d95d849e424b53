// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/explanation.h"

#include "engine/experiment/registries.h"

#include <algorithm>
#include <string>

#include <QTest>

#include <rapidcheck.h>

using namespace accrue;

namespace {

using Topic = ExplanationPart::Topic;
constexpr std::int64_t kMnist = 60'000;

// With plain spaces in numbers.
std::string plain(std::string sentence)
{
    const std::string thin = "\u202f";
    for (auto at = sentence.find(thin); at != std::string::npos; at = sentence.find(thin))
        sentence.replace(at, thin.size(), " ");
    return sentence;
}

std::vector<ExplanationPart> explained(
    const Experiment& experiment, std::optional<std::int64_t> samples = kMnist)
{
    const ResolvedExperiment resolved = requireResolved(experiment);
    return explain(samples ? withEpoch(resolved, *samples) : resolved);
}

// For a number of devices that is still refused elsewhere.
std::vector<ExplanationPart> explainedOnDevices(const Experiment& experiment)
{
    const BatchPlan plan = solveBatch(experiment).plan.value();
    Experiment one = experiment;
    one.batch.devices = {};
    one.batch.effective = BatchNumber::given(plan.effective);
    one.batch.micro = {};
    one.batch.steps = {};
    ResolvedExperiment resolved = requireResolved(one);
    resolved.experiment.batch = experiment.batch;
    resolved.plan = plan;
    return explain(withEpoch(resolved, kMnist));
}

// All sentences of a topic, one a line.
std::string words(const std::vector<ExplanationPart>& parts, Topic topic)
{
    std::string text;
    for (const ExplanationPart& part : parts)
        for (const Message& sentence : part.sentences)
            text += part.topic == topic ? plain(sentence.english()) + "\n" : "";
    return text;
}

Experiment cut(std::int64_t micro, std::int64_t steps)
{
    Experiment experiment;
    experiment.batch.micro = BatchNumber::given(micro);
    experiment.batch.steps = BatchNumber::given(steps);
    return experiment;
}

// 60,000 samples = 468 windows of 4 × 32 and 3 micro-batches more.
Experiment standAlone()
{
    Experiment experiment = cut(32, 4);
    experiment.batch.reduction = Reduction::Sum;
    experiment.batch.tail = Tail::Drop;
    return experiment;
}

Experiment withEffective(std::int64_t effective, std::int64_t micro)
{
    Experiment experiment;
    experiment.batch.effective = BatchNumber::given(effective);
    experiment.batch.micro = BatchNumber::given(micro);
    return experiment;
}

} // namespace

// `text` must hold `sentence` as a whole line.
#define COMPARE_SAYS(text, sentence)                                                               \
    QVERIFY2(("\n" + (text)).find("\n" + std::string(sentence) + "\n") != std::string::npos,       \
        (text).c_str())

class TestExplanation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUpdateIsSaidWithHowItWasSolved();
    void severalDevicesAreNamed();
    void aSmallerLastMicroBatchIsSaid();
    void eachTailIsSaidWithItsNumbers();
    void anUnknownTrainingSetLeavesTheEpochOpen();
    void aScheduleOfStepsIsSaidWithItsRates();
    void sumIsNTimesTheRateOfMeanForPlainSgdOnly();
    void meanNeedsNoOtherRateForAnotherCut();
    void batchNormSeesAMicroBatch();
    void otherNormsSeeEachSampleAlone();
    void defectsAreToldWithTheNumbersOfThePlan();
    void aDivisionByNIsToldOnTheTail();
    void withoutAccumulationMostDefectsMakeNoDifference();
    void whatIsSaidIsAlwaysSentences();
};

void TestExplanation::anUpdateIsSaidWithHowItWasSolved()
{
    const std::string sum = words(explained(standAlone()), Topic::Batch);
    COMPARE_SAYS(sum, "An update uses B = 128 samples: N = 4 micro-batches of 32.");
    COMPARE_SAYS(sum, "Accrue solves B: b × N.");
    COMPARE_SAYS(sum,
        "Reduction sum: each sample has the weight 1/32, so the mean gradients of the 4 "
        "micro-batches are "
        "added.");
    const std::string silent = words(explained({}), Topic::Batch);
    COMPARE_SAYS(silent, "Accrue solves B: b × N, where b and N are the defaults.");
    COMPARE_SAYS(silent,
        "Reduction mean: each sample has the weight 1/128, so the gradient is that of the mean "
        "loss over "
        "the window, however the window is split.");
    Experiment micro;
    micro.batch.effective = BatchNumber::given(96);
    micro.batch.steps = BatchNumber::given(6);
    COMPARE_SAYS(
        words(explained(micro), Topic::Batch), "Accrue solves b: ceil(B / N) = ceil(96 / 6).");
    const std::string one = words(explained(cut(64, 1)), Topic::Batch);
    COMPARE_SAYS(one, "An update uses B = 64 samples: N = 1 micro-batch of 64.");
    QVERIFY(one.find("Memory") == std::string::npos);
}

void TestExplanation::severalDevicesAreNamed()
{
    Experiment experiment = withEffective(256, 32);
    experiment.batch.devices = BatchNumber::given(2);
    std::string text = words(explainedOnDevices(experiment), Topic::Batch);
    COMPARE_SAYS(
        text, "An update uses B = 256 samples: N = 4 micro-batches of 32 on each of 2 devices.");
    COMPARE_SAYS(text, "Accrue solves N: ceil(B / (b × W)) = ceil(256 / (32 × 2)).");

    experiment = withEffective(128, 25);
    experiment.batch.devices = BatchNumber::given(2);
    experiment.batch.reduction = Reduction::Sum;
    text = words(explainedOnDevices(experiment), Topic::Batch);
    COMPARE_SAYS(text,
        "An update uses B = 128 samples: N = 3 micro-batches on each of 2 devices (2 × 50 + 1 × 28 "
        "samples on all of them together).");
    COMPARE_SAYS(text,
        "Reduction sum: each sample has the weight 1/50, in the smallest micro-batch 1/28, so the "
        "mean gradients of the 3 micro-batches over 2 devices are added.");

    experiment = cut(25, 3);
    experiment.batch.effective = BatchNumber::given(128);
    experiment.batch.devices = BatchNumber::solved();
    text = words(explainedOnDevices(experiment), Topic::Batch);
    COMPARE_SAYS(text, "Accrue solves W: ceil(B / (b × N)) = 2 devices.");

    experiment = withEffective(256, 32);
    experiment.batch.devices = { BatchNumber::Kind::All, 2 };
    text = words(explainedOnDevices(experiment), Topic::Batch);
    COMPARE_SAYS(text, "batch.devices is \"all\": W = 2, every CUDA device of this machine.");

    experiment = cut(16, 4);
    experiment.batch.devices = BatchNumber::given(2);
    text = words(explainedOnDevices(experiment), Topic::Batch);
    COMPARE_SAYS(text, "Accrue solves B: b × N × W.");
}

void TestExplanation::aSmallerLastMicroBatchIsSaid()
{
    Experiment experiment = withEffective(128, 25);
    const std::string batch = words(explained(experiment), Topic::Batch);
    COMPARE_SAYS(batch, "An update uses B = 128 samples: N = 6 micro-batches (5 × 25 + 1 × 3).");
    COMPARE_SAYS(batch, "Accrue solves N: ceil(B / b) = ceil(128 / 25).");
    experiment.batch.reduction = Reduction::Sum;
    const auto parts = explained(experiment);
    COMPARE_SAYS(words(parts, Topic::Batch),
        "Reduction sum: each sample has the weight 1/25, in the smallest micro-batch 1/3, so the "
        "mean "
        "gradients of the 6 micro-batches are added.");
    COMPARE_SAYS(words(parts, Topic::LearningRate),
        "Sum adds the mean gradients of micro-batches of different sizes: a sample of the smallest "
        "counts 8.333 times as much as one of the largest, so lr is no multiple of the rate of "
        "mean.");
    // 128 / (6 · 3)
    COMPARE_SAYS(words(parts, Topic::Defects),
        "The mean of its micro-batches' means is not the mean of the window: with 3 samples in the "
        "last micro-batch, each of them would count 7.11 times as much as it should.");
}

void TestExplanation::eachTailIsSaidWithItsNumbers()
{
    Experiment experiment = cut(32, 4);
    const std::string flushed = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(
        flushed, "An epoch's 60 000 samples make 468 full windows and a tail of 96 samples.");
    COMPARE_SAYS(flushed,
        "Tail flush: the remaining samples make one more update, of 3 micro-batches of 32, each "
        "sample with the "
        "weight 1/96.");
    COMPARE_SAYS(flushed, "The run makes 4 690 updates in 10 epochs.");

    experiment.batch.tail = Tail::Drop;
    const std::string dropped = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(dropped,
        "Tail drop: the remaining samples are left out; the next epoch, in another order, leaves "
        "out others.");
    COMPARE_SAYS(dropped, "The run makes 4 680 updates in 10 epochs.");

    // 600,000 = 4,687 · 128 + 64
    experiment.batch.tail = Tail::Carry;
    experiment.run.limitSteps = 200;
    const std::string carried = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(carried,
        "Tail carry: the remaining samples open a window that the first 32 samples of the next "
        "epoch fill.");
    COMPARE_SAYS(carried, "After the last epoch 64 samples are left and make one more update.");
    COMPARE_SAYS(carried,
        "The run makes 200 updates, after which run.limit_steps ends it; 10 epochs would make "
        "4 688.");
    COMPARE_SAYS(words(explained(cut(32, 1)), Topic::Epoch),
        "An epoch's 60 000 samples make 1 875 full windows and no tail.");
}

void TestExplanation::anUnknownTrainingSetLeavesTheEpochOpen()
{
    const auto parts = explained(standAlone(), {});
    COMPARE_SAYS(words(parts, Topic::Epoch),
        "How many windows an epoch has depends on the size of the training set, which is not known "
        "here.");
    COMPARE_SAYS(
        words(parts, Topic::LearningRate), "Sum makes the gradient N = 4 times as long as mean.");
}

void TestExplanation::aScheduleOfStepsIsSaidWithItsRates()
{
    Experiment experiment;
    experiment.batch.schedule = { { StepsFrom::Unit::Epoch, 0, 1 },
        { StepsFrom::Unit::Epoch, 4, 4 } };
    experiment.optimizer.lrRule = LrRule::SquareRoot;
    const auto parts = explained(experiment);
    const std::string steps = words(parts, Topic::Steps);
    COMPARE_SAYS(steps, "From epoch 0 on, N is 1, B is 32 and the learning rate is 0.01.");
    COMPARE_SAYS(steps, "From epoch 4 on, N is 4, B is 128 and the learning rate is 0.02.");
    // 4 · 1875 + 6 · 469
    COMPARE_SAYS(words(parts, Topic::Epoch), "The run makes 10 314 updates in 10 epochs.");
    QVERIFY(words(parts, Topic::Defects).find("windows of 1, 3, 3, 3") != std::string::npos);
    QVERIFY(words(explained(cut(32, 4)), Topic::Steps).empty());
}

void TestExplanation::sumIsNTimesTheRateOfMeanForPlainSgdOnly()
{
    Experiment experiment = standAlone();
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "For SGD with equal micro-batches, without weight decay and clipping, that is N times the "
        "rate of mean: lr 0.01 here equals lr 0.04 there.");
    experiment.optimizer.weightDecay = 4e-3;
    experiment.optimizer.clipNorm = 1;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "That is not just N times the rate of mean, because sum does not multiply weight decay and "
        "clipping: with mean the same update needs lr = 0.04, weight_decay = 0.001, clip_norm = "
        "0.25.");
    experiment.optimizer.name = OptimizerName::AdamW;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "That is not N times the rate of mean: AdamW divides a gradient by its own size, so its "
        "length hardly matters. With mean the same update needs the same lr and eps = 2.5e-09, "
        "clip_norm = 0.25.");
    experiment = standAlone();
    experiment.batch.tail = Tail::Flush;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "The flushed tail adds 3 micro-batches instead of 4, so its update is shorter in "
        "proportion.");
}

void TestExplanation::meanNeedsNoOtherRateForAnotherCut()
{
    const std::string rate = words(explained(cut(32, 4)), Topic::LearningRate);
    COMPARE_SAYS(rate,
        "lr 0.01 applies to the mean gradient over all of B. Splitting the same B differently "
        "does not change it.");
    COMPARE_SAYS(rate,
        "A program that adds the micro-batches' gradients without dividing them makes the same "
        "update at lr 0.0025.");
    COMPARE_SAYS(
        rate, "The update of the flushed tail has the same rate, for the mean of 96 samples.");
}

void TestExplanation::batchNormSeesAMicroBatch()
{
    Experiment experiment = cut(32, 4);
    experiment.model.norm = Norm::Batch;
    const std::string plainly = words(explained(experiment), Topic::Normalization);
    COMPARE_SAYS(plainly,
        "BatchNorm computes its statistics over a micro-batch of 32 samples, not over the window's "
        "128: accumulation does not make them those of a large batch.");
    COMPARE_SAYS(plainly, // 1 - 0.9^4 = 0.3439
        "Its running statistics are updated with each micro-batch, with the weight 0.1, so a "
        "window "
        "has the weight 1 - 0.9^4 = 0.3439, where one batch would have 0.1.");
    experiment.model.batchnormMomentum = BatchNormMomentum::correctedOne();
    experiment.model.batchnormPrecise = true;
    const std::string corrected = words(explained(experiment), Topic::Normalization);
    COMPARE_SAYS(corrected, // 1 - 0.9^0.25 = 0.025996
        "Its running statistics are updated with each micro-batch, with the corrected weight 1 - "
        "0.9^(1/N) = 0.026 for the N of each window, so that a window has the weight 0.1, as one "
        "batch would.");
    COMPARE_SAYS(corrected,
        "Before each evaluation they are recomputed from training micro-batches with the "
        "current parameters.");
    experiment.model.batchnormWindow = true;
    QVERIFY(words(explained(experiment), Topic::Normalization).find("pooled") != std::string::npos);
    experiment.batch.steps = BatchNumber::given(1);
    COMPARE_SAYS(words(explained(experiment), Topic::Normalization),
        "BatchNorm computes its statistics over the whole window of 32 samples, because it is one "
        "micro-batch.");
}

void TestExplanation::otherNormsSeeEachSampleAlone()
{
    Experiment experiment = cut(32, 4);
    experiment.model.norm = Norm::Group;
    COMPARE_SAYS(words(explained(experiment), Topic::Normalization),
        "GroupNorm normalises each sample by itself, one group of channels at a time: neither b "
        "nor "
        "N changes the result.");
}

void TestExplanation::defectsAreToldWithTheNumbersOfThePlan()
{
    Experiment experiment = cut(32, 4);
    experiment.batch.tail = Tail::Drop;
    experiment.optimizer.clipNorm = 1;
    const std::string defects = words(explained(experiment), Topic::Defects);
    COMPARE_SAYS(defects,
        "loss += loss / N (an article on large batches) adds instead of dividing: the gradient "
        "would "
        "be 5 times as long as that of the mean, as if lr were 0.05.");
    COMPARE_SAYS(defects, // (1875 - 1) / 3 + 1
        "A step at idx % (N - 1) == 0 with the loss divided by N (Colossal-AI's tutorials) would "
        "make windows of 1, 3, 3, 3 … micro-batches: the first update uses 1/4 of a mean "
        "gradient, the others 3/4. An epoch would have 625 updates, not 468.");
    COMPARE_SAYS(defects,
        "Gradients that are added and never divided (MindSpore r1.6, stand-alone) would make the "
        "gradient 4 times as long: the learning rate would silently be 0.04 instead of 0.01.");
    COMPARE_SAYS(defects,
        "A sum that is cleared only after an update, with a counter that restarts each epoch "
        "(MindSpore r1.6, stand-alone), would leak the gradients of the last 3 of 1 875 "
        "micro-batches of an epoch "
        "into the next epoch's first window, which would have 7 micro-batches instead of 4.");
    COMPARE_SAYS(defects,
        "A printed loss of the last micro-batch alone (MindSpore r1.6, stand-alone) would "
        "represent "
        "32 of the window's 128 samples.");
    COMPARE_SAYS(defects,
        "micro_size, documented as a size and used as a number of slices (MindSpore's "
        "GradAccumulation), would be set to b, 32, and split the 128 samples into 32 slices of 4, "
        "not "
        "into 4 of 32.");
    COMPARE_SAYS(defects, // 4 · 2.302585, 2.302585 / 4
        "A logged loss that is added over the slices (MindSpore's GradAccumulation) would begin "
        "near 9.21 with "
        "ten classes, one that is divided by N (MindSpore's Accumulator) near 0.576; the true one "
        "begins near ln 10 = 2.3.");
    COMPARE_SAYS(defects,
        "A clip_norm that is stored and never used (MindSpore's Accumulator) would leave every "
        "gradient at its length, despite optimizer.clip_norm = 1.");
}

void TestExplanation::aDivisionByNIsToldOnTheTail()
{
    COMPARE_SAYS(words(explained(cut(32, 4)), Topic::Defects),
        "Divided by N 4, the 3 micro-batches of the tail of 96 would make 3/4 of its mean "
        "gradient.");
    // 59,984 = 468 · 128 + 80, 80 = 32 + 32 + 16; 80 / (3 · 16)
    COMPARE_SAYS(words(explained(cut(32, 4), 59'984), Topic::Defects),
        "The mean of its micro-batches' means is not the mean of the tail of 80: with 16 samples "
        "in the last micro-batch, each of them would count 1.67 times as much as it should. "
        "Divided by N "
        "4, the 3 micro-batches of the tail of 80 would make 3/4 of its mean gradient.");
}

void TestExplanation::withoutAccumulationMostDefectsMakeNoDifference()
{
    const std::string defects = words(explained(cut(32, 1)), Topic::Defects);
    COMPARE_SAYS(defects,
        "A step at idx % (N - 1) == 0 with the loss divided by N (Colossal-AI's tutorials) would "
        "divide by 0 at N 1: an error at the first micro-batch.");
    COMPARE_SAYS(defects,
        "Gradients that are added and never divided (MindSpore r1.6, stand-alone) make no "
        "difference at N 1.");
    COMPARE_SAYS(defects,
        "A counter that is not reset between epochs (MindSpore's Accumulator) makes no difference "
        "here: "
        "every epoch ends with a whole window.");
}

void TestExplanation::whatIsSaidIsAlwaysSentences()
{
    const bool passed = rc::check("parts have sentences and numbers are finite", [] {
        Experiment experiment = cut(*rc::gen::inRange(2, 70), *rc::gen::inRange(1, 9));
        experiment.batch.reduction = *rc::gen::element(Reduction::Mean, Reduction::Sum);
        experiment.batch.tail = *rc::gen::element(Tail::Flush, Tail::Drop, Tail::Carry);
        experiment.model.norm = *rc::gen::element(Norm::None, Norm::Batch, Norm::Layer);
        experiment.optimizer.name = (*rc::gen::elementOf(optimizerTable())).name;
        if (*rc::gen::arbitrary<bool>())
            experiment.batch.schedule = { { StepsFrom::Unit::Step, 0, *rc::gen::inRange(1, 5) },
                { StepsFrom::Unit::Step, 7, *rc::gen::inRange(1, 5) } };
        if (!experiment.batch.schedule.empty())
            experiment.batch.steps = {};
        for (const ExplanationPart& part : explained(experiment, *rc::gen::inRange(700, 2'000))) {
            RC_ASSERT(!part.title.empty() && !part.sentences.empty());
            for (const Message& message : part.sentences) {
                const std::string sentence = message.english();
                RC_ASSERT(sentence.size() > 10 && sentence.back() == '.');
                RC_ASSERT(sentence.find("not finite") == std::string::npos);
                RC_ASSERT(sentence.find("{") == std::string::npos); // each argument is there
            }
        }
    });
    QVERIFY(passed);
}

QTEST_GUILESS_MAIN(TestExplanation)
#include "tst_explanation.moc"
