// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_out.h"

#include <QTest>

namespace accrue {
namespace {

QString complaintOf(const HeldOut& heldOut, std::int64_t samples)
{
    Experiment experiment;
    experiment.data.validation = heldOut;
    const Findings findings = checkHeldOut(experiment, samples);
    return findings.empty() ? QString() : QString::fromStdString(findings.front().message);
}

} // namespace

class TestHeldOut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShareIsRoundedToTheNearestSample();
    void bothSidesNeedASample();
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
                       "allowed: from 1 to 19, so that both sides have one."));
    QVERIFY(
        complaintOf({ 0, 0.01 }, 20).startsWith("data.validation is 0.01, which holds out none"));
    QVERIFY(complaintOf({ 0, 0.99 }, 20).contains("holds out 20 of the 20"));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestHeldOut)
#include "tst_held_out.moc"
