// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_table.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>

#include "ui/widgets/theme.h"

#include <algorithm>
#include <memory>

using namespace accrue;

namespace {

constexpr int kColumns = 8;
constexpr int kLeading = 3;

} // namespace

class TestRunTable : public QObject {
    Q_OBJECT
private:
    QPoint inHeader(int x) const { return { x, m_table->horizontalHeader()->height() / 2 }; }
    void scrollRight()
    {
        m_table->horizontalScrollBar()->setValue(m_table->horizontalScrollBar()->maximum());
        QVERIFY(m_table->horizontalScrollBar()->value() > 100);
    }
    QPoint middleOf(int row, int column) const
    {
        return m_table->visualRect(m_model.index(row, column)).center();
    }
    void click(const QPoint& at, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, modifiers, at);
    }
    QList<int> selectedRows() const
    {
        QList<int> rows;
        for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
            rows << index.row();
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    Theme m_theme;
    QStandardItemModel m_model;
    std::unique_ptr<RunTable> m_table;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_model.clear();
        for (int row = 0; row < 30; ++row) {
            QList<QStandardItem*> items;
            for (int column = 0; column < kColumns; ++column)
                items << new QStandardItem(QStringLiteral("%1 %2").arg(row).arg(column));
            items.front()->setCheckable(true);
            m_model.appendRow(items);
        }
        QStringList titles;
        for (int column = 0; column < kColumns; ++column)
            titles << QStringLiteral("Column %1").arg(column);
        m_model.setHorizontalHeaderLabels(titles);
        m_table = std::make_unique<RunTable>();
        m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
        m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
        m_table->setModel(&m_model);
        m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        m_table->setSortingEnabled(true);
        m_table->verticalHeader()->hide();
        m_table->setLeading(kLeading);
        m_table->resize(800, 400);
        m_table->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_table.get()));
        for (int column = 1; column < kColumns; ++column)
            m_table->setColumnWidth(column, 150);
        m_table->stretchName();
    }

    void theNameTakesTheRoomThatTheOthersLeave()
    {
        for (int column = kLeading; column < kColumns; ++column)
            m_table->setColumnHidden(column, true);
        m_table->stretchName();
        QCOMPARE(m_table->columnWidth(0) + 2 * 150, m_table->viewport()->width());
        m_table->resize(1000, 400);
        QCOMPARE(m_table->columnWidth(0) + 2 * 150, m_table->viewport()->width());
        m_table->setColumnWidth(0, 222); // by a person
        m_table->resize(900, 400);
        QCOMPARE(m_table->columnWidth(0), 222);
    }

    void theNameLeavesRoomForTheLeadingColumns()
    {
        m_table->resize(700, 400);
        QCOMPARE(m_table->columnWidth(0), m_table->viewport()->width() - kLeading * 150);
        m_table->resize(1200, 400); // too narrow for all columns
        QCOMPARE(m_table->columnWidth(0), int(0.4 * m_table->viewport()->width()));
        m_table->resize(400, 400);
        QCOMPARE(m_table->columnWidth(0), 180); // still readable
    }

    void aLongNameTakesAShareWhenTheColumnsAreFitted()
    {
        m_model.item(0, 0)->setText(QString(200, QLatin1Char('m')));
        m_table->fitColumns();
        QCOMPARE(m_table->columnWidth(0), int(0.4 * m_table->viewport()->width()));
    }

    void theNameStaysInSightWhileTheOthersScroll()
    {
        QCOMPARE(m_table->frozenWidth(), 0);
        scrollRight();
        QCOMPARE(m_table->frozenWidth(), m_table->columnWidth(0));
        QCOMPARE(m_table->visualRect(m_model.index(2, 0)).left(), 0);
        QCOMPARE(m_table->indexAt(middleOf(2, 0)), m_model.index(2, 0));
        QCOMPARE(m_table->indexAt(middleOf(2, kColumns - 1)), m_model.index(2, kColumns - 1));
        const QRect cell = m_table->visualRect(m_model.index(2, 0));
        const QImage scrolled = m_table->viewport()->grab(cell).toImage();
        m_table->horizontalScrollBar()->setValue(0);
        const QImage there = m_table->viewport()->grab(cell).toImage();
        QCOMPARE(scrolled.copy(0, 0, cell.width() - 2, cell.height()),
            there.copy(0, 0, cell.width() - 2, cell.height()));
    }

    void aFrozenNameIsCheckedSelectedAndEdited()
    {
        scrollRight();
        click(middleOf(1, 0));
        QCOMPARE(selectedRows(), QList<int> { 1 });
        click(middleOf(3, 0), Qt::ShiftModifier);
        QCOMPARE(selectedRows(), QList<int>({ 1, 2, 3 }));
        click(middleOf(5, kColumns - 1), Qt::ControlModifier);
        QCOMPARE(selectedRows(), QList<int>({ 1, 2, 3, 5 }));
        QStyleOptionViewItem option;
        option.initFrom(m_table.get());
        option.rect = m_table->visualRect(m_model.index(4, 0));
        option.features = QStyleOptionViewItem::HasCheckIndicator;
        option.widget = m_table.get();
        const QRect box = m_table->style()->subElementRect(
            QStyle::SE_ItemViewItemCheckIndicator, &option, m_table.get());
        click(box.center());
        QCOMPARE(m_model.item(4, 0)->checkState(), Qt::Checked);
        m_table->edit(m_model.index(4, 0));
        const auto* editor = m_table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QVERIFY(m_table->viewport()->rect().contains(editor->geometry()));
        QVERIFY(m_table->horizontalScrollBar()->value() > 100); // unchanged
    }

    void theKeyboardShowsColumnsBesideTheFrozenName()
    {
        m_table->setFocus();
        m_table->setCurrentIndex(m_model.index(0, kColumns - 1));
        QVERIFY(m_table->horizontalScrollBar()->value() > 100);
        for (int column = kColumns - 2; column > 0; --column) {
            QTest::keyClick(m_table.get(), Qt::Key_Left);
            QCOMPARE(m_table->currentIndex().column(), column);
            QVERIFY(m_table->visualRect(m_table->currentIndex()).left() >= m_table->frozenWidth());
        }
        scrollRight();
        const int before = m_table->horizontalScrollBar()->value();
        m_table->scrollTo(m_model.index(20, 0));
        QCOMPARE(m_table->horizontalScrollBar()->value(), before);
        QVERIFY(m_table->viewport()->rect().contains(middleOf(20, 0)));
    }

    void theFrozenHeaderSortsAndSizesItsColumn()
    {
        scrollRight();
        QHeaderView* header = m_table->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, inHeader(40));
        QCOMPARE(header->sortIndicatorSection(), 0);
        const int wide = m_table->columnWidth(0);
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, inHeader(wide - 1));
        QMouseEvent move(QEvent::MouseMove, inHeader(wide - 31),
            header->viewport()->mapToGlobal(inHeader(wide - 31)), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(header->viewport(), &move);
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, inHeader(wide - 31));
        QCOMPARE(m_table->columnWidth(0), wide - 30);
        QVERIFY(m_table->isNameSized());
    }

    // Each column is as wide as its title needs: the arrow has its own space.
    void anArrowLeavesTheTitleWhole()
    {
        m_table->resizeColumnsToContents();
        QHeaderView* header = m_table->horizontalHeader();
        QFont bold = header->font();
        bold.setWeight(QFont::DemiBold);
        for (int column = 0; column < kColumns; ++column) {
            const QString title = m_model.headerData(column, Qt::Horizontal).toString();
            QVERIFY(header->sectionSizeHint(column)
                >= QFontMetrics(bold).horizontalAdvance(title) + 2 * 8 + 12);
        }
        const QRect place(
            header->sectionViewportPosition(1), 0, header->sectionSize(1), header->height());
        const QImage without = header->viewport()->grab(place).toImage();
        header->setSortIndicator(1, Qt::AscendingOrder);
        const QImage with = header->viewport()->grab(place).toImage();
        QRect changed;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y))
                    changed |= QRect(x, y, 1, 1);
        QVERIFY(!changed.isEmpty());
        QVERIFY2(changed.width() <= 10, qPrintable(QString::number(changed.width()))); // no letter
    }
};

QTEST_MAIN(TestRunTable)
#include "tst_run_table.moc"
