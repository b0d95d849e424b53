// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/interval_chart.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/painted_row.h"
#include "tests/support/waiting.h"

#include <memory>
#include <optional>

using namespace accrue;

namespace {

const QColor kBlue(0, 0, 200);
const QColor kRed(200, 0, 0);

IntervalPanel bars()
{
    IntervalPanel panel;
    panel.title = QStringLiteral("What explains it");
    panel.hasBars = true;
    panel.rows = { { .title = QStringLiteral("lr"),
                       .value = 0.5,
                       .low = 0.25,
                       .high = 0.75,
                       .text = QStringLiteral("50 %"),
                       .detail = QStringLiteral("n 24"),
                       .warning = QStringLiteral("confounded"),
                       .color = kBlue },
        { .title = QStringLiteral("norm"), .text = QStringLiteral("–"), .color = kBlue } };
    return panel;
}

IntervalPanel dots()
{
    IntervalPanel panel;
    panel.title = QStringLiteral("Groups");
    panel.axis.low = panel.axis.high = 0;
    panel.rows = {
        { .title = QStringLiteral("0.1"),
            .value = 10,
            .low = 8,
            .high = 12,
            .text = QStringLiteral("10 ± 2"),
            .color = kRed },
        { .title = QStringLiteral("0.2"), .value = 20, .text = QStringLiteral("20"), .color = kRed }
    };
    return panel;
}

} // namespace

class TestIntervalChart : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<IntervalChart> m_chart;

private Q_SLOTS:
    void init()
    {
        m_chart = std::make_unique<IntervalChart>();
        m_chart->setTitle(QStringLiteral("Importance"));
        m_chart->resize(700, 400);
        m_chart->setPanels({ bars(), dots() });
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
    }

    void aBarIsAsLongAsItsValue()
    {
        const PlotAxis& axis = m_chart->panels()[0].axis;
        // Above the stroke of the interval.
        const int y = static_cast<int>(m_chart->rowRect(0, 0).center().y()) - 5;
        const auto blue = stretchesOf(paintedRow(*m_chart, y), kBlue);
        int wide = 0;
        for (const Stretch& part : blue)
            wide += part.width;
        QVERIFY(std::abs(wide - (axis.pixelOf(0.5) - axis.pixelOf(0))) < 4);
    }

    void anIntervalIsSeenOnItsBar()
    {
        const PlotAxis& axis = m_chart->panels()[0].axis;
        const int x = static_cast<int>(axis.pixelOf(0.4));
        const int middle = static_cast<int>(std::round(m_chart->rowRect(0, 0).center().y()));
        const QImage image = m_chart->grab().toImage();
        const QColor ground = m_chart->palette().color(QPalette::Base);
        int bright = 0; // above and below the stroke
        for (int y = middle - 4; y <= middle + 4; ++y)
            bright +=
                std::abs(image.pixelColor(x, y).lightness() - ground.lightness()) < 60 ? 1 : 0;
        QVERIFY2(bright >= 2, qPrintable(QString::number(bright)));
        QCOMPARE(image.pixelColor(x, middle - 5), kBlue);
    }

    void anUnknownValueHasNoBar()
    {
        const int y = static_cast<int>(m_chart->rowRect(0, 1).center().y()) - 5;
        QVERIFY(stretchesOf(paintedRow(*m_chart, y), kBlue).empty());
    }

    void theAxisHoldsValuesAndIntervals()
    {
        const PlotAxis& axis = m_chart->panels()[1].axis;
        QVERIFY(axis.low < 8 && axis.high > 20);
        const int y = static_cast<int>(m_chart->rowRect(1, 1).center().y());
        const auto red = stretchesOf(paintedRow(*m_chart, y), kRed);
        QVERIFY(!red.empty());
        QVERIFY(std::abs((red.front().left + red.back().right()) / 2.0 - axis.pixelOf(20)) < 2);
    }

    void aRowIsChosenByMouseAndKeys()
    {
        const QSignalSpy chosen(m_chart.get(), &IntervalChart::rowChosen);
        QTest::mouseClick(
            m_chart.get(), Qt::LeftButton, {}, m_chart->rowRect(0, 1).center().toPoint());
        QCOMPARE(m_chart->chosen(), std::optional<std::size_t>(1));
        QTest::keyClick(m_chart.get(), Qt::Key_Down); // it is the last one
        QTest::keyClick(m_chart.get(), Qt::Key_Up);
        QCOMPARE(m_chart->chosen(), std::optional<std::size_t>(0));
        QCOMPARE(chosen.size(), 2);
        QTest::mouseClick(
            m_chart.get(), Qt::LeftButton, {}, m_chart->rowRect(1, 1).center().toPoint());
        QCOMPARE(chosen.size(), 2); // groups are not chosen
    }

    void rowsLieBelowEachOtherInsideTheChart()
    {
        double bottom = 0;
        for (std::size_t panel = 0; panel < 2; ++panel)
            for (std::size_t row = 0; row < 2; ++row) {
                const QRectF place = m_chart->rowRect(panel, row);
                QVERIFY(place.top() >= bottom);
                bottom = place.bottom();
            }
        QVERIFY(bottom < m_chart->minimumSizeHint().height());
        QVERIFY(m_chart->rowRect(0, 0).height() > m_chart->rowRect(0, 1).height()); // three lines
    }

    void aScreenReaderHearsTheChosenRowFirst()
    {
        m_chart->setChosen(0);
        QVERIFY2(m_chart->description().startsWith(
                     QStringLiteral("lr: 50 %, n 24, confounded; What explains it")),
            qPrintable(m_chart->description()));
        QVERIFY(m_chart->description().contains(QStringLiteral("0.1: 10 ± 2")));
        m_chart->setEmptyText(QStringLiteral("Nothing to explain."));
        m_chart->setPanels({});
        QCOMPARE(m_chart->description(), QStringLiteral("Nothing to explain."));
        QVERIFY(!m_chart->chosen());
    }

    void thePictureHasBothPanels()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("importance.svg"));
        std::optional<bool> saved;
        m_chart->savePicture(path, [&saved](bool written) { saved = written; });
        QVERIFY(QTest::qWaitFor([&saved] { return saved.has_value(); }, kHangsAfterMs) && *saved);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("What explains it") && svg.contains("10 ± 2"));
    }
};

QTEST_MAIN(TestIntervalChart)
#include "tst_interval_chart.moc"
