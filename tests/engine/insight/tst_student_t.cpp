// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/student_t.h"

#include "tests/engine/insight/comparison_references.h"

#include <cmath>
#include <limits>

#include <QTest>

using namespace accrue;

class TestStudentT : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The table of every textbook, two-sided.
    void isWhatTheTablesSay_data()
    {
        QTest::addColumn<double>("probability");
        QTest::addColumn<int>("degrees");
        QTest::addColumn<double>("t");
        QTest::newRow("95 %, 1") << 0.95 << 1 << 12.706;
        QTest::newRow("95 %, 2") << 0.95 << 2 << 4.303;
        QTest::newRow("95 %, 3") << 0.95 << 3 << 3.182;
        QTest::newRow("95 %, 4") << 0.95 << 4 << 2.776;
        QTest::newRow("95 %, 5") << 0.95 << 5 << 2.571;
        QTest::newRow("95 %, 10") << 0.95 << 10 << 2.228;
        QTest::newRow("95 %, 30") << 0.95 << 30 << 2.042;
        QTest::newRow("95 %, 120") << 0.95 << 120 << 1.980;
        QTest::newRow("99 %, 1") << 0.99 << 1 << 63.657;
        QTest::newRow("99 %, 7") << 0.99 << 7 << 3.499;
        QTest::newRow("50 %, 2") << 0.5 << 2 << 0.816;
    }
    void isWhatTheTablesSay()
    {
        QFETCH(double, probability);
        QFETCH(int, degrees);
        QFETCH(double, t);
        QVERIFY(std::abs(studentT(probability, degrees) - t) < 0.0006);
    }

    void agreesWithScipy()
    {
        for (const auto& wanted : comparisonReferences("student_t")) {
            const double t = studentT(wanted.at("probability"), wanted.at("degrees"));
            QVERIFY2(agrees(t, wanted.at("t")), wanted.dump().c_str());
        }
    }

    // Also in the last digits of what is hardly possible.
    void whatIsOutsideAgreesWithScipy()
    {
        for (const auto& wanted : comparisonReferences("tails")) {
            const double p = outsideOfStudentT(wanted.at("t"), wanted.at("degrees"));
            const double expected = wanted.at("p");
            QVERIFY2(std::abs(p - expected) <= 1e-9 * expected, wanted.dump().c_str());
        }
        QCOMPARE(outsideOfStudentT(-2, 9), outsideOfStudentT(2, 9));
        QCOMPARE(outsideOfStudentT(std::numeric_limits<double>::infinity(), 3), 0.0);
        QVERIFY(std::isnan(outsideOfStudentT(NAN, 3)));
    }

    void endsInTheNormalDistribution()
    {
        QVERIFY(std::abs(studentT(0.95, 1'000'000'000) - 1.959964) < 3e-6);
    }
};

QTEST_GUILESS_MAIN(TestStudentT)
#include "tst_student_t.moc"
