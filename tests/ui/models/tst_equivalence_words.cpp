// SPDX-License-Identifier: Apache-2.0
#include "ui/models/equivalence_words.h"

#include <limits>

#include <QTest>

using namespace accrue;

namespace {

EquivalenceAnswer answerOf(Equivalence::Verdict verdict, double greatest, std::int64_t step)
{
    EquivalenceAnswer answer;
    answer.losses = { verdict, { greatest / 10, step, 20 }, { greatest, step, 1170 }, {} };
    return answer;
}

const auto kEqual = Equivalence::Verdict::Equal;
const auto kDifferent = Equivalence::Verdict::Different;

} // namespace

class TestEquivalenceWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSentenceSaysHowFarAndWhere()
    {
        QCOMPARE(equivalenceText(answerOf(kEqual, 2.1e-7, 998)),
            QStringLiteral("Equivalent: losses agree to 2.1e-07 for 1\u202f170 updates."));
        QCOMPARE(equivalenceText(answerOf(kEqual, 4e-5, 998)), // of float32
            QStringLiteral("Equivalent: losses agree to 4e-06 for 20 updates. Later differences "
                           "(≤ 4e-05, step 998) are accumulated rounding."));
        QCOMPARE(equivalenceText(answerOf(kEqual, 0, 0)),
            QStringLiteral(
                "Equivalent: losses are identical to the last digit for 1\u202f170 updates."));
        QCOMPARE(equivalenceText(answerOf(kDifferent, 0.25, 3)),
            QStringLiteral("Different: losses differ by up to 0.25 over 1\u202f170 updates, most "
                           "at step 3."));
        const double infinite = std::numeric_limits<double>::infinity();
        QVERIFY(equivalenceText(answerOf(kDifferent, infinite, 7))
                    .contains(QStringLiteral("differ by up to inf over")));
        QVERIFY(
            equivalenceText({}).startsWith(QStringLiteral("These two runs cannot be compared")));
    }

    void theParametersAreToldWhereTheyAreKnown()
    {
        EquivalenceAnswer answer = answerOf(kEqual, 2.1e-7, 998);
        answer.parameters = { {}, 0.11, 61706, 1170, 1170 };
        QVERIFY(equivalenceText(answer).endsWith(QStringLiteral(" Final weights differ by 11 %.")));
        QVERIFY(equivalenceExplanation(answer).contains(QStringLiteral("all 61\u202f706 of them")));
        answer.parameters->stepOfB = 900;
        QVERIFY(equivalenceText(answer).endsWith(
            QStringLiteral("The weights after 1\u202f170 and 900 updates differ by 11 %.")));
        answer.parameters->relative = 0;
        QVERIFY(equivalenceText(answer).endsWith(
            QStringLiteral("after 1\u202f170 and 900 updates are identical, bit for bit.")));
        answer.parameters->stepOfB = 1170;
        QVERIFY(equivalenceText(answer).endsWith(
            QStringLiteral(" Final weights are identical, bit for bit.")));
        answer.parameters->problem = Message::plain("b is damaged.");
        QVERIFY(equivalenceText(answer).endsWith(
            QStringLiteral("could not be compared: b is damaged.")));
    }

    void aLogThatCannotBeReadIsAllThatIsSaid()
    {
        EquivalenceAnswer answer;
        answer.problem = QStringLiteral("The log is gone.");
        QCOMPARE(equivalenceText(answer), QStringLiteral("The log is gone."));
    }

    void theExplanationNamesTheBounds()
    {
        const QString why = equivalenceExplanation(answerOf(kDifferent, 0.25, 998));
        QVERIFY2(why.contains(QStringLiteral("within 1e-09 in float64, and within 1e-05 over "
                                             "the first 20 updates in float32")),
            qPrintable(why));
        QVERIFY2(why.contains(QStringLiteral("0.025 over the first 20 updates")), qPrintable(why));
    }
};

QTEST_GUILESS_MAIN(TestEquivalenceWords)
#include "tst_equivalence_words.moc"
