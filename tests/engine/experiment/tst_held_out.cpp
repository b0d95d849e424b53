// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_out.h"

#include <numeric>

#include <QTest>

#include <rapidcheck.h>

namespace accrue {
namespace {

QString complaintOf(const DataSettings& data, const DataParts& parts)
{
    Experiment experiment;
    experiment.data = data;
    const Findings findings = checkHeldOut(experiment, parts);
    return findings.empty() ? QString()
                            : QString::fromStdString(findings.front().message.english());
}

QString complaintOf(const HeldOut& heldOut, std::int64_t samples)
{
    DataSettings data;
    data.validation = heldOut;
    return complaintOf(data, { {}, samples, {}, {} });
}

// Pictures in one folder without a part to test on, three classes.
const DataParts kOneFolder { "/p", 10, { 5, 4, 1 }, {} };

DataSettings pictures(const HeldOut& test, const HeldOut& validation = {})
{
    DataSettings data;
    data.name = DataName::Images;
    data.test = test;
    data.validation = validation;
    return data;
}

} // namespace

class TestHeldOut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShareIsRoundedToTheNearestSample();
    void bothSidesNeedASample();
    void picturesWithoutAPartToTestOnNeedASplit();
    void aPartThatIsThereIsNotHeldOutAgain();
    void everyClassKeepsAPictureToTrainOn();
    void classesGiveInProportion();
    void validationIsTakenFromWhatTestingLeaves();
};

void TestHeldOut::aShareIsRoundedToTheNearestSample()
{
    QCOMPARE(heldOutOf({}, 100), std::int64_t { 0 });
    QCOMPARE(heldOutOf({ 7, 0 }, 100), std::int64_t { 7 });
    QCOMPARE(heldOutOf({ 0, 0.1 }, 50'000), std::int64_t { 5'000 });
    QCOMPARE(heldOutOf({ 0, 0.1 }, 14), std::int64_t { 1 });
    QCOMPARE(heldOutOf({ 0, 0.1 }, 15), std::int64_t { 2 });
    QCOMPARE(heldOutOf({ 0, 1.0 / 3 }, 12'000), std::int64_t { 4'000 });
}

void TestHeldOut::bothSidesNeedASample()
{
    QVERIFY(complaintOf({}, 1).isEmpty());
    QVERIFY(complaintOf({ 19, 0 }, 20).isEmpty());
    QCOMPARE(complaintOf({ 20, 0 }, 20),
        QStringLiteral("data.validation is 20, which holds out 20 of the 20 training samples; "
                       "allowed: from 1 to 19, so that each side has at least one."));
    // What is allowed can be typed as it stands.
    QVERIFY(complaintOf({ 12'000, 0 }, 12'000).contains("; allowed: from 1 to 11999, so that"));
    QVERIFY(complaintOf({ 0, 0.01 }, 20)
                .startsWith("data.validation is 0.01, which holds out 0 of the 20"));
    QVERIFY(complaintOf({ 0, 0.99 }, 20).contains("holds out 20 of the 20"));
    QCOMPARE(complaintOf({ 1, 0 }, 1),
        QStringLiteral("data.validation is 1, but there are too few training samples (1) to hold "
                       "any out so that each side has at least one."));
    QCOMPARE(complaintOf(pictures({ 0, 0.5 }), { "/p", 2, { 1, 1 }, {} }),
        QStringLiteral("data.test is 0.5, but there are too few images (2) to hold any out so that "
                       "every class retains one training image."));
}

void TestHeldOut::picturesWithoutAPartToTestOnNeedASplit()
{
    QCOMPARE(complaintOf(pictures({}), kOneFolder),
        QStringLiteral("/p has no test images: set data.test = 0.2, which holds out a "
                       "fifth of each class, or put them into a folder test beside a folder "
                       "train."));
    QVERIFY(complaintOf(pictures({ 0, 0.2 }), kOneFolder).isEmpty());
    Experiment experiment;
    experiment.data = pictures({});
    const Finding finding = checkHeldOut(experiment, kOneFolder).front();
    QCOMPARE(finding.key, std::string("data.test"));
    QVERIFY(finding.fix.has_value());
}

void TestHeldOut::aPartThatIsThereIsNotHeldOutAgain()
{
    const DataParts whole { "/p", 10, {}, "val" };
    QCOMPARE(complaintOf(pictures({ 0, 0.2 }), whole),
        QStringLiteral("data.test is 0.2, but /p has a folder of test images; allowed: 0."));
    QCOMPARE(complaintOf(pictures({}, { 3, 0 }), whole),
        QStringLiteral("data.validation is 3, but /p has validation images, in val; allowed: "
                       "0."));
    QVERIFY(complaintOf(pictures({}), whole).isEmpty());
}

void TestHeldOut::everyClassKeepsAPictureToTrainOn()
{
    QVERIFY(complaintOf(pictures({ 7, 0 }), kOneFolder).isEmpty());
    QCOMPARE(complaintOf(pictures({ 8, 0 }), kOneFolder),
        QStringLiteral("data.test is 8, which holds out 8 of the 10 images; allowed: from 1 to "
                       "7, so that every class retains one training image."));
    QVERIFY(complaintOf(pictures({ 0, 0.01 }), kOneFolder).contains("holds out 0 of the 10"));
    QCOMPARE(heldOutByClass(7, kOneFolder.untested), (std::vector<std::int64_t> { 4, 3, 0 }));
}

void TestHeldOut::classesGiveInProportion()
{
    QCOMPARE(heldOutByClass(20, { 50, 30, 20 }), (std::vector<std::int64_t> { 10, 6, 4 }));
    QCOMPARE(heldOutByClass(3, { 50, 30, 20 }), (std::vector<std::int64_t> { 1, 1, 1 }));
    QCOMPARE(heldOutByClass(10, { 1000, 2, 1 }), (std::vector<std::int64_t> { 9, 1, 0 }));
    QVERIFY(rc::check([] {
        const auto samples = *rc::gen::nonEmpty(
            rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 200)));
        const auto all = std::accumulate(samples.begin(), samples.end(), std::int64_t { 0 });
        const auto classes = static_cast<std::int64_t>(samples.size());
        const auto held = *rc::gen::inRange<std::int64_t>(0, all - classes + 1);
        const std::vector<std::int64_t> taken = heldOutByClass(held, samples);
        RC_ASSERT(std::accumulate(taken.begin(), taken.end(), std::int64_t { 0 }) == held);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            RC_ASSERT(taken[i] >= 0 && taken[i] < samples[i]);
            if (held >= classes && samples[i] > 1)
                RC_ASSERT(taken[i] >= 1);
        }
    }));
}

void TestHeldOut::validationIsTakenFromWhatTestingLeaves()
{
    const DataSettings data = pictures({ 0, 0.2 }, { 0, 0.5 });
    QCOMPARE(trainedSamples(data, kOneFolder), std::int64_t { 4 });
    const auto described = [](const DataSettings& settings) {
        return describedWithHeldOut(Message::plain("10 train"), settings, kOneFolder).english();
    };
    QCOMPARE(described(data),
        std::string("10 train, 2 of 10 held out for testing, 4 of train held out"));
    QCOMPARE(
        described(pictures({ 0, 0.2 })), std::string("10 train, 2 of 10 held out for testing"));
    QCOMPARE(described({}), std::string("10 train"));
    QVERIFY(complaintOf(pictures({ 2, 0 }, { 8, 0 }), kOneFolder).contains("8 of the 8 training"));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestHeldOut)
#include "tst_held_out.moc"
