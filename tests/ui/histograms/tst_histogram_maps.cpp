// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_maps.h"

#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/histograms/histogram_examples.h"

#include <memory>

using namespace accrue;

class TestHistogramMaps : public QObject {
    Q_OBJECT
private:
    QPoint pixelOf(std::size_t panel, double step) const
    {
        const PlotAxes& axes = m_maps->places()[panel].axes;
        return QPointF(axes.x.pixelOf(step), axes.area().center().y()).toPoint();
    }

    std::unique_ptr<HistogramMaps> m_maps;

private Q_SLOTS:
    void init()
    {
        m_maps = std::make_unique<HistogramMaps>();
        m_maps->setTitle(QStringLiteral("conv1.weight, values"));
        m_maps->resize(1000, 600);
        m_maps->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_maps.get()));
    }

    void panelsShareTheirAxesAndAreBesideEachOther()
    {
        m_maps->setPanels(bells(4, 10));
        const std::vector<PlacedMap>& places = m_maps->places();
        QCOMPARE(places.size(), std::size_t { 4 });
        for (const PlacedMap& place : places) {
            QCOMPARE(place.axes.y.low, places[0].axes.y.low);
            QCOMPARE(place.axes.x.high, 100.0);
            QCOMPARE(place.axes.area().size(), places[0].axes.area().size());
        }
        QVERIFY(!places[0].yTicks.empty());
        QVERIFY(places[1].yTicks.empty()); // those of the first hold here, too
        QVERIFY(!places[0].frame.intersects(places[1].frame));
        QVERIFY(!places[0].frame.intersects(places[2].frame));
        QCOMPARE(places[0].frame.top(), places[1].frame.top());
    }

    void eachRunCanHaveAnAxisOfItsOwn()
    {
        m_maps->setPanels({ panelOf(1, { bellAt(1, 0, 1) }), panelOf(2, { bellAt(1, 0, 100) }) });
        QCOMPARE(m_maps->places()[0].axes.y.high, m_maps->places()[1].axes.y.high);
        m_maps->setScales({ .areShared = false });
        QVERIFY(m_maps->places()[0].axes.y.high < 4);
        QVERIFY(m_maps->places()[1].axes.y.high > 300);
        QVERIFY(!m_maps->places()[1].yTicks.empty());
    }

    void theMouseChoosesAStepForAll()
    {
        m_maps->setPanels(bells(2, 10));
        QCOMPARE(m_maps->step(), 100);
        QSignalSpy changed(m_maps.get(), &HistogramMaps::stepChanged);
        QSignalSpy pointed(m_maps.get(), &HistogramMaps::panelPointedAt);
        QTest::mouseMove(m_maps.get(), pixelOf(1, 43));
        QCOMPARE(m_maps->step(), 40);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(pointed.last().first().toLongLong(), 2);
        QTest::mouseMove(m_maps.get(), pixelOf(0, 44));
        QCOMPARE(changed.size(), 1); // the same step
        QCOMPARE(pointed.last().first().toLongLong(), 1);
    }

    void keysChooseStepsAndPanels()
    {
        m_maps->setPanels(bells(2, 10));
        m_maps->setFocus();
        QTest::keyClick(m_maps.get(), Qt::Key_Left);
        QCOMPARE(m_maps->step(), 90);
        QTest::keyClick(m_maps.get(), Qt::Key_Home);
        QTest::keyClick(m_maps.get(), Qt::Key_Left); // there is no earlier one
        QCOMPARE(m_maps->step(), 10);
        QTest::keyClick(m_maps.get(), Qt::Key_Right);
        QCOMPARE(m_maps->step(), 20);
        QSignalSpy clicked(m_maps.get(), &HistogramMaps::panelClicked);
        QTest::keyClick(m_maps.get(), Qt::Key_Down);
        QTest::keyClick(m_maps.get(), Qt::Key_Down);
        QTest::keyClick(m_maps.get(), Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(clicked.last().at(0).toLongLong(), 2);
        QVERIFY(clicked.last().at(1).toBool());
        QTest::keyClick(m_maps.get(), Qt::Key_Escape);
        QVERIFY(!m_maps->isStepChosen());
        QCOMPARE(m_maps->step(), 100);
    }

    void theLastStepFollowsALiveRunAndAChosenOneStays()
    {
        m_maps->setPanels(bells(1, 10));
        m_maps->setPanels(bells(1, 11));
        QCOMPARE(m_maps->step(), 110);
        m_maps->chooseStep(50);
        m_maps->setPanels(bells(1, 12));
        QCOMPARE(m_maps->step(), 50);
    }

    void theSameHistogramsAreNotPaintedAgain()
    {
        const HistogramPanels panels = bells(2, 10);
        m_maps->setPanels(panels);
        QSignalSpy changed(m_maps.get(), &HistogramMaps::stepChanged);
        m_maps->setPanels(panels);
        QCOMPARE(changed.size(), 0);
        m_maps->setPanels(bells(2, 10)); // read again
        QCOMPARE(changed.size(), 1);
    }

    void aClickIsOfThePanel()
    {
        m_maps->setPanels(bells(2, 10));
        QSignalSpy clicked(m_maps.get(), &HistogramMaps::panelClicked);
        QTest::mouseClick(m_maps.get(), Qt::LeftButton, {}, pixelOf(0, 50));
        QCOMPARE(clicked.last().at(0).toLongLong(), 1);
        QTest::mouseClick(m_maps.get(), Qt::LeftButton, {}, QPoint(3, 3));
        QCOMPARE(clicked.last().at(0).toLongLong(), 0);
    }

    void manyPanelsScrollAndStayReadable()
    {
        auto* const maps = new HistogramMaps;
        QScrollArea area;
        area.setWidget(maps);
        area.setWidgetResizable(true);
        area.resize(760, 400);
        area.show();
        maps->setPanels(bells(40, 5));
        QTRY_VERIFY(maps->height() > area.viewport()->height());
        for (const PlacedMap& place : maps->places()) {
            QVERIFY(place.axes.area().height() >= 80);
            QVERIFY(place.axes.area().width() >= 150);
            QVERIFY(maps->rect().contains(place.frame.toAlignedRect()));
        }
        QVERIFY(maps->places()[0].yTicks.size() >= 3); // the values can be read off
        maps->setPanels(bells(2, 5));
        QTRY_COMPARE(maps->height(), area.viewport()->height());
    }

    void whatAScreenReaderSaysIsOfTheStep()
    {
        m_maps->setEmptyText(QStringLiteral("nothing"));
        QCOMPARE(m_maps->description(), QStringLiteral("nothing"));
        m_maps->setPanels({ panelOf(7, { histogramAt(10, 0, 1, { 1, 1 }) }) });
        QCOMPARE(m_maps->description(),
            QStringLiteral("At step 10; run-7: median 0.5, 5 % to 95 %: 0.05 to 0.95"));
    }
};

QTEST_MAIN(TestHistogramMaps)
#include "tst_histogram_maps.moc"
