// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_parallel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "engine/experiment/key_names.h"
#include "tests/engine/compare/seeded_runs.h"
#include "tests/support/sanitized.h"
#include "tests/support/waiting.h"
#include "ui/curves/run_selection.h"

#include <memory>

using namespace accrue;
using Names = std::vector<std::string>;
using Runs = RunSelection::Runs;

// Parallel axes of the Compare page.
class TestCompareParallel : public QObject {
    Q_OBJECT
private:
    void compare(const std::vector<RunRecord>& runs)
    {
        m_runs = runs;
        Runs ids;
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        m_selection->setRuns(ids);
        m_tab->setRuns(runs, Background::Light);
    }
    Names names() const
    {
        Names names;
        for (const ParallelPlot::Placed& axis : plot().axes())
            names.push_back(axis.axis.name);
        return names;
    }
    const ParallelPlot& plot() const { return m_tab->chart()->plot(); }
    const ParallelPlot::Placed& axis(const std::string& name) const
    {
        return plot().axes().at(plot().axisNamed(name).value());
    }
    RunId idAt(std::size_t i) const { return m_runs.at(i).id; }

    std::vector<RunRecord> m_runs;
    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<CompareParallel> m_tab;

private Q_SLOTS:
    void init()
    {
        m_tab.reset();
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<CompareParallel>(*m_selection);
        m_tab->resize(760, 420);
        m_tab->setAsking(true);
        m_tab->show();
        compare(seededRuns());
    }

    void theAxesAreWhatDiffersThenResults()
    {
        QCOMPARE(
            names(), (Names { key::modelNorm, key::batchMicro, "accuracy", "memory", "time" }));
        QCOMPARE(axis(key::modelNorm).axis.categories,
            (QStringList { QStringLiteral("batch"), QStringLiteral("group") }));
        QCOMPARE(plot().textOf(0, 0), QStringLiteral("BatchNorm")); // as the list and the form
        QVERIFY2(axis(key::batchMicro).scale.logarithmic, "batch numbers are tried by doubling");
        QCOMPARE(plot().lines().size(), m_runs.size());
        QCOMPARE(plot().textOf(0, 1), QStringLiteral("4"));
    }

    void axesAreAddedAndRemoved()
    {
        m_tab->setAxisShown(key::runSeed, true);
        m_tab->setAxisShown("time", false);
        QVERIFY(plot().axisNamed(key::runSeed));
        QVERIFY(!plot().axisNamed("time"));
        Q_EMIT m_tab->axesButton()->menu()->aboutToShow();
        QCOMPARE(m_tab->axesButton()->menu()->actions().front()->menu()->title(),
            QStringLiteral("Settings"));
        m_tab->axesButton()->menu()->actions().back()->trigger(); // the usual ones
        QVERIFY(!plot().axisNamed(key::runSeed));
        QVERIFY(plot().axisNamed("time"));
    }

    void brushedRunsAreSelected()
    {
        m_tab->chart()->setBrush(key::modelNorm, AxisBrush { 0.5, 1 });
        QTRY_COMPARE(m_selection->selected().size(), std::size_t { 10 });
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            QCOMPARE(std::ranges::find(m_selection->selected(), idAt(i))
                    != m_selection->selected().end(),
                m_runs[i].experiment.model.norm == Norm::Group);
        QVERIFY(m_tab->words().startsWith(QStringLiteral("10 of 20 runs are within the brushes.")));
        m_tab->brushesButton()->click();
        QTRY_VERIFY(m_selection->selected().empty());
    }

    void anotherSelectionRemovesTheBrushes()
    {
        m_tab->chart()->setBrush(key::modelNorm, AxisBrush { 0.5, 1 });
        QTRY_COMPARE(m_selection->selected().size(), std::size_t { 10 });
        m_selection->select({ idAt(3) });
        QVERIFY(!plot().hasBrushes());
        QVERIFY(plot().isBright(3) && !plot().isBright(4));
        QTest::qWait(100);
        QCOMPARE(m_selection->selected(), Runs { idAt(3) });
    }

    void hiddenRunsAreNotDrawnAndNotBrushed()
    {
        m_tab->chart()->setBrush(key::modelNorm, AxisBrush { 0.5, 1 });
        QTRY_COMPARE(m_selection->selected().size(), std::size_t { 10 });
        m_selection->setHidden({ idAt(1) }, true);
        QCOMPARE(plot().shownLines(), std::size_t { 19 });
        QTRY_COMPARE(m_selection->selected().size(), std::size_t { 9 });
    }

    void aRunIsPointedAtInBothDirections()
    {
        Q_EMIT m_tab->chart()->linePointedAt(numberOf(idAt(2)));
        QCOMPARE(m_selection->pointedAt(), Runs { idAt(2) });
        Q_EMIT m_tab->chart()->linePointedAt(0);
        QVERIFY(m_selection->pointedAt().empty());
        const QImage before = m_tab->grab().toImage();
        m_selection->pointAt({ idAt(5) });
        QVERIFY(m_tab->grab().toImage() != before);
    }

    void aClickSelectsARunAndWithControlOneMore()
    {
        Q_EMIT m_tab->chart()->lineClicked(numberOf(idAt(2)), false);
        Q_EMIT m_tab->chart()->lineClicked(numberOf(idAt(4)), true);
        QCOMPARE(m_selection->selected(), (Runs { idAt(2), idAt(4) }));
        Q_EMIT m_tab->chart()->lineClicked(numberOf(idAt(2)), true);
        QCOMPARE(m_selection->selected(), Runs { idAt(4) });
        Q_EMIT m_tab->chart()->lineClicked(0, false);
        QVERIFY(m_selection->selected().empty());
    }

    void whatRunsLackIsSaid()
    {
        std::vector<RunRecord> runs = seededRuns();
        runs[0].bestTestAccuracy.reset();
        runs[1].bestTestAccuracy.reset();
        runs[2].peakBytes = 0;
        compare(runs);
        QCOMPARE(plot().shownLines(), runs.size()); // they stay
        QVERIFY2(m_tab->words().contains(QStringLiteral("2 runs have no value: Accuracy, best.")),
            qPrintable(m_tab->words()));
        QVERIFY2(m_tab->words().contains(QStringLiteral("1 run has no value: Peak memory")),
            qPrintable(m_tab->words()));
    }

    void runsThatDifferInNothingSaySo()
    {
        std::vector<RunRecord> same { seededRuns().front() };
        same.push_back(same.front());
        same.back().id = RunId { 9001 };
        compare(same);
        QVERIFY(m_tab->words().contains(QStringLiteral("These runs differ in no setting.")));
        QCOMPARE(names(), (Names { "accuracy", "memory", "time" }));
    }

    void whatIsSetUpIsRemembered()
    {
        QTest::keyClick(m_tab->chart(), Qt::Key_Right);
        QTest::keyClick(m_tab->chart(), Qt::Key_Right);
        QTest::keyClick(m_tab->chart(), Qt::Key_I);
        QTest::keyClick(m_tab->chart(), Qt::Key_L);
        QTest::keyClick(m_tab->chart(), Qt::Key_Left, Qt::ControlModifier);
        m_tab->setAxisShown(key::runSeed, true);
        m_tab->setColour("accuracy");
        const Names before = names();
        QCOMPARE(before.front(), std::string(key::batchMicro));

        auto other = std::make_unique<CompareParallel>(*m_selection);
        other->restore(m_tab->state());
        other->setAsking(true);
        other->setRuns(m_runs, Background::Light);
        QCOMPARE(other->state(), m_tab->state());
        m_tab = std::move(other);
        QCOMPARE(names(), before);
        QVERIFY(axis(key::batchMicro).axis.isInverted);
        QVERIFY(!axis(key::batchMicro).scale.logarithmic);
        QCOMPARE(m_tab->colourBox()->currentData().toString(), QStringLiteral("accuracy"));
    }

    void theFileHasWhatIsDrawn()
    {
        m_selection->setHidden({ idAt(0) }, true);
        m_tab->chart()->setBrush(key::modelNorm, AxisBrush { 0.5, 1 });
        const auto table = m_tab->drawnNumbers();
        QCOMPARE(table.size(), m_runs.size()); // a line of titles, without the hidden run
        QCOMPARE(table.front(),
            (Names { "run", "name", "selected", key::modelNorm, key::batchMicro, "accuracy",
                "memory", "time" }));
        QCOMPARE(table[1][0], std::to_string(numberOf(idAt(1))));
        QCOMPARE(table[1][2], std::string("true"));
        QCOMPARE(table[1][3], std::string("group"));
        QCOMPARE(std::stod(table[1][5]), *m_runs[1].bestTestAccuracy);
    }

    void twoThousandRunsAreDrawnWithoutAPause()
    {
        std::vector<RunRecord> many;
        while (many.size() < 2000) {
            const std::size_t i = many.size();
            many.push_back(seededRun(i % 2 == 0 ? Norm::Batch : Norm::Group, 4LL << (i % 4), i / 8,
                0.9 + 0.00004 * static_cast<double>(i)));
            many.back().experiment.optimizer.lr = 0.001 * static_cast<double>(1 + i % 97);
        }
        QElapsedTimer clock;
        clock.start();
        compare(many);
        m_tab->chart()->repaint();
        const qint64 drawn = clock.restart();
        m_tab->chart()->setBrush("accuracy", AxisBrush { 0.90999, 0.95001 });
        m_tab->chart()->repaint();
        qInfo("2,000 runs: drawn in %lld ms, brushed in %lld ms", drawn, clock.elapsed());
        QVERIFY(test::kIsSanitized || drawn < 3000);
        QTRY_COMPARE(m_selection->selected().size(), std::size_t { 1001 });
    }

    void aHiddenTabDrawsOnceItIsSeen()
    {
        m_tab->setAsking(false);
        compare({ m_runs[0], m_runs[1], m_runs[2] });
        QCOMPARE(plot().lines().size(), std::size_t { 20 });
        m_tab->setAsking(true);
        QCOMPARE(plot().lines().size(), std::size_t { 3 });
    }
};

QTEST_MAIN(TestCompareParallel)
#include "tst_compare_parallel.moc"
