// SPDX-License-Identifier: Apache-2.0
#include "ui/train/checks_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

#include "tests/support/waiting.h"

#include <vector>

using namespace accrue;

class TestChecksPanel : public QObject {
    Q_OBJECT
private:
    static ExperimentCheck checked(const Finding& finding)
    {
        ExperimentCheck check;
        check.findings = { finding, finding }; // found twice, shown once
        return check;
    }

    static Finding fixable()
    {
        return { Finding::Severity::Warning, "batch.micro", 0,
            Message::plain("batch.micro is too few."),
            Fix { Message::plain("Use GroupNorm"), { "model.norm=group", "model.groups=auto" } } };
    }

    static std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check)
    {
        return accrue::linesOf(check, Experiment {});
    }

private Q_SLOTS:
    void theWindowIsSaidAfterWhatIsWrong()
    {
        ExperimentCheck check = checked(fixable());
        check.resolved = ResolvedExperiment {};
        check.batchSentence = QStringLiteral("128 = 32 × 4");
        const std::vector<ChecksPanel::Line> lines = linesOf(check);
        QCOMPARE(lines.size(), std::size_t { 2 });
        QCOMPARE(lines[0].sign, ChecksPanel::Sign::Warning);
        QVERIFY(lines[0].fix == fixable().fix);
        QCOMPARE(lines[1].sign, ChecksPanel::Sign::Good);
        QCOMPARE(lines[1].text, check.batchSentence);
        QVERIFY(!lines[1].fix);
    }

    void theGravestStandFirst()
    {
        ExperimentCheck check = checked(
            { Finding::Severity::Note, "batch.micro", 0, Message::plain("It is measured first.") });
        check.findings.push_back(fixable());
        check.findings.push_back({ .key = "run.epochs", .message = Message::plain("Too many.") });
        const std::vector<ChecksPanel::Line> lines = linesOf(check);
        QCOMPARE(lines.size(), std::size_t { 3 });
        QCOMPARE(lines[0].sign, ChecksPanel::Sign::Error);
        QCOMPARE(lines[1].sign, ChecksPanel::Sign::Warning);
        QCOMPARE(lines[2].sign, ChecksPanel::Sign::Note);
    }

    void aFieldThatIsHiddenIsNoLink()
    {
        const ExperimentCheck check = checked({ .key = "optimizer.beta1",
            .message = Message::plain("optimizer.beta1 has no effect.") });
        QVERIFY(linesOf(check).front().field.isEmpty());
        Experiment adam;
        adam.optimizer.name = OptimizerName::Adam;
        QVERIFY(!accrue::linesOf(check, adam).front().field.isEmpty());
    }

    void manyLinesScrollNoneIsCutAndTheHeightStays()
    {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* panel = new ChecksPanel(&window);
        layout->addWidget(new QWidget(&window), 5);
        layout->addWidget(panel, 1);
        window.resize(340, 600);
        window.show();
        const auto say = [&](int count) {
            std::vector<ChecksPanel::Line> lines;
            lines.reserve(static_cast<std::size_t>(count));
            for (int i = 0; i < count; ++i)
                lines.push_back({ ChecksPanel::Sign::Warning,
                    QStringLiteral("%1 is a sentence that is long enough to be broken into two or "
                                   "even three lines above the button that settles it.")
                        .arg(i),
                    fixable().fix, nullptr, {}, {} });
            panel->setLines(std::move(lines));
            QCoreApplication::processEvents();
        };
        const auto mostScrolled = [&] { return panel->verticalScrollBar()->maximum(); };
        say(1);
        QTRY_COMPARE(mostScrolled(), 0);
        const QRect place = panel->geometry();
        QVERIFY(place.height() >= 88);
        QCOMPARE(panel->focusPolicy(), Qt::NoFocus);
        say(12);
        QTRY_VERIFY(mostScrolled() > 100);
        QCOMPARE(panel->geometry(), place);
        QCOMPARE(panel->focusPolicy(), Qt::TabFocus);
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->wordWrap())
                QVERIFY(label->height() >= label->heightForWidth(label->width()));
        say(1);
        QTRY_COMPARE(mostScrolled(), 0);
        QCOMPARE(panel->geometry(), place);
    }

    // Beside a scroll bar the lines break earlier, and are then too high for the space without one.
    void aBarThatIsNoLongerNeededGoes()
    {
        ChecksPanel panel;
        panel.setLines({ { ChecksPanel::Sign::Warning,
            QStringLiteral("The effective batch is 512, 4 times the 128 before."), fixable().fix,
            nullptr, {}, {} } });
        panel.show();
        for (int width = 300; width <= 420; ++width) {
            panel.resize(width, 20);
            QCoreApplication::processEvents();
            QVERIFY(panel.verticalScrollBar()->isVisible());
            panel.resize(width, 200);
            QCoreApplication::processEvents();
            QVERIFY2(!panel.verticalScrollBar()->isVisible(), qPrintable(QString::number(width)));
        }
    }

    void theFieldOfAFindingIsALinkToIt()
    {
        ChecksPanel panel;
        panel.setLines(linesOf(checked(fixable())));
        std::vector<std::string> asked;
        connect(&panel, &ChecksPanel::fieldAsked, this,
            [&](const std::string& key) { asked.push_back(key); });
        for (QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().contains(QLatin1String("<a href"))) {
                QVERIFY(label->text().endsWith(QLatin1String("Micro-batch b</a> is too few.")));
                Q_EMIT label->linkActivated(QStringLiteral("batch.micro"));
            }
        QCOMPARE(asked, std::vector<std::string> { "batch.micro" });
    }

    void aFindingWithAFixHasAButtonThatAsksForIt()
    {
        ChecksPanel panel;
        std::vector<Fix> asked;
        connect(&panel, &ChecksPanel::fixAsked, this, [&](const Fix& fix) {
            asked.push_back(fix);
            panel.setLines({}); // the sender is deleted then
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
        panel.setLines(
            linesOf(checked({ .key = "run.epochs", .message = Message::plain("Too many.") })));
        QVERIFY(panel.findChild<QPushButton*>() == nullptr);
        QCOMPARE(panel.findChildren<QLabel*>().size(), 2);
    }
};

QTEST_MAIN(TestChecksPanel)
#include "tst_checks_panel.moc"
