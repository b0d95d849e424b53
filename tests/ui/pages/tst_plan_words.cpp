// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_words.h"

#include <QLabel>
#include <QTest>
#include <QToolButton>

using namespace accrue;

namespace {

using Topic = ExplanationPart::Topic;

const std::vector<ExplanationPart> kParts { { Topic::Batch, "Batch", { "An update is B." } },
    { Topic::LearningRate, "Learning rate", { "The rate is a mean's.", "It acts < once." } },
    { Topic::Normalization, "Normalisation", { "It sees b.", "It follows by 0.1.", "More." } } };

} // namespace

class TestPlanWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatMattersToEveryoneIsInSight()
    {
        PlanWords words;
        words.setParts(kParts, true);
        QCOMPARE(words.inSight(),
            QStringList({ "The rate is a mean's.", "It sees b.", "It follows by 0.1." }));
        QVERIFY(words.folded().contains(QStringLiteral("An update is B.")));
        QVERIFY(words.folded().contains(QStringLiteral("It acts &lt; once.")));
        QVERIFY(!words.folded().contains(QStringLiteral("It sees b.")));
        words.setParts(kParts, false);
        QCOMPARE(words.inSight(), QStringList("The rate is a mean's."));
        QVERIFY(words.folded().contains(QStringLiteral("It sees b.")));
    }

    void theRestIsFoldedUntilItIsAskedFor()
    {
        PlanWords words;
        words.setParts(kParts, true);
        words.show();
        QVERIFY(QTest::qWaitForWindowActive(&words));
        QVERIFY(!words.isOpen());
        QTest::mouseClick(words.button(), Qt::LeftButton);
        QVERIFY(words.isOpen());
        words.button()->setFocus();
        QTest::keyClick(words.button(), Qt::Key_Return);
        QVERIFY(!words.isOpen());
        QTest::keyClick(words.button(), Qt::Key_Space);
        QVERIFY(words.isOpen());
    }

    void withoutAPlanThereAreNoWords()
    {
        PlanWords words;
        QVERIFY(words.isHidden());
        words.setParts(kParts, true);
        QVERIFY(!words.isHidden());
        words.setParts({}, true);
        QVERIFY(words.isHidden());
    }
};

QTEST_MAIN(TestPlanWords)
#include "tst_plan_words.moc"
