// SPDX-License-Identifier: Apache-2.0
#include "engine/report/equivalence.h"

#include "run_log_fixture.h"

#include <cmath>
#include <limits>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

using Verdict = Equivalence::Verdict;

// Windows of 64 samples whose losses fall from 1.
std::vector<SeriesRow> losses(std::int64_t updates)
{
    std::vector<SeriesRow> rows;
    rows.reserve(static_cast<std::size_t>(updates));
    for (std::int64_t step = 1; step <= updates; ++step)
        rows.push_back(
            { .step = step, .samples = 64 * step, .value = 1.0 / static_cast<double>(step) });
    return rows;
}

std::vector<SeriesRow> shifted(std::vector<SeriesRow> rows, std::int64_t step, double by)
{
    rows[static_cast<std::size_t>(step - 1)].value += by;
    return rows;
}

bool says(const Equivalence& found, const char* part)
{
    return found.sentence.english().find(part) != std::string::npos;
}

} // namespace

class TestEquivalence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalLossesAreEqual();
    void theGreatestDifferenceIsFoundWithItsStep();
    void float64IsHeldToTheEndAndFloat32ToTheFirstUpdates();
    void fewerBitsThanFloat32AreSaid();
    void aRunThatGotLessFarIsComparedAsFarAsItGot();
    void otherWindowsAreNotComparable();
    void lossesThatAreNotFiniteAreEqualOnlyToThemselves();
    void runsOfALogAreComparedByTheirLowerPrecision();
};

void TestEquivalence::equalLossesAreEqual()
{
    const Equivalence found = equivalenceOf(losses(30), losses(30), Precision::Float64);
    QCOMPARE(found.verdict, Verdict::Equal);
    QCOMPARE(found.all, (LossDifference { .greatest = 0, .step = 0, .updates = 30 }));
    QCOMPARE(found.first.updates, kFirstUpdates);
    QVERIFY2(says(found, "do not differ"), found.sentence.english().c_str());
}

void TestEquivalence::theGreatestDifferenceIsFoundWithItsStep()
{
    const auto rows = shifted(shifted(losses(30), 7, 0.25), 25, -0.5);
    const Equivalence found = equivalenceOf(losses(30), rows, Precision::Float64);
    QCOMPARE(found.first.step, 7);
    QCOMPARE(found.first.greatest, 0.25);
    QCOMPARE(found.all.step, 25);
    QCOMPARE(found.all.greatest, 0.5);
    QCOMPARE(found.verdict, Verdict::Different);
    QVERIFY2(says(found, "by at most 0.5, at step 25"), found.sentence.english().c_str());
}

void TestEquivalence::float64IsHeldToTheEndAndFloat32ToTheFirstUpdates()
{
    const auto verdict = [](std::int64_t step, double by, Precision precision) {
        return equivalenceOf(losses(30), shifted(losses(30), step, by), precision).verdict;
    };
    QCOMPARE(verdict(30, 0.9e-9, Precision::Float64), Verdict::Equal);
    QCOMPARE(verdict(30, 1.1e-9, Precision::Float64), Verdict::Different);
    QCOMPARE(verdict(20, 0.9e-5, Precision::Float32), Verdict::Equal);
    QCOMPARE(verdict(20, 1.1e-5, Precision::Float32), Verdict::Different);
    QCOMPARE(verdict(21, 1.0, Precision::Float32), Verdict::Equal);
}

void TestEquivalence::fewerBitsThanFloat32AreSaid()
{
    const Equivalence found =
        equivalenceOf(losses(30), shifted(losses(30), 2, 1e-3), Precision::BFloat16);
    QCOMPARE(found.verdict, Verdict::Different);
    QVERIFY2(says(found, "fewer bits"), found.sentence.english().c_str());
}

void TestEquivalence::aRunThatGotLessFarIsComparedAsFarAsItGot()
{
    const Equivalence found = equivalenceOf(losses(12), losses(30), Precision::Float32);
    QCOMPARE(found.verdict, Verdict::Equal);
    QCOMPARE(found.first.updates, 12);
    QCOMPARE(found.all.updates, 12);
    QCOMPARE(equivalenceOf({}, losses(3), Precision::Float32).verdict, Verdict::NotComparable);
}

void TestEquivalence::otherWindowsAreNotComparable()
{
    std::vector<SeriesRow> larger = losses(10);
    for (SeriesRow& row : larger)
        row.samples *= 2;
    const Equivalence found = equivalenceOf(losses(10), larger, Precision::Float64);
    QCOMPARE(found.verdict, Verdict::NotComparable);
    QVERIFY2(says(found, "numbers of samples"), found.sentence.english().c_str());
}

void TestEquivalence::lossesThatAreNotFiniteAreEqualOnlyToThemselves()
{
    const auto broken = shifted(losses(5), 3, std::nan(""));
    QCOMPARE(equivalenceOf(broken, broken, Precision::Float64).verdict, Verdict::Equal);
    const Equivalence found = equivalenceOf(losses(5), broken, Precision::Float64);
    QCOMPARE(found.verdict, Verdict::Different);
    QCOMPARE(found.all.greatest, std::numeric_limits<double>::infinity());
    QVERIFY2(says(found, "because one is not finite, at step 3"), found.sentence.english().c_str());
}

void TestEquivalence::runsOfALogAreComparedByTheirLowerPrecision()
{
    const QTemporaryDir folder;
    const std::filesystem::path file =
        std::filesystem::path(folder.path().toStdString()) / "runs.db";
    RunLogWriter writer(file);
    const RunId first = writeRun(writer, "b 64 × N 1", 25);
    const RunId second = writeRun(writer, "b 32 × N 2", 25);
    RunLogReader log(file);
    const Equivalence found = equivalenceOf(log, first, second);
    QCOMPARE(found.verdict, Verdict::Equal);
    QCOMPARE(found.all.updates, 25);
    QVERIFY2(says(found, "first 20 updates"), found.sentence.english().c_str()); // they are float32
}

QTEST_GUILESS_MAIN(TestEquivalence)
#include "tst_equivalence.moc"
