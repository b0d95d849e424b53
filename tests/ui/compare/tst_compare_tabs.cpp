// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_tabs.h"

#include <QListView>
#include <QTest>
#include <QVBoxLayout>

#include "ui/compare/compare_importance.h"
#include "ui/compare/compare_peaks.h"
#include "ui/curves/run_selection.h"

using namespace accrue;

class TestCompareTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeyThatShowsTheNextTabWorksInTheListToo()
    {
        QWidget page;
        auto* const list = new QListView(&page);
        auto* const tabs = new CompareTabs(&page);
        RunSelection selection;
        tabs->add(new ComparePeaks(selection, &page), "memory", QStringLiteral("Memory"));
        tabs->add(
            new CompareImportance(selection, &page), "importance", QStringLiteral("Importance"));
        auto* const rows = new QVBoxLayout(&page);
        rows->addWidget(list);
        rows->addWidget(tabs);
        page.show();
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(tabs->currentIndex(), 1);
        QTest::keyClick(list, Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(tabs->currentIndex(), 0);
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(tabs->currentIndex(), 0);
    }
};

QTEST_MAIN(TestCompareTabs)
#include "tst_compare_tabs.moc"
