// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/checks_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <vector>

using namespace accrue;

class TestChecksPanel : public QObject {
    Q_OBJECT
private:
    static ExperimentCheck checked(const Finding& finding)
    {
        ExperimentCheck check;
        check.findings = { finding, finding }; // said twice, shown once
        return check;
    }

    static Finding fixable()
    {
        return { Finding::Severity::Warning, "batch.micro", 0, "Too few.",
            Fix { "Use GroupNorm", { "model.norm=group", "model.groups=auto" } } };
    }

private Q_SLOTS:
    void theWindowIsSaidBeforeWhatIsWrong()
    {
        ExperimentCheck check = checked(fixable());
        check.plan = BatchPlan {};
        check.batchSentence = QStringLiteral("128 = 32 × 4");
        const std::vector<ChecksPanel::Line> lines = linesOf(check);
        QCOMPARE(lines.size(), std::size_t { 2 });
        QCOMPARE(lines[0].sign, ChecksPanel::Sign::Good);
        QCOMPARE(lines[0].text, check.batchSentence);
        QVERIFY(!lines[0].fix);
        QCOMPARE(lines[1].sign, ChecksPanel::Sign::Warning);
        QVERIFY(lines[1].fix == fixable().fix);
    }

    void aFindingWithAFixHasAButtonThatAsksForIt()
    {
        ChecksPanel panel;
        std::vector<Fix> asked;
        connect(&panel, &ChecksPanel::fixAsked, this, [&](const Fix& fix) {
            asked.push_back(fix);
            panel.setLines({}); // what asks is gone then
        });
        panel.setLines(linesOf(checked(fixable())));
        panel.show();
        auto* button = panel.findChild<QPushButton*>();
        QVERIFY(button != nullptr);
        QCOMPARE(button->text(), QStringLiteral("Use GroupNorm"));
        QVERIFY(button->toolTip().contains(QLatin1String("model.groups=auto")));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(asked.size(), std::size_t { 1 });
        QVERIFY(asked.front() == *fixable().fix);
        QVERIFY(panel.findChild<QPushButton*>() == nullptr);
    }

    void aFindingWithoutAFixHasNoButton()
    {
        ChecksPanel panel;
        panel.setLines(linesOf(checked({ .key = "run.epochs", .message = "Too many." })));
        QVERIFY(panel.findChild<QPushButton*>() == nullptr);
        QCOMPARE(panel.findChildren<QLabel*>().size(), 2);
    }
};

QTEST_MAIN(TestChecksPanel)
#include "tst_checks_panel.moc"
