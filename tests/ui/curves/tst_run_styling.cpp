// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/run_styling.h"

#include "tests/support/example_log.h"
#include "ui/models/key_values.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace accrue;

namespace {

RunRecord record(std::int64_t id, Norm norm, std::int64_t micro, std::uint64_t seed)
{
    RunRecord run;
    run.id = RunId { id };
    run.name = "a";
    run.experiment = exampleExperiments(1).front();
    run.experiment.model.norm = norm;
    run.experiment.batch.micro = BatchNumber::given(micro);
    run.plan.micro = micro;
    run.experiment.run.seed = seed;
    return run;
}

// Two norms, two micro-batches, two seeds.
std::vector<RunRecord> eightRuns()
{
    std::vector<RunRecord> runs;
    for (const std::uint64_t seed : { 1, 2 })
        for (const std::int64_t micro : { 32, 8 })
            for (const Norm norm : { Norm::Group, Norm::Batch })
                runs.push_back(
                    record(static_cast<std::int64_t>(runs.size()) + 1, norm, micro, seed));
    return runs;
}

RunStyling styled(const std::vector<RunRecord>& runs, const StyleChoice& choice,
    const std::string& groupBy = grouping::kNone)
{
    return stylingOf(runs, curveGroups(runs, groupBy), choice, Background::Light);
}

QStringList titlesOf(const std::vector<ScatterEntry>& entries)
{
    QStringList titles;
    for (const ScatterEntry& entry : entries)
        titles.append(entry.title);
    return titles;
}

} // namespace

class TestRunStyling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutAChoiceEachRunHasItsOwnLook()
    {
        const auto runs = eightRuns();
        const RunStyling styling = styled(runs, {});
        QVERIFY(styling.ofRuns == stylesOf(runs, Background::Light));
        QVERIFY(styling.key.isEmpty());
    }

    void runsWithOneValueHaveOneColour()
    {
        const auto runs = eightRuns();
        const RunStyling styling = styled(runs, { "norm", {} });
        for (std::size_t i = 0; i < runs.size(); ++i)
            QCOMPARE(styling.ofRuns[i].color == styling.ofRuns[0].color,
                runs[i].experiment.model.norm == Norm::Group);
        QCOMPARE(titlesOf(styling.key.colors),
            (QStringList { QStringLiteral("BatchNorm"), QStringLiteral("GroupNorm") }));
        QCOMPARE(styling.key.colors[1].color, styling.ofRuns[0].color);
        QCOMPARE(styling.key.colors[0].color, seriesColor(0, Background::Light));
    }

    // A value keeps its colour whatever the order of the runs is.
    void theOrderOfTheRunsChangesNoColour()
    {
        auto runs = eightRuns();
        const StyleKey before = styled(runs, { "norm", {} }).key;
        std::ranges::reverse(runs);
        QVERIFY(styled(runs, { "norm", {} }).key == before);
    }

    // Colours say the norm; the runs of one norm are told apart by lines, the first four.
    void linesTellRunsOfOneColourApart()
    {
        const RunStyling styling = styled(eightRuns(), { "norm", {} });
        std::set<std::pair<QRgb, int>> looks;
        for (const RunStyle& style : styling.ofRuns)
            looks.insert({ style.color.rgb(), static_cast<int>(style.line) });
        QCOMPARE(looks.size(), std::size_t { 8 });
        QVERIFY(styling.key.lines.empty()); // they mean nothing else
    }

    void linesByAKeyKeepTheColoursOfTheRuns()
    {
        const auto runs = eightRuns();
        const RunStyling styling = styled(runs, { {}, "b" });
        QCOMPARE(titlesOf(styling.key.lines),
            (QStringList { QStringLiteral("b = 8"), QStringLiteral("b = 32") }));
        for (std::size_t i = 0; i < runs.size(); ++i)
            QCOMPARE(
                styling.ofRuns[i].line, runs[i].plan.micro == 8 ? Qt::SolidLine : Qt::DashLine);
        QCOMPARE(styling.ofRuns[0].color, stylesOf(runs, Background::Light)[0].color);
    }

    void colourAndLineOfOneKeyHaveOneEntryForEachValue()
    {
        const RunStyling styling = styled(eightRuns(), { "b", "b" });
        QCOMPARE(styling.key.entries().size(), std::size_t { 2 });
        QVERIFY(styling.key.colors[0].line != styling.key.colors[1].line);
    }

    void groupsAreColouredLikeTheirRuns()
    {
        const auto runs = eightRuns();
        const RunStyling styling = styled(runs, { "norm", "b" }, grouping::kSeeds);
        QCOMPARE(styling.ofGroups.size(), std::size_t { 4 });
        for (std::size_t i = 0; i < runs.size(); ++i)
            QVERIFY(styling.ofGroups[styling.groupOf[i]] == styling.ofRuns[i]);
    }

    void aGroupWhoseRunsDifferHasNoValue()
    {
        const RunStyling styling = styled(eightRuns(), { "norm", "norm" }, "b");
        QCOMPARE(styling.ofGroups.size(), std::size_t { 2 });
        QCOMPARE(styling.ofGroups[0].color, kNoValueColor);
        QCOMPARE(styling.ofGroups[0].line, Qt::DashDotDotLine);
        QCOMPARE(styling.key.colors.back().title, QStringLiteral("several values"));
        QVERIFY(styling.ofRuns[0].color != kNoValueColor); // by itself it has one
    }

    void manyNumbersAreAScaleAndManyWordsNoChoice()
    {
        std::vector<RunRecord> runs;
        for (std::int64_t i = 0; i < 9; ++i)
            runs.push_back(record(i + 1, Norm::Group, std::int64_t { 1 } << i, 1));
        const RunStyling styling = styled(runs, { "b", {} });
        QVERIFY(styling.key.scale && styling.key.colors.empty());
        QVERIFY(styling.key.scale->title.contains(QLatin1String("logarithmic"))); // 1 to 256
        QCOMPARE(styling.key.scale->low, QStringLiteral("1"));
        QCOMPARE(styling.key.scale->high, QStringLiteral("256"));
        QCOMPARE(styling.ofRuns[0].color, shareColor(0, Background::Light));
        QCOMPARE(styling.ofRuns[4].color, shareColor(0.5, Background::Light)); // b 16
        QVERIFY(styled(runs, { {}, "b" }).key.isEmpty());
        const RunGroupKey key = stylingKeys(runs).front();
        QVERIFY(colorProblem(key).isEmpty());
        QCOMPARE(
            lineProblem(key), QStringLiteral("It has 9 values, and there are 4 kinds of lines."));
    }

    void seedsCanBeShownToo()
    {
        const RunStyling styling = styled(eightRuns(), { "seed", {} });
        QCOMPARE(styling.key.colors.size(), std::size_t { 2 });
    }

    void aKeyInWhichTheRunsDoNotDifferCountsAsNone()
    {
        const auto runs = eightRuns();
        QVERIFY(styled(runs, { "optimizer.lr", "nowhere" }).ofRuns
            == stylesOf(runs, Background::Light));
    }
};

QTEST_MAIN(TestRunStyling)
#include "tst_run_styling.moc"
