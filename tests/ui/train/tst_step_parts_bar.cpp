// SPDX-License-Identifier: Apache-2.0
#include "ui/train/step_parts_bar.h"

#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include "tests/support/painted_row.h"
#include "ui/train/window_view.h"
#include "ui/widgets/phase_color.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestStepPartsBar : public QObject {
    Q_OBJECT
private:
    static constexpr int kInBar = 4;
    static constexpr StepParts kParts {
        .data = 1, .forward = 4, .backward = 5.5, .optimizer = 1.5
    };

    static QString tipOf(StepPartsBar& bar)
    {
        const QPoint at = bar.rect().center();
        QHelpEvent asked(QEvent::ToolTip, at, bar.mapToGlobal(at));
        QCoreApplication::sendEvent(&bar, &asked);
        return QToolTip::text();
    }

private Q_SLOTS:
    void aPartIsAsWideAsItTakesLong()
    {
        StepPartsBar bar;
        bar.resize(240, bar.sizeHint().height());
        bar.setParts(kParts);
        const std::vector<Stretch> row = paintedRow(bar, kInBar);
        const std::pair<Phase, int> expected[] = { { Phase::Data, 20 }, { Phase::Forward, 80 },
            { Phase::Backward, 110 }, { Phase::Optimizer, 30 } };
        QCOMPARE(row.size(), std::size(expected));
        for (std::size_t i = 0; i < row.size(); ++i) {
            QCOMPARE(row[i].color, phaseColor(expected[i].first));
            QVERIFY(std::abs(row[i].width - expected[i].second) <= 1);
        }
    }

    void whatNoPartAccountsForIsShownToo()
    {
        StepPartsBar bar;
        bar.resize(240, bar.sizeHint().height());
        bar.setParts({ .forward = 6, .other = 6 });
        const std::vector<Stretch> row = paintedRow(bar, kInBar);
        QCOMPARE(row.size(), std::size_t { 2 });
        QCOMPARE(row.back().color, themeColors().control);
        QVERIFY(std::abs(row.back().width - 120) <= 1);
    }

    void theTooltipNamesTheStepAndEachPart()
    {
        StepPartsBar bar;
        bar.setParts(kParts);
        const QStringList lines = tipOf(bar).split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 6); // the step and its five parts
        QVERIFY2(lines[0].contains(QLatin1String("12 ms")), qPrintable(lines[0]));
        QVERIFY2(lines[3].contains(QLatin1String("backward: 5.5 ms")), qPrintable(lines[3]));
        bar.setParts({ .forward = 1234 });
        QVERIFY(tipOf(bar).contains(QStringLiteral(u"1\u202f234 ms")));
    }

    // Wherever the numbers are, and whatever they are.
    void theEntriesOfTheLegendStayInTheirPlaces()
    {
        const auto swatches = [](const StepParts& parts, int width) {
            StepPartsBar bar;
            bar.resize(width, bar.sizeHint().height());
            bar.setParts(parts);
            const QImage image = bar.grab().toImage();
            QList<QPoint> corners;
            for (int y = 12; y < image.height(); ++y)
                for (int x = 0; x < image.width(); x += 1)
                    if (image.pixelColor(x, y) == phaseColor(Phase::Backward)
                        || image.pixelColor(x, y) == phaseColor(Phase::Optimizer))
                        corners << QPoint(x, y);
            return corners;
        };
        for (const int width : { 240, 400, 900 }) {
            const QList<QPoint> some = swatches(kParts, width);
            QVERIFY(!some.isEmpty());
            QCOMPARE(swatches({ .data = 0, .forward = 12'345, .backward = 0.01 }, width), some);
        }
    }

    void withoutATimeThereIsNoBar()
    {
        StepPartsBar bar;
        bar.resize(240, bar.sizeHint().height());
        QCOMPARE(paintedRow(bar, kInBar).size(), std::size_t { 1 });
        bar.setParts(kParts);
        QVERIFY(paintedRow(bar, kInBar).size() > 1);
        bar.setParts({});
        QCOMPARE(paintedRow(bar, kInBar).size(), std::size_t { 1 });
    }
};

QTEST_MAIN(TestStepPartsBar)
#include "tst_step_parts_bar.moc"
