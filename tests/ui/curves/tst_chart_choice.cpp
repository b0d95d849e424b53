// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/chart_choice.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>

#include "ui/charts/metric_chart.h"
#include "ui/choices/choice_panel.h"
#include "ui/curves/chart_tile.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/metric_choice.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/theme.h"

#include <memory>
#include <set>
#include <string>

using namespace accrue;

namespace {

// 100 names of training and 100 of validation, as TensorBoard's users write them.
std::set<std::string> names()
{
    std::set<std::string> names { "loss" };
    for (int i = 0; i < 100; ++i)
        for (const char* part : { "train/", "val/" })
            names.insert(part + std::string("metric") + std::to_string(i));
    return names;
}

} // namespace

// Of runs with 200 metrics of their own.
class TestChartChoice : public QObject {
    Q_OBJECT
private:
    void openToAdd(const char* text)
    {
        m_choice->openToAdd(*m_button);
        QTest::keyClicks(panel().field(), QString::fromUtf8(text));
    }
    ChoicePanel& panel() const { return *m_choice->panel(); }
    std::size_t charts() const { return m_grid->charts().size(); }

    Theme m_theme;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<QWidget> m_window;
    QPushButton* m_button = nullptr;
    CurveGrid* m_grid = nullptr;
    ChartChoice* m_choice = nullptr;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_follower = std::make_unique<RunLogFollower>();
        m_window = std::make_unique<QWidget>();
        m_window->resize(1024, 700);
        m_grid = new CurveGrid(*m_follower, m_window.get());
        m_grid->setGeometry(0, 40, 1024, 660);
        m_button = new QPushButton(QStringLiteral("Chart"), m_window.get());
        m_choice = new ChartChoice(*m_grid);
        m_choice->setMetrics(names());
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void cleanup()
    {
        m_window.reset();
        m_follower.reset();
    }

    void namesAreByTheirPartBeforeTheSlash()
    {
        const Choices choices = metricChoices(names());
        QStringList sections;
        for (const Choice& choice : choices)
            if (sections.isEmpty() || sections.back() != choice.section)
                sections.append(choice.section);
        // Of the metrics of Accrue only the section that has one.
        QCOMPARE(sections,
            (QStringList {
                QStringLiteral("Each step"), QStringLiteral("train"), QStringLiteral("val") }));
    }

    void oneIsAddedMarkedAndTakenBack()
    {
        openToAdd("val/metric42");
        QTest::keyClick(panel().field(), Qt::Key_Return);
        QCOMPARE(charts(), std::size_t { 5 });
        QVERIFY(m_grid->metrics().contains("val/metric42"));
        QVERIFY(panel().list()->currentIndex().data(ChoiceModel::MarkedRole).toBool());
        QTest::keyClick(panel().field(), Qt::Key_Return);
        QCOMPARE(charts(), std::size_t { 4 });
    }

    void allThatMatchAreAddedAndUndone()
    {
        openToAdd("/^val.metric[0-9]$/");
        QTest::mouseClick(panel().allButton(), Qt::LeftButton);
        QCOMPARE(charts(), std::size_t { 14 });
        QVERIFY(!panel().isVisible());
        const MetricChart& first = *m_grid->charts()[4];
        QTRY_VERIFY(m_grid->viewport()->rect().contains(
            QRect(first.mapTo(m_grid->viewport(), QPoint()), first.size())));
        NoticeSlot& notice = NoticeSlot::of(*m_grid);
        QCOMPARE(notice.text(), QStringLiteral("10 charts were added."));
        QTest::mouseClick(notice.button(), Qt::LeftButton);
        QVERIFY(m_grid->settings() == GridSettings::usual());
    }

    void allThatMatchAreRemovedButOneChartStays()
    {
        openToAdd("/^val.metric[0-9]$/");
        panel().allButton()->click();
        openToAdd("val/metric");
        QCOMPARE(panel().allButton()->text(), QStringLiteral("Add all 90 that match"));
        QVERIFY(!panel().allButton()->isEnabled());
        QVERIFY(
            panel().sentence()->text().startsWith(QLatin1String("There are at most 48 charts")));
        panel().field()->setText(QStringLiteral("/val.metric.$/"));
        QCOMPARE(panel().allButton()->text(), QStringLiteral("Remove all 10 that match"));
        panel().allButton()->click();
        QCOMPARE(charts(), std::size_t { 4 });
        const std::set<std::string> all = m_grid->metrics();
        m_grid->removeCharts({ all.begin(), all.end() });
        QCOMPARE(charts(), std::size_t { 1 });
    }

    // Peak memory and throughput are usual charts, and a script measures neither.
    void aChartOfAMetricThatNoRunHasIsRemoved()
    {
        openToAdd("throughput");
        QTest::keyClick(panel().field(), Qt::Key_Return);
        QCOMPARE(charts(), std::size_t { 3 });
        QTest::keyClick(panel().field(), Qt::Key_Return); // now it cannot be added
        QCOMPARE(charts(), std::size_t { 3 });
    }

    void aChartGetsAnotherMetricAtItsPlace()
    {
        ChartTile& tile = *m_grid->tiles()[1];
        m_choice->openToChange(tile);
        QVERIFY(panel().allButton()->isHidden());
        QTest::keyClicks(panel().field(), QStringLiteral("train/metric7"));
        QTest::keyClick(panel().field(), Qt::Key_Return);
        QCOMPARE(charts(), std::size_t { 4 });
        QCOMPARE(m_grid->settings().tiles[1].metric, std::string("train/metric7"));
        QCOMPARE(m_grid->charts()[1]->title(), QStringLiteral("train/metric7"));
        QVERIFY(!panel().isVisible());
    }
};

QTEST_MAIN(TestChartChoice)
#include "tst_chart_choice.moc"
