// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_dialog.h"

#include <QTest>
#include <QTextBrowser>

using namespace accrue;

namespace {

using Topic = ExplanationPart::Topic;

Message said(const char* text)
{
    return Message::plain(text);
}

const std::vector<ExplanationPart> kParts {
    { Topic::Batch, said("Batch"), { said("An update is B.") } },
    { Topic::LearningRate, said("Learning rate"),
        { said("The rate is a mean's."), said("It acts < once.") } },
    { Topic::Defects, said("Published defects"), { said("Another program does it wrong.") } },
};

} // namespace

class TestPlanDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itSaysThePlanAndNothingOfOtherPrograms()
    {
        PlanDialog dialog;
        dialog.setParts(kParts);
        const QString said = dialog.findChild<QTextBrowser*>()->toPlainText();
        for (const char* words : { "Batch", "An update is B.", "Learning rate",
                 "The rate is a mean's.", "It acts < once." })
            QVERIFY2(said.contains(QLatin1String(words)), words);
        QVERIFY(!said.contains(QLatin1String("Another program")));
    }

    void itSaysWhyThereIsNone()
    {
        PlanDialog dialog;
        dialog.setParts({});
        QVERIFY(dialog.findChild<QTextBrowser*>()->placeholderText().contains(
            QLatin1String("no plan")));
    }

    void theLastPlanStaysGreyedWhileThereIsNone()
    {
        PlanDialog dialog;
        dialog.setParts(kParts);
        auto* text = dialog.findChild<QTextBrowser*>();
        const QString said = text->toPlainText();
        dialog.setParts({});
        QCOMPARE(text->toPlainText(), said);
        QVERIFY(!text->isEnabled());
        dialog.setParts(kParts);
        QVERIFY(text->isEnabled());
    }
};

QTEST_MAIN(TestPlanDialog)
#include "tst_plan_dialog.moc"
