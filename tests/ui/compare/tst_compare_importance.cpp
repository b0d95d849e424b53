// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_importance.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/compare/group_summary.h"
#include "engine/experiment/key_names.h"
#include "tests/engine/compare/seeded_runs.h"
#include "ui/curves/run_selection.h"
#include "ui/relations/number_box.h"

#include <cmath>
#include <memory>

using namespace accrue;

namespace {

// Values in -1 … 1 without a pattern.
double noise(std::size_t i)
{
    const double x = std::sin(12.9898 * static_cast<double>(i + 1)) * 43758.5453;
    return 2 * (x - std::floor(x)) - 1;
}

// Three rates × two norms × two momenta × four seeds. Only the rate matters: 2 points a step.
std::vector<RunRecord> sweep(double ofRate)
{
    std::vector<RunRecord> runs;
    for (const double rate : { 0.01, 0.03, 0.1 })
        for (const Norm norm : { Norm::Batch, Norm::Group })
            for (const double momentum : { 0.8, 0.9 })
                for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                    const double better = ofRate * std::log(rate / 0.01) / std::log(3);
                    runs.push_back(
                        seededRun(norm, 32, seed, 0.9 + better + 0.006 * noise(runs.size())));
                    runs.back().experiment.optimizer.lr = rate;
                    runs.back().experiment.optimizer.momentum = momentum;
                    runs.back().peakBytes = (norm == Norm::Batch ? 100 : 140) << 20;
                }
    return runs;
}

} // namespace

// Which keys explain a number, on the Compare page.
class TestCompareImportance : public QObject {
    Q_OBJECT
private:
    void compare(const std::vector<RunRecord>& runs)
    {
        m_runs = runs;
        RunSelection::Runs ids;
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        m_selection->setRuns(ids);
        m_tab->setRuns(runs, Background::Light);
    }
    const std::vector<IntervalRow>& rows(std::size_t panel) const
    {
        return m_tab->chart()->panels().at(panel).rows;
    }
    QString refusal(const std::vector<RunRecord>& runs)
    {
        compare(runs);
        return m_tab->sentence();
    }

    std::vector<RunRecord> m_runs;
    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<CompareImportance> m_tab;

private Q_SLOTS:
    void init()
    {
        m_tab.reset();
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<CompareImportance>(*m_selection);
        m_tab->resize(760, 420);
        m_tab->setAsking(true);
        m_tab->show();
        compare(sweep(0.02));
    }

    void aPlantedEffectIsRecovered()
    {
        QCOMPARE(rows(0).size(), std::size_t { 4 });
        QCOMPARE(rows(0)[0].title, QStringLiteral("lr"));
        QVERIFY(rows(0)[0].value > 0.8);
        QVERIFY(rows(0)[0].low > 0.6 && rows(0)[0].high < 1);
        for (std::size_t i = 1; i < 4; ++i)
            QVERIFY2(rows(0)[i].value < 0.1, qPrintable(rows(0)[i].title));
        QVERIFY2(m_tab->sentence().startsWith(QStringLiteral("lr explains about ")),
            qPrintable(m_tab->sentence()));
        QVERIFY(m_tab->sentence().contains(QStringLiteral("n 48")));
        QVERIFY(rows(0)[0].detail.endsWith(QStringLiteral("n 48, groups: 3")));
    }

    void withoutAnEffectNothingIsClaimed()
    {
        compare(sweep(0));
        QVERIFY(rows(0)[0].value < 0.2);
        QVERIFY(rows(0)[0].low < 0.05);
    }

    void theNumbersAreThoseOfTheSummary()
    {
        const GroupSummary all = summarize(m_runs, {}, {});
        QCOMPARE(rows(0).size(), all.importance.size());
        for (std::size_t i = 0; i < rows(0).size(); ++i) {
            QCOMPARE(rows(0)[i].title.toStdString(), all.importance[i].key);
            QCOMPARE(rows(0)[i].value, all.importance[i].effect.omega);
            QCOMPARE(rows(0)[i].mark.value(), all.importance[i].effect.eta);
            QCOMPARE(rows(0)[i].low, all.importance[i].effect.low);
        }
        const GroupSummary byRate = summarize(m_runs, {}, { .keys = { "lr" } });
        QCOMPARE(rows(1).size(), std::size_t { 3 });
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(rows(1)[i].value, byRate.numbers[i].mean.mean);
            QCOMPARE(rows(1)[i].high, byRate.numbers[i].mean.high);
            QCOMPARE(
                rows(1)[i].text.toStdString(), intervalText(byRate.number, byRate.numbers[i].mean));
            QCOMPARE(rows(1)[i].detail, QStringLiteral("n 16"));
        }
    }

    // N follows from b, so that nobody can say which of both it was.
    void keysThatMoveTogetherAreCalledConfounded()
    {
        compare(seededRuns());
        bool isSaid = false;
        for (const IntervalRow& row : rows(0))
            if (row.title == QStringLiteral("b"))
                isSaid = row.warning.contains(QStringLiteral("confounded: moves together with N"));
        QVERIFY(isSaid);
        QVERIFY(m_tab->sentence().contains(QStringLiteral("cannot be told apart")));
    }

    void anyNumberCanBeExplained()
    {
        m_tab->numberBox()->setCurrentIndex(m_tab->numberBox()->findData(QStringLiteral("memory")));
        Q_EMIT m_tab->numberBox()->activated(m_tab->numberBox()->currentIndex());
        QCOMPARE(rows(0)[0].title, QStringLiteral("norm"));
        QCOMPARE(rows(1)[0].text, QStringLiteral("100 MiB ± 0 B"));
        CompareImportance other(*m_selection);
        other.restore(m_tab->state());
        other.setAsking(true);
        other.setRuns(m_runs, Background::Light);
        QCOMPARE(other.numberBox()->shown(), std::string("memory"));
    }

    void theGroupsAreThoseOfTheChosenKey()
    {
        m_tab->choose("norm");
        QCOMPARE(rows(1).size(), std::size_t { 2 });
        QCOMPARE(rows(1)[0].title, QStringLiteral("batch"));
        QTest::mouseClick(
            m_tab->chart(), Qt::LeftButton, {}, m_tab->chart()->rowRect(0, 0).center().toPoint());
        QCOMPARE(rows(1).size(), std::size_t { 3 });
        QCOMPARE(m_tab->chart()->chosen(), std::optional<std::size_t>(0));
    }

    void runsAreGroupedByTheChosenKey()
    {
        QVERIFY(m_tab->groupButton()->isEnabled());
        m_tab->groupButton()->click();
        QCOMPARE(m_selection->groupBy(), std::string("lr"));
        m_tab->choose("seed");
        QVERIFY(!m_tab->groupButton()->isEnabled());
    }

    void theChosenKeyBecomesAnAxis()
    {
        QString asked;
        connect(m_tab.get(), &CompareImportance::axisRequested, this,
            [&asked](const std::string& key) { asked = QString::fromStdString(key); });
        m_tab->choose("norm");
        m_tab->axisButton()->click();
        QCOMPARE(asked, QString::fromLatin1(key::modelNorm));
    }

    void whatCannotBeExplainedIsRefusedWithTheReason()
    {
        const std::vector<RunRecord> runs = seededRuns();
        QVERIFY(refusal({ runs[0] }).startsWith(QStringLiteral("Only one of these runs")));
        QVERIFY(!m_tab->numberBox()->isEnabled());
        QVERIFY(
            m_tab->chart()->description().startsWith(QStringLiteral("Compare runs that differ")));
        QVERIFY(refusal({ runs[0], runs[1] }).startsWith(QStringLiteral("Too few runs:")));
        QVERIFY(rows(0)[0].text == QStringLiteral("–")); // no bar without a number
        RunRecord same = runs[0];
        same.id = RunId { 9001 };
        QVERIFY(refusal({ runs[0], same }).contains(QStringLiteral("differ in no setting")));
        QVERIFY(m_tab->chart()->panels().empty());
        QVERIFY(!m_tab->groupButton()->isEnabled() && !m_tab->axisButton()->isEnabled());
    }

    void hiddenRunsDoNotCount()
    {
        RunSelection::Runs others;
        for (const RunRecord& run : m_runs)
            if (run.experiment.model.norm == Norm::Group)
                others.push_back(run.id);
        m_selection->setHidden(others, true);
        QVERIFY(m_tab->sentence().contains(QStringLiteral("n 24")));
        QCOMPARE(rows(0).size(), std::size_t { 3 }); // they no longer differ in the norm
    }

    void theFileHasKeysAndGroups()
    {
        const auto table = m_tab->drawnNumbers();
        QCOMPARE(table.size(), std::size_t { 1 + 4 + 3 });
        QCOMPARE(std::stod(table[1][4]), rows(0)[0].value);
        QCOMPARE(std::stod(table[5][9]), rows(1)[0].value);
    }

    void tenKeysFitIntoTheSmallestTab()
    {
        std::vector<RunRecord> runs = sweep(0.02);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].experiment.optimizer.weightDecay = i % 2 == 0 ? 0 : 0.001;
            runs[i].plan.micro = i % 3 == 0 ? 16 : 32;
            runs[i].plan.effective = i % 5 == 0 ? 64 : 128;
            runs[i].plan.steps = runs[i].plan.effective / runs[i].plan.micro;
            runs[i].experiment.run.epochs = i % 7 == 0 ? 2 : 3;
        }
        compare(runs);
        QVERIFY(rows(0).size() >= 8);
        QCOMPARE(rows(0)[0].title, QStringLiteral("lr"));
        double bottom = 0;
        for (std::size_t i = 0; i < rows(0).size(); ++i) {
            QVERIFY(m_tab->chart()->rowRect(0, i).top() >= bottom);
            bottom = m_tab->chart()->rowRect(0, i).bottom();
        }
        QTRY_VERIFY(m_tab->chart()->height() >= m_tab->chart()->sizeHint().height());
    }
};

QTEST_MAIN(TestCompareImportance)
#include "tst_compare_importance.moc"
