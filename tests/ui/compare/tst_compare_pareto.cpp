// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_pareto.h"

#include <QCheckBox>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "tests/ui/compare/points_example.h"
#include "ui/curves/run_selection.h"
#include "ui/models/run_words.h"
#include "ui/relations/number_box.h"
#include "ui/widgets/form_widgets.h"

#include <algorithm>
#include <memory>

using namespace accrue;

class TestComparePareto : public QObject {
    Q_OBJECT
private:
    using Runs = RunSelection::Runs;

    void show(const std::vector<RunRecord>& runs)
    {
        Runs ids;
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        m_selection->setRuns(ids);
        m_tab->setRuns(runs, Background::Light);
    }

    static void choose(NumberBox& box, const char* name)
    {
        const int index = box.findData(QString::fromLatin1(name));
        QVERIFY2(index >= 0, name);
        box.setCurrentIndex(index);
        Q_EMIT box.activated(index);
    }

    Runs drawnOnFront() const
    {
        Runs runs;
        for (const ScatterPoint& point : m_tab->chart()->content().points)
            if (!point.isPale)
                runs.push_back(RunId { point.key });
        return runs;
    }

    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<ComparePareto> m_tab;

private Q_SLOTS:
    void init()
    {
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<ComparePareto>(*m_selection);
        m_tab->resize(900, 600);
        m_tab->show();
        m_tab->setAsking(true);
    }

    void itBeginsWithAccuracyAgainstMemory()
    {
        show(fourRuns());
        // #4 needs more memory than #3 and is worse; #2 has no accuracy.
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 1 }, RunId { 3 } }));
        QCOMPARE(drawnOnFront(), m_tab->picture().front);
        for (const ScatterPoint& point : m_tab->chart()->content().points)
            QCOMPARE(point.label, point.isPale ? QString() : runNumber(RunId { point.key }));
        QCOMPARE(m_tab->notes()->fullText(),
            QStringLiteral("2 of 3 runs are on the front: #1, #3; 1 of 4 runs has no Accuracy, "
                           "best."));
    }

    void theFrontIsALineOfSteps()
    {
        show(fourRuns());
        const std::vector<ScatterLine>& lines = m_tab->chart()->content().lines;
        QCOMPARE(lines.size(), std::size_t { 1 });
        const double mib = 1 << 20;
        QCOMPARE(lines[0].corners,
            (std::vector<QPointF> { { 8 * mib, 0.90 }, { 32 * mib, 0.90 }, { 32 * mib, 0.98 } }));
    }

    void directionsCanBeTurned()
    {
        show(fourRuns());
        m_tab->directionButton(1)->click(); // more memory is better now
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 3 }, RunId { 4 } }));
        const double mib = 1 << 20;
        QCOMPARE(m_tab->chart()->content().lines[0].corners,
            (std::vector<QPointF> { { 64 * mib, 0.97 }, { 32 * mib, 0.97 }, { 32 * mib, 0.98 } }));
        m_tab->directionButton(0)->click(); // and less accuracy
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 1 }, RunId { 4 } }));
        choose(*m_tab->numberBox(1), "time"); // of which less is better, as ever
        QCOMPARE(m_tab->directionButton(1)->text(), QStringLiteral("min"));
    }

    void aThirdNumberIsAColourAndPartOfTheFront()
    {
        show(fourRuns());
        choose(*m_tab->numberBox(2), "time");
        // #4 is the fastest, so that no other one beats it in all three.
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 1 }, RunId { 3 }, RunId { 4 } }));
        QVERIFY(m_tab->chart()->content().lines.empty()); // there are no steps of three numbers
        QVERIFY(m_tab->chart()->content().scale);
        choose(*m_tab->numberBox(2), "none");
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 1 }, RunId { 3 } }));
    }

    void theFrontCanBeSelected()
    {
        show(fourRuns());
        m_tab->selectButton()->click();
        QCOMPARE(m_selection->selected(), (Runs { RunId { 1 }, RunId { 3 } }));
        show({});
        QVERIFY(!m_tab->selectButton()->isEnabled());
    }

    void hiddenRunsAreOnNoFrontAndHideNone()
    {
        show(fourRuns());
        m_selection->setHidden({ RunId { 3 } }, true);
        QCOMPARE(m_tab->picture().front, (Runs { RunId { 1 }, RunId { 4 } }));
    }

    void whatIsSetUpIsKept()
    {
        show(fourRuns());
        choose(*m_tab->numberBox(1), "time");
        choose(*m_tab->numberBox(2), "memory");
        m_tab->directionButton(2)->click();
        m_tab->logXBox()->setChecked(true);
        const Runs front = m_tab->picture().front;
        const QJsonObject state = m_tab->state();
        init();
        m_tab->restore(state);
        show(fourRuns());
        QCOMPARE(m_tab->state(), state);
        QCOMPARE(m_tab->picture().front, front);
        QCOMPARE(m_tab->directionButton(2)->text(), QStringLiteral("max"));
        QVERIFY(m_tab->chart()->isLogX());
    }

    void whatIsDrawnIsATable()
    {
        show(fourRuns());
        const std::vector<std::vector<std::string>> wanted {
            { "run", "name", "accuracy", "memory", "on_front" },
            { "1", "run-1", "0.9", "8388608", "1" },
            { "3", "run-3", "0.98", "33554432", "1" },
            { "4", "run-4", "0.97", "67108864", "0" },
        };
        QCOMPARE(m_tab->drawnNumbers(), wanted);
    }
};

QTEST_MAIN(TestComparePareto)
#include "tst_compare_pareto.moc"
