// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/explanation.h"

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
    return explain(experiment, solveBatch(experiment).plan.value(), samples);
}

// All sentences of a topic, one a line.
std::string words(const std::vector<ExplanationPart>& parts, Topic topic)
{
    std::string text;
    for (const ExplanationPart& part : parts)
        for (const std::string& sentence : part.sentences)
            text += part.topic == topic ? plain(sentence) + "\n" : "";
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
    COMPARE_SAYS(sum, "An update is made of B = 128 samples: N = 4 micro-batches of 32.");
    COMPARE_SAYS(sum, "B is solved: b × N.");
    COMPARE_SAYS(sum,
        "Reduction sum: each sample weighs 1/32, so the mean gradients of the 4 micro-batches are "
        "added.");
    const std::string silent = words(explained({}), Topic::Batch);
    COMPARE_SAYS(silent, "B is solved: b × N, where b and N are the defaults.");
    COMPARE_SAYS(silent,
        "Reduction mean: each sample weighs 1/128, so the gradient is that of the mean loss over "
        "the window, however it is cut.");
    Experiment micro;
    micro.batch.effective = BatchNumber::given(96);
    micro.batch.steps = BatchNumber::given(6);
    COMPARE_SAYS(words(explained(micro), Topic::Batch), "b is solved: ceil(B / N) = ceil(96 / 6).");
    const std::string one = words(explained(cut(64, 1)), Topic::Batch);
    COMPARE_SAYS(one, "An update is made of B = 64 samples: N = 1 micro-batch of 64.");
    QVERIFY(one.find("Memory") == std::string::npos);
}

void TestExplanation::aSmallerLastMicroBatchIsSaid()
{
    Experiment experiment = withEffective(128, 25);
    const std::string batch = words(explained(experiment), Topic::Batch);
    COMPARE_SAYS(
        batch, "An update is made of B = 128 samples: N = 6 micro-batches (5 × 25 + 1 × 3).");
    COMPARE_SAYS(batch, "N is solved: ceil(B / b) = ceil(128 / 25).");
    experiment.batch.reduction = Reduction::Sum;
    const auto parts = explained(experiment);
    COMPARE_SAYS(words(parts, Topic::Batch),
        "Reduction sum: each sample weighs 1/25, in the smallest micro-batch 1/3, so the mean "
        "gradients of the 6 micro-batches are added.");
    COMPARE_SAYS(words(parts, Topic::LearningRate),
        "Sum adds the mean gradients of micro-batches of different sizes: a sample of the smallest "
        "counts 8.333 times one of the largest, so lr is no multiple of the rate of mean.");
    // 128 / (6 · 3)
    COMPARE_SAYS(words(parts, Topic::Defects),
        "The mean of its micro-batches' means is not the mean of the window: with 3 samples in the "
        "last micro-batch, each of them would count 7.11 times what it should.");
}

void TestExplanation::eachTailIsSaidWithItsNumbers()
{
    Experiment experiment = cut(32, 4);
    const std::string flushed = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(
        flushed, "An epoch's 60 000 samples are 468 full windows and a tail of 96 samples.");
    COMPARE_SAYS(flushed,
        "Tail flush: they are one more update, of 3 micro-batches of 32, each sample weighing "
        "1/96.");
    COMPARE_SAYS(flushed, "The run makes 4 690 updates in 10 epochs.");

    experiment.batch.tail = Tail::Drop;
    const std::string dropped = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(dropped,
        "Tail drop: they are left out; the next epoch, in another order, leaves out others.");
    COMPARE_SAYS(dropped, "The run makes 4 680 updates in 10 epochs.");

    // 600,000 = 4,687 · 128 + 64
    experiment.batch.tail = Tail::Carry;
    experiment.run.limitSteps = 200;
    const std::string carried = words(explained(experiment), Topic::Epoch);
    COMPARE_SAYS(carried,
        "Tail carry: they open a window that the next epoch's first 32 samples fill; the 64 that "
        "are left after the last epoch are flushed.");
    COMPARE_SAYS(carried,
        "The run makes 200 updates in 10 epochs, at which run.limit_steps ends it; there would be "
        "4 688.");
    COMPARE_SAYS(words(explained(cut(32, 1)), Topic::Epoch),
        "An epoch's 60 000 samples are 1 875 full windows and no tail.");
}

void TestExplanation::anUnknownTrainingSetLeavesTheEpochOpen()
{
    const auto parts = explained(standAlone(), {});
    COMPARE_SAYS(words(parts, Topic::Epoch),
        "How an epoch falls into windows depends on the size of the training set, which is not "
        "known here.");
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
    COMPARE_SAYS(steps, "From epoch 0 on N is 1, B is 32 and the learning rate 0.01.");
    COMPARE_SAYS(steps, "From epoch 4 on N is 4, B is 128 and the learning rate 0.02.");
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
        "rate of mean: lr 0.01 here is lr 0.04 there.");
    experiment.optimizer.weightDecay = 4e-3;
    experiment.optimizer.clipNorm = 1;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "That is not just N times the rate of mean, because sum does not multiply weight decay and "
        "clipping: the same update by mean has lr = 0.04, weight_decay = 0.001, clip_norm = 0.25.");
    experiment.optimizer.name = OptimizerName::AdamW;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "That is not N times the rate of mean: Adam divides a gradient by its own size, so that "
        "its length hardly counts. The same update by mean has the same lr and eps = 2.5e-09, "
        "clip_norm = 0.25.");
    experiment = standAlone();
    experiment.batch.tail = Tail::Flush;
    COMPARE_SAYS(words(explained(experiment), Topic::LearningRate),
        "The flushed tail adds 3 micro-batches in place of 4, so its update is that much shorter.");
}

void TestExplanation::meanNeedsNoOtherRateForAnotherCut()
{
    const std::string rate = words(explained(cut(32, 4)), Topic::LearningRate);
    COMPARE_SAYS(rate,
        "lr 0.01 is the rate of the window's mean gradient: another cut of the same B needs no "
        "other.");
    COMPARE_SAYS(rate,
        "A program that adds the micro-batches' gradients without dividing makes the same update "
        "at lr 0.0025.");
    COMPARE_SAYS(rate, "The flushed tail's update has the same rate, for the mean of 96 samples.");
}

void TestExplanation::batchNormSeesAMicroBatch()
{
    Experiment experiment = cut(32, 4);
    experiment.model.norm = Norm::Batch;
    const std::string plainly = words(explained(experiment), Topic::Normalization);
    COMPARE_SAYS(plainly,
        "BatchNorm's statistics are those of a micro-batch of 32 samples, not of the window's 128: "
        "accumulation does not make them a big batch's.");
    COMPARE_SAYS(plainly, // 1 - 0.9^4 = 0.3439
        "Its running statistics take up each micro-batch with the weight 0.1, so that a window "
        "weighs 1 - 0.9^4 = 0.3439, where one batch would weigh 0.1.");
    experiment.model.batchnormMomentum = BatchNormMomentum::correctedOne();
    experiment.model.batchnormPrecise = true;
    const std::string corrected = words(explained(experiment), Topic::Normalization);
    COMPARE_SAYS(corrected, // 1 - 0.9^0.25 = 0.025996
        "Its running statistics take up each micro-batch with the corrected weight 1 - 0.9^(1/N) = "
        "0.026, each window by its own N, so that a window weighs 0.1 as one batch would.");
    COMPARE_SAYS(corrected,
        "Before each evaluation they are recomputed from training micro-batches with the "
        "parameters as they then are.");
    experiment.model.batchnormWindow = true;
    QVERIFY(words(explained(experiment), Topic::Normalization).find("pooled") != std::string::npos);
    experiment.batch.steps = BatchNumber::given(1);
    COMPARE_SAYS(words(explained(experiment), Topic::Normalization),
        "BatchNorm's statistics are those of the whole window of 32 samples: there is one "
        "micro-batch.");
}

void TestExplanation::otherNormsSeeEachSampleAlone()
{
    Experiment experiment = cut(32, 4);
    experiment.model.norm = Norm::Group;
    COMPARE_SAYS(words(explained(experiment), Topic::Normalization),
        "GroupNorm sees each sample alone, a group of its channels together: neither b nor N "
        "changes what it computes of it.");
}

void TestExplanation::defectsAreToldWithTheNumbersOfThePlan()
{
    Experiment experiment = cut(32, 4);
    experiment.batch.tail = Tail::Drop;
    experiment.optimizer.clipNorm = 1;
    const std::string defects = words(explained(experiment), Topic::Defects);
    COMPARE_SAYS(defects,
        "loss += loss / N (an article on large batches) adds where it should divide: the gradient "
        "would be 5 times as long as the mean's, as if lr were 0.05.");
    COMPARE_SAYS(defects, // (1875 - 1) / 3 + 1
        "A step at idx % (N - 1) == 0 with the loss divided by N (Colossal-AI's tutorials) would "
        "make windows of 1, 3, 3, 3 … micro-batches: the first update is 1/4 of a mean gradient, "
        "the others 3/4. An epoch would have 625 updates, not 468.");
    COMPARE_SAYS(defects,
        "Gradients added and never divided (MindSpore r1.6, stand-alone) would make the gradient 4 "
        "times as long: the learning rate would silently be 0.04 in place of 0.01.");
    COMPARE_SAYS(defects,
        "A sum that is cleared after an update only, with a counter that restarts each epoch "
        "(MindSpore r1.6, stand-alone), would leak the gradients of the last 3 of 1 875 "
        "micro-batches of an epoch "
        "into the next epoch's first window, which would have 7 micro-batches in place of 4.");
    COMPARE_SAYS(defects,
        "A printed loss that is the last micro-batch's alone (MindSpore r1.6, stand-alone) would "
        "tell of 32 "
        "of "
        "the window's 128 samples.");
    COMPARE_SAYS(defects,
        "micro_size, documented as a size and used as a number of slices (MindSpore's "
        "GradAccumulation), would be given b, 32, and cut the 128 samples into 32 slices of 4, not "
        "into 4 of 32.");
    COMPARE_SAYS(defects, // 4 · 2.302585, 2.302585 / 4
        "A logged loss that is added over the slices (MindSpore's GradAccumulation) would begin "
        "near 9.21 with "
        "ten classes, one that is divided by N (MindSpore's Accumulator) near 0.576; the true one "
        "begins near ln 10 = 2.3.");
    COMPARE_SAYS(defects,
        "A clip_norm that is stored and never used (MindSpore's Accumulator) would leave every "
        "gradient as long as it is, whatever optimizer.clip_norm = 1 says.");
}

void TestExplanation::aDivisionByNIsToldOnTheTail()
{
    COMPARE_SAYS(words(explained(cut(32, 4)), Topic::Defects),
        "Divided by N 4, the 3 micro-batches of the tail of 96 would make 3/4 of its mean "
        "gradient.");
    // 59,984 = 468 · 128 + 80, 80 = 32 + 32 + 16; 80 / (3 · 16)
    COMPARE_SAYS(words(explained(cut(32, 4), 59'984), Topic::Defects),
        "The mean of its micro-batches' means is not the mean of the tail of 80: with 16 samples "
        "in the last micro-batch, each of them would count 1.67 times what it should. Divided by N "
        "4, the 3 micro-batches of the tail of 80 would make 3/4 of its mean gradient.");
}

void TestExplanation::withoutAccumulationMostDefectsMakeNoDifference()
{
    const std::string defects = words(explained(cut(32, 1)), Topic::Defects);
    COMPARE_SAYS(defects,
        "A step at idx % (N - 1) == 0 with the loss divided by N (Colossal-AI's tutorials) would "
        "be a remainder by 0 at N 1: an error at the first micro-batch.");
    COMPARE_SAYS(defects,
        "Gradients added and never divided (MindSpore r1.6, stand-alone) make no difference at N "
        "1.");
    COMPARE_SAYS(defects,
        "A counter that runs on across epochs (MindSpore's Accumulator) makes no difference here: "
        "every epoch ends with a whole window.");
}

void TestExplanation::whatIsSaidIsAlwaysSentences()
{
    const bool passed = rc::check("parts have sentences and numbers are finite", [] {
        Experiment experiment = cut(*rc::gen::inRange(2, 70), *rc::gen::inRange(1, 9));
        experiment.batch.reduction = *rc::gen::element(Reduction::Mean, Reduction::Sum);
        experiment.batch.tail = *rc::gen::element(Tail::Flush, Tail::Drop, Tail::Carry);
        experiment.model.norm = *rc::gen::element(Norm::None, Norm::Batch, Norm::Layer);
        experiment.optimizer.name =
            *rc::gen::element(OptimizerName::Sgd, OptimizerName::Adam, OptimizerName::AdamW);
        if (*rc::gen::arbitrary<bool>())
            experiment.batch.schedule = { { StepsFrom::Unit::Step, 0, *rc::gen::inRange(1, 5) },
                { StepsFrom::Unit::Step, 7, *rc::gen::inRange(1, 5) } };
        if (!experiment.batch.schedule.empty())
            experiment.batch.steps = {};
        for (const ExplanationPart& part : explained(experiment, *rc::gen::inRange(700, 2'000))) {
            RC_ASSERT(!part.title.empty() && !part.sentences.empty());
            for (const std::string& sentence : part.sentences) {
                RC_ASSERT(sentence.size() > 10 && sentence.back() == '.');
                RC_ASSERT(sentence.find("not finite") == std::string::npos);
            }
        }
    });
    QVERIFY(passed);
}

QTEST_GUILESS_MAIN(TestExplanation)
#include "tst_explanation.moc"
