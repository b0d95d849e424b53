// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/run_delegates.h"

#include <QPainter>
#include <QTableView>
#include <QTest>

#include "tests/support/contrast.h"
#include "tests/ui/models/run_records.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_table_model.h"
#include "ui/runs/run_table.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace accrue;

namespace {

std::vector<RunRecord> everyState()
{
    std::vector<RunRecord> runs;
    const auto add = [&runs](RunState state, std::optional<RunOutcome> outcome) {
        RunRecord run = recordOf(static_cast<std::int64_t>(runs.size()) + 1);
        run.state = state;
        run.outcome = outcome;
        runs.push_back(run);
    };
    for (const RunOutcome outcome : { RunOutcome::Completed, RunOutcome::Stopped,
             RunOutcome::Diverged, RunOutcome::OutOfMemory, RunOutcome::Failed })
        add(RunState::Finished, outcome);
    for (const RunState state : { RunState::Queued, RunState::Running, RunState::Paused,
             RunState::Interrupted, RunState::Unknown })
        add(state, std::nullopt);
    std::reverse(runs.begin(), runs.end()); // newest first
    return runs;
}

class CountingDelegate : public RunNameDelegate {
public:
    int prepared() const { return m_prepared; }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        ++m_prepared;
        RunNameDelegate::initStyleOption(option, index);
    }

private:
    mutable int m_prepared = 0;
};

} // namespace

class TestRunDelegates : public QObject {
    Q_OBJECT
private:
    QImage cell(int row, int column)
    {
        const QRect rect = m_table.visualRect(m_model.index(row, column));
        return m_table.viewport()->grab(rect).toImage();
    }

    Theme m_theme;
    RunTableModel m_model;
    RunTable m_table;

private Q_SLOTS:
    void initTestCase()
    {
        m_model.setRuns(runList(everyState()));
        m_table.setModel(&m_model);
        m_table.setSelectionBehavior(QAbstractItemView::SelectRows);
        m_table.setItemDelegateForColumn(RunTableModel::Name, new RunNameDelegate(&m_table));
        m_table.setItemDelegateForColumn(RunTableModel::State, new RunStateDelegate(&m_table));
        m_table.setShowGrid(false);
        m_table.resize(900, 500);
        m_table.resizeColumnsToContents();
        m_table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_table));
        m_table.clearFocus();
    }

    void theStateIsReadableInSelectedRowsToo_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
    }

    // The contrast of a chip's most frequent colour with that of its letters, the one furthest from
    // it.
    void theStateIsReadableInSelectedRowsToo()
    {
        QFETCH(ThemeChoice, theme);
        m_theme.apply(theme);
        QCoreApplication::processEvents();
        for (const bool selected : { false, true }) {
            selected ? m_table.selectAll() : m_table.clearSelection();
            for (int row = 0; row < m_model.rowCount(); ++row) {
                const QImage image = cell(row, RunTableModel::State);
                const QColor ground = image.pixelColor(14, image.height() / 2 - 8);
                double most = 0;
                for (int x = 12; x < image.width() - 12; ++x)
                    for (int y = image.height() / 2 - 5; y < image.height() / 2 + 5; ++y)
                        most = std::max(most, test::contrastOf(ground, image.pixelColor(x, y)));
                QVERIFY2(most >= 4.5,
                    qPrintable(QStringLiteral("row %1, selected %2: %3")
                                   .arg(row)
                                   .arg(int(selected))
                                   .arg(most)));
            }
        }
    }

    void aRowThatDiffersIsPreparedOnce()
    {
        std::vector<RunRecord> runs { recordOf(2), recordOf(1) };
        runs[0].name = runs[1].name = "same";
        runs[0].experiment.optimizer.lr = 0.5;
        RunTableModel model;
        model.setRuns(runList(runs));
        const QModelIndex name = model.index(0, RunTableModel::Name);
        QVERIFY(!name.data(RunTableModel::VariantRole).toString().isEmpty());
        QImage picture(400, 30, QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&picture);
        QStyleOptionViewItem option;
        option.rect = picture.rect();
        option.widget = &m_table;
        CountingDelegate delegate;
        delegate.paint(&painter, option, name);
        QCOMPARE(delegate.prepared(), 1); // each time draws a dot
    }

    // Runs 1, 8, 15 and 22 have the same hue.
    void dotsOfOneHueAreToldApartByTheirShapes()
    {
        std::vector<QImage> dots;
        for (const std::int64_t id : { 1, 8, 15, 22 }) {
            const RunStyle look = styleOf(RunId { id }, Background::Light);
            QCOMPARE(look.color, styleOf(RunId { 1 }, Background::Light).color);
            dots.push_back(runDot(look.color, look.line, 14, 1).toImage());
        }
        const auto isInk = [](const QImage& dot, int at) {
            return dot.pixelColor(at % 14, at / 14).alpha() > 127;
        };
        for (const QImage& one : dots) {
            int ink = 0;
            for (int at = 0; at < 14 * 14; ++at)
                ink += isInk(one, at) ? 1 : 0;
            QVERIFY2(ink >= 60, qPrintable(QString::number(ink))); // no thin ring with gaps
            for (const QImage& other : dots) {
                int differ = 0;
                for (int at = 0; at < 14 * 14; ++at)
                    differ += isInk(one, at) != isInk(other, at) ? 1 : 0;
                QVERIFY2(&one == &other || differ >= 12, qPrintable(QString::number(differ)));
            }
        }
    }

    void dotAndChipHaveTheSameColoursInASelectedRow()
    {
        m_theme.apply(ThemeChoice::Light);
        for (const int column : { RunTableModel::Name, RunTableModel::State }) {
            m_table.clearSelection();
            const QImage plain = cell(2, column);
            m_table.selectRow(2);
            const QImage selected = cell(2, column);
            QVERIFY(selected != plain);
            const QColor dot = styleOf(m_model.run(2).id, Background::Light).color;
            const auto count = [&dot](const QImage& image) {
                int found = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        found += image.pixelColor(x, y) == dot ? 1 : 0;
                return found;
            };
            if (column == RunTableModel::Name) {
                QVERIFY(count(plain) > 10);
                QCOMPARE(count(selected), count(plain));
            } else {
                const QPoint inside(14, plain.height() / 2 - 8);
                QCOMPARE(selected.pixelColor(inside), plain.pixelColor(inside));
            }
        }
    }
};

QTEST_MAIN(TestRunDelegates)
#include "tst_run_delegates.moc"
