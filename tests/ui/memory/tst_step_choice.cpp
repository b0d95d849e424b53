// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/step_choice.h"

#include "ui/widgets/marked_slider.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace accrue;

class TestStepChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlaceOfTheSliderStandsForItsSteps()
    {
        StepChoice choice;
        SeriesBatch::Memory memory;
        memory.steps = { 1, 4, 100 };
        memory.shortAt = { 4 };
        QSignalSpy chosen(&choice, &StepChoice::chosen);
        choice.showSteps(memory, 2);
        QCOMPARE(choice.findChild<MarkedSlider*>()->value(), 2);
        QCOMPARE(choice.findChild<MarkedSlider*>()->marks(), std::vector<int> { 1 });
        QCOMPARE(choice.findChild<QLabel*>()->text(), QStringLiteral("From step 100 on"));
        QCOMPARE(chosen.size(), 0); // the user chose nothing
        const int width = choice.findChild<QLabel*>()->width();
        choice.findChild<MarkedSlider*>()->setValue(0);
        QCOMPARE(choice.findChild<QLabel*>()->text(), QStringLiteral("Steps 1 to 3"));
        QCOMPARE(choice.findChild<QLabel*>()->width(), width);
        QCOMPARE(chosen.size(), 1);
    }

    void oneWindowLeavesNothingToChoose()
    {
        StepChoice choice;
        SeriesBatch::Memory memory;
        memory.steps = { 1 };
        choice.showSteps(memory, 0);
        QVERIFY(choice.findChild<MarkedSlider*>()->isHidden());
        choice.showSteps({}, 0);
        QVERIFY(choice.findChild<QLabel*>()->text().isEmpty());
    }
};

QTEST_MAIN(TestStepChoice)
#include "tst_step_choice.moc"
