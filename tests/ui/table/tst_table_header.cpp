// SPDX-License-Identifier: Apache-2.0
#include "ui/table/table_header.h"

#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/table/table_example.h"
#include "ui/table/comparison_table_model.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestTableHeader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClickOnTheSignUnfoldsAndOneOnTheTitleDoesNot()
    {
        Theme theme;
        theme.apply(ThemeChoice::Light);
        ComparisonTableModel model;
        model.setTable(exampleTable(), tableRuns());
        QTableView view;
        auto* const header = new TableHeader(Qt::Vertical, &view);
        view.setModel(&model);
        view.setVerticalHeader(header);
        view.resize(800, 600);
        view.show();
        const int row = rowWithId(model.table(), "Loss, best");
        QVERIFY(model.table().rows.at(static_cast<std::size_t>(row)).canUnfold);
        QSignalSpy folds(header, &TableHeader::foldClicked);
        QSignalSpy clicks(header, &QHeaderView::sectionClicked);
        const int middle = header->sectionViewportPosition(row) + header->sectionSize(row) / 2;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, { 10, middle });
        QCOMPARE(folds.size(), 1);
        QCOMPARE(folds.first().first().toInt(), row);
        QCOMPARE(clicks.size(), 0);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, { 60, middle });
        QCOMPARE(folds.size(), 1);
        QCOMPARE(clicks.size(), 1);
    }

    void titlesOfRunsHaveTwoLines()
    {
        ComparisonTableModel model;
        model.setTable(exampleTable(), tableRuns());
        QTableView view;
        view.setModel(&model);
        auto* const across = new TableHeader(Qt::Horizontal, &view);
        auto* const down = new TableHeader(Qt::Vertical, &view);
        view.setHorizontalHeader(across);
        view.setVerticalHeader(down);
        QVERIFY(across->sizeHint().height() > 2 * across->fontMetrics().height());
        model.setTransposed(true);
        QVERIFY(across->sizeHint().height() < 2 * across->fontMetrics().height());
    }
};

QTEST_MAIN(TestTableHeader)
#include "tst_table_header.moc"
