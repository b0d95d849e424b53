// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_list_view.h"

#include "tests/ui/models/run_records.h"
#include "ui/runs/counts_line.h"
#include "ui/widgets/theme.h"

#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>

using namespace accrue;

class TestRunListView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void columnsOfMeansAreNarrowAgainWithoutGroups()
    {
        RunListView list;
        std::vector<RunRecord> runs { recordOf(2), recordOf(1) };
        runs[0].bestTestAccuracy = 0.9123;
        runs[1].bestTestAccuracy = 0.9;
        list.setRuns(runList(runs));
        const int before = list.columnWidth(RunTableModel::BestAccuracy);
        list.setGrouping(RunGrouping::of(QStringLiteral("norm")));
        QVERIFY(list.columnWidth(RunTableModel::BestAccuracy) > before);
        list.setGrouping({});
        QCOMPARE(list.columnWidth(RunTableModel::BestAccuracy), before);
        list.setGrouping(RunGrouping::of(QStringLiteral("norm")));
        list.setColumnWidth(RunTableModel::BestAccuracy, 300); // by the user
        list.setGrouping({});
        QCOMPARE(list.columnWidth(RunTableModel::BestAccuracy), 300);
    }

    void everyTagFindsRoom()
    {
        Theme theme;
        theme.apply(ThemeChoice::Light);
        RunListView list;
        RunRecord run = recordOf(1);
        const auto isWideEnough = [&list] {
            QStyleOptionViewItem option;
            option.font = list.font();
            const QModelIndex cell = list.model()->index(0, RunTableModel::Tags);
            return list.columnWidth(RunTableModel::Tags)
                >= list.itemDelegateForColumn(RunTableModel::Tags)->sizeHint(option, cell).width();
        };
        run.tags = { "script" };
        list.setRuns(runList({ run }));
        list.show(); // with the font of the style sheet
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        QVERIFY(isWideEnough());
        run.tags.emplace_back("baseline");
        list.setRuns(runList({ run }));
        QVERIFY(isWideEnough());
        list.setColumnWidth(RunTableModel::Tags, 60); // by the user
        list.setRuns(runList({ run }));
        QCOMPARE(list.columnWidth(RunTableModel::Tags), 60);
    }

    // Also while the list changes beneath the editor, and however the editing ends.
    void renamingWarnsOfNothing_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("Return") << int(Qt::Key_Return);
        QTest::newRow("Escape") << int(Qt::Key_Escape);
        QTest::newRow("Tab") << int(Qt::Key_Tab);
        QTest::newRow("another field") << 0;
    }

    void renamingWarnsOfNothing()
    {
        QFETCH(int, key);
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
        QWidget window;
        RunListView list(&window);
        QLineEdit other(&window);
        list.resize(600, 400);
        list.setRuns(runList({ recordOf(3), recordOf(2), recordOf(1) }));
        list.sortByColumn(RunTableModel::Name, Qt::AscendingOrder);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        list.showRuns({ RunId { 2 } });
        list.setFocus();
        // As the log has the new name at once, which moves the row.
        connect(&list.runs(), &RunTableModel::renameRequested, &list,
            [&list](RunId, const QString& name) {
                RunRecord renamed = recordOf(2);
                renamed.name = name.toStdString();
                list.setRuns(runList({ recordOf(3), renamed, recordOf(1) }));
            });
        list.rename();
        QVERIFY(list.isRenaming());
        auto* editor = list.viewport()->findChild<QLineEdit*>();
        QTest::keyClicks(editor, QStringLiteral("zz"));
        RunRecord live = recordOf(4);
        live.name = "aa";
        list.setRuns(runList({ live, recordOf(3), recordOf(2), recordOf(1) }));
        if (key == 0)
            other.setFocus();
        else
            QTest::keyClick(editor, Qt::Key(key));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QTRY_VERIFY(!list.isRenaming());
        const std::string name = list.runs().find(RunId { 2 })->name;
        QCOMPARE(name == "zz", key != Qt::Key_Escape);
    }

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
