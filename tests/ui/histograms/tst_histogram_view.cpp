// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_view.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/histograms/histogram_examples.h"
#include "ui/charts/metric_chart.h"

#include <memory>

using namespace accrue;

class TestHistogramView : public QObject {
    Q_OBJECT
private:
    QString cell(int row, HistogramReadout::Column column) const
    {
        return m_view->readout().index(row, column).data().toString();
    }

    std::unique_ptr<HistogramView> m_view;

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<HistogramView>();
        m_view->resize(900, 600);
        m_view->show();
    }

    void theNumbersAreThoseOfTheStep()
    {
        QAbstractItemModelTester tester(&m_view->readout());
        HistogramAtStep early = histogramAt(10, -1, 3, { 1, 3 });
        early.histogram.notFinite = 2;
        m_view->showRuns({ panelOf(1, { early, histogramAt(20, 0, 8, { 1, 1 }) }),
                             panelOf(2, { histogramAt(12, 0, 1, { 5, 5 }) }) },
            { QStringLiteral("w, values"), QStringLiteral("Value of w") });
        QCOMPARE(cell(0, HistogramReadout::Step), QStringLiteral("20")); // the last one
        QCOMPARE(cell(0, HistogramReadout::Largest), QStringLiteral("8"));
        QCOMPARE(cell(1, HistogramReadout::Step), QStringLiteral("12"));
        m_view->maps().chooseStep(10);
        QCOMPARE(cell(0, HistogramReadout::Mean), QStringLiteral("1"));
        QCOMPARE(cell(0, HistogramReadout::Deviation), QStringLiteral("1"));
        QCOMPARE(cell(0, HistogramReadout::Least), QStringLiteral("-1"));
        QCOMPARE(cell(0, HistogramReadout::Median), QStringLiteral("1.667"));
        QCOMPARE(cell(0, HistogramReadout::NotFinite), QStringLiteral("2"));
        QVERIFY(m_view->overlay().title().contains(QStringLiteral("10")));
        QCOMPARE(m_view->overlay().curves().size(), std::size_t { 2 });
    }

    void numbersThatDoNotExistAreADash()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        HistogramAtStep none = histogramAt(10, nan, nan, {});
        none.histogram.notFinite = 40;
        m_view->showRuns({ panelOf(1, { none }) }, {});
        QCOMPARE(cell(0, HistogramReadout::Mean), QStringLiteral("–"));
        QCOMPARE(cell(0, HistogramReadout::Median), QStringLiteral("–"));
        QCOMPARE(cell(0, HistogramReadout::NotFinite), QStringLiteral("40"));
        QVERIFY(!m_view->grab().isNull()); // and it can be painted
    }

    void rowsAreSelectedInBothDirections()
    {
        m_view->showRuns(bells(3, 5), {});
        QSignalSpy requested(m_view.get(), &HistogramView::selectionRequested);
        m_view->setSelected({ 2 });
        QCOMPARE(requested.size(), 0); // it is known
        QCOMPARE(m_view->table().selectionModel()->selectedRows().front().row(), 1);
        m_view->table().selectRow(2);
        QCOMPARE(requested.last().first().value<std::vector<long long>>(),
            (std::vector<long long> { 3 }));
    }

    void withoutRunsThereIsOnlyTheReason()
    {
        m_view->showRuns(bells(2, 5), {});
        QVERIFY(m_view->table().isVisible());
        m_view->showNone(QStringLiteral("none of them"));
        QVERIFY(!m_view->table().isVisible());
        QCOMPARE(m_view->maps().description(), QStringLiteral("none of them"));
        QCOMPARE(m_view->readout().rowCount(), 0);
    }
};

QTEST_MAIN(TestHistogramView)
#include "tst_histogram_view.moc"
