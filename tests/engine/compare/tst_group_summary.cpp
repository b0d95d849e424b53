// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/group_summary.h"

#include "engine/base/error.h"
#include "tests/engine/compare/seeded_runs.h"

#include <string>
#include <vector>

#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

GroupSummary summaryOf(const SummaryRequest& request)
{
    return summarize(seededRuns(), {}, request);
}

std::string refusal(const SummaryRequest& request)
{
    try {
        summaryOf(request);
    } catch (const Error& error) {
        return error.message().english();
    }
    return "nothing was thrown";
}

std::string comparedWith(const GroupSummary& summary)
{
    std::string text;
    for (const GroupComparison& each : summary.comparisons)
        text += summary.groups.groups[each.one].name.english() + " | "
            + summary.groups.groups[each.other].name.english() + "\n";
    return text;
}

} // namespace

class TestGroupSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyGroupIsComparedWithTheBest()
    {
        QCOMPARE(comparedWith(summaryOf({})),
            std::string("BatchNorm, b = 4 | GroupNorm, b = 32\n"
                        "BatchNorm, b = 32 | GroupNorm, b = 32\n"
                        "GroupNorm, b = 4 | GroupNorm, b = 32\n"));
    }

    void aBaselineThatNamesSomeKeysHasTheOthersOfTheGroup()
    {
        QCOMPARE(comparedWith(summaryOf({ .baseline = "norm=batch" })),
            std::string("GroupNorm, b = 4 | BatchNorm, b = 4\n"
                        "GroupNorm, b = 32 | BatchNorm, b = 32\n"));
        QCOMPARE(comparedWith(summaryOf({ .baseline = "norm=batch, b=4" })),
            std::string("BatchNorm, b = 32 | BatchNorm, b = 4\n"
                        "GroupNorm, b = 4 | BatchNorm, b = 4\n"
                        "GroupNorm, b = 32 | BatchNorm, b = 4\n"));
        QCOMPARE(comparedWith(summaryOf({ .keys = { "norm" }, .baseline = "norm=GroupNorm" })),
            std::string("BatchNorm | GroupNorm\n"));
    }

    void theGroupOfARunCanBeTheBaselineAndHiddenRunsCountNowhere()
    {
        const std::vector<RunRecord> runs = seededRuns();
        const GroupSummary summary = summarize(runs, {}, { .baselineRun = runs[0].id });
        QCOMPARE(comparedWith(summary),
            std::string("BatchNorm, b = 32 | BatchNorm, b = 4\n"
                        "GroupNorm, b = 4 | BatchNorm, b = 4\n"
                        "GroupNorm, b = 32 | BatchNorm, b = 4\n"));
        SummaryRequest request { .baselineRun = runs[0].id };
        for (const RunRecord& run : runs)
            if (run.plan.micro == 32 || run.experiment.run.seed == 5)
                request.hidden.push_back(run.id);
        const GroupSummary fewer = summarize(runs, {}, request);
        QCOMPARE(comparedWith(fewer), std::string("GroupNorm, b = 4 | BatchNorm, b = 4\n"));
        QCOMPARE(fewer.comparisons[0].test->difference.count, std::int64_t { 4 });
    }

    void aGroupWithoutACounterpartIsNamed()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::erase_if(runs, [](const RunRecord& run) {
            return run.experiment.model.norm == Norm::Batch && run.plan.micro == 4;
        });
        const GroupSummary summary = summarize(runs, {}, { .baseline = "norm=batch" });
        QCOMPARE(summary.missing.size(), std::size_t { 1 });
        QVERIFY(summary.missing[0].english().find("GroupNorm, b = 4 has no counterpart") == 0);
    }

    void aWrongBaselineIsRefusedWithWhatThereIs()
    {
        QCOMPARE(refusal({ .baseline = "batch" }),
            std::string("“batch” is no baseline. Write KEY=VALUE, such as norm=batch."));
        QVERIFY(refusal({ .baseline = "lr=0.1" }).find("they are grouped by norm, b")
            != std::string::npos);
        QVERIFY(refusal({ .baseline = "norm=layer" }).find("the runs have batch, group")
            != std::string::npos);
        QVERIFY(refusal({ .keys = { "nrom" } }).find("Did you mean norm?") != std::string::npos);
    }

    void textsHaveTheIntervalAndWhatIsMarked()
    {
        const GroupSummary summary = summaryOf({});
        QCOMPARE(intervalText(summary.number, summary.numbers[0].mean),
            std::string("94.00 % ± 0.56 %")); // SciPy: 93.438 % to 94.562 %
        MeanInterval one = summary.numbers[0].mean;
        one.count = 1;
        QCOMPARE(intervalText(summary.number, one), std::string("94.00 %"));
        QCOMPARE(intervalText(summary.number, {}), std::string("–"));
        GroupNumbers numbers;
        QVERIFY(notesOf(numbers).empty());
        numbers.endedEarly = 2;
        numbers.leftOut = { { Message::plain("diverged"), 1 } };
        QCOMPARE(notesOf(numbers).english(), std::string("2 ended early, left out: 1 diverged"));
    }

    void manyComparisonsAreWarnedOf()
    {
        QVERIFY(warningOf(summaryOf({})).empty());
        const GroupSummary many = summaryOf({ .keys = { "seed" } });
        QCOMPARE(many.comparisons.size(), std::size_t { 4 });
        std::vector<RunRecord> runs = seededRuns();
        for (std::int64_t micro : { 8, 16, 64 })
            for (std::uint64_t seed = 1; seed <= 3; ++seed)
                runs.push_back(
                    seededRun(Norm::Group, micro, seed, 0.9 + 0.001 * double(micro * seed % 7)));
        const Message warning = warningOf(summarize(runs, {}, {}));
        QVERIFY2(warning.english().find("These are 6 comparisons") == 0, warning.english().c_str());
    }

    void whereNoGroupHasTwoRunsThatIsSaidOnce()
    {
        std::vector<RunRecord> runs;
        for (const std::int64_t micro : { 8, 16, 32 })
            runs.push_back(seededRun(Norm::Group, micro, 1, 0.9));
        const GroupSummary summary = summarize(runs, {}, {});
        QCOMPARE(summary.comparisons.size(), std::size_t { 2 });
        QCOMPARE(sentencesOf(summary).size(), std::size_t { 1 });
        QVERIFY(sentencesOf(summary)[0].english().find("several seeds") != std::string::npos);
        QCOMPARE(sentencesOf(summaryOf({})).size(), std::size_t { 3 });
    }

    void jsonHasGroupsComparisonsAndImportance()
    {
        const auto json = jsonOf(summaryOf({ .baseline = "norm=batch" }));
        QVERIFY(json.at("by") == nlohmann::ordered_json({ "norm", "b" }));
        const auto& group = json.at("groups").at(0);
        QVERIFY(
            group.at("values") == nlohmann::ordered_json({ { "norm", "batch" }, { "b", 4.0 } }));
        QCOMPARE(group.at("runs").size(), std::size_t { 5 });
        QCOMPARE(group.at("n").get<int>(), 5);
        QVERIFY(std::abs(group.at("low").get<double>() - 0.9343781271420525) < 1e-9);
        const auto& made = json.at("comparisons").at(0);
        QCOMPARE(made.at("group").get<int>(), 2);
        QCOMPARE(made.at("against").get<int>(), 0);
        QVERIFY(made.at("needed").is_null());
        QVERIFY(std::abs(made.at("p").get<double>() - 0.002266628519162326) < 1e-9);
        QVERIFY(made.at("sentence").get<std::string>().find("GroupNorm against BatchNorm at b = 4")
            == 0);
        QCOMPARE(json.at("importance").at(0).at("confounded").size(), std::size_t { 1 }); // b, N
    }

    void oneRunAndNoRunsHaveNothingToCompare()
    {
        QVERIFY(summarize({}, {}, {}).comparisons.empty());
        const GroupSummary one = summarize({ seededRun(Norm::Batch, 4, 1, 0.9) }, {}, {});
        QVERIFY(one.comparisons.empty());
        QCOMPARE(one.numbers.front().mean.count, 1);
    }
};

QTEST_GUILESS_MAIN(TestGroupSummary)
#include "tst_group_summary.moc"
