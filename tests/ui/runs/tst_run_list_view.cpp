// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_list_view.h"

#include "tests/ui/models/run_records.h"
#include "ui/runs/counts_line.h"

#include <QTest>

using namespace accrue;

class TestRunListView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itCountsWhatIsListedShownAndChecked()
    {
        RunListView list;
        const auto text = [&] { return CountsLine::textOf(list); };
        QCOMPARE(text(), QString()); // the empty page states it
        list.setRuns(runList({ recordOf(1) }));
        QCOMPARE(text(), QStringLiteral("1 run"));
        list.setRuns(runList({ recordOf(3), recordOf(2), recordOf(1) }));
        QCOMPARE(text(), QStringLiteral("3 runs"));
        list.runs().setChecked({ RunId { 1 }, RunId { 3 } });
        QCOMPARE(text(), QStringLiteral("3 runs · 2 checked"));
        list.shown().setFilter(RunQuery::parse("id>=2"));
        QCOMPARE(text(), QStringLiteral("2 of 3 runs · 2 checked, 1 not shown"));
    }
};

QTEST_MAIN(TestRunListView)
#include "tst_run_list_view.moc"
