// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/number_columns.h"

#include "engine/experiment/key_names.h"
#include "tests/ui/models/run_records.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <QTest>

using namespace accrue;

namespace {

using Values = std::vector<std::optional<double>>;

// Two of Accrue's runs, and one of a script, which has settings and metrics of its own.
std::vector<RunRecord> threeRuns()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2), recordOf(3) };
    runs[1].experiment.optimizer.lr = 0.2;
    runs[1].peakBytes = 0; // not measured
    runs[1].bestTestAccuracy = std::numeric_limits<double>::quiet_NaN();
    runs[2].source = RunSource::Script;
    runs[2].bestTestAccuracy.reset();
    runs[2].settings = { { "lr", 0.3 }, { "dropout", 0.5 }, { "note", std::string("new") },
        { "layers", std::int64_t { 4 } }, { "time", 7.0 } };
    return runs;
}

std::vector<RunSummaries> summariesOfTwo()
{
    return {
        { RunId { 1 },
            { { "test_accuracy", 0.97, 0.98, 40, 0.1, 0.98 }, { "noise", 3, 2, 10, 2, 9 },
                { "step_ms", 4, 3, 10, 3, 8 } },
            {} },
        { RunId { 3 }, { { "test_accuracy", 0.9, 0.95, 20, 0.2, 0.95 } }, {} },
    };
}

std::vector<NumberColumn> allNumbers()
{
    return numbersOf(threeRuns(), summariesOfTwo());
}

Values valuesOf(const char* name)
{
    const std::vector<NumberColumn> numbers = allNumbers();
    const NumberColumn* found = findNumber(numbers, name);
    return found != nullptr ? found->values : Values {};
}

} // namespace

class TestNumberColumns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRunHasItsValueOrNone()
    {
        QCOMPARE(valuesOf("accuracy"), (Values { 0.98, {}, {} })); // NaN is none
        QCOMPARE(valuesOf("memory"), (Values { double(200 << 20), {}, double(200 << 20) }));
        QCOMPARE(valuesOf("time"), (Values { 12.5, 12.5, 12.5 }));
        QCOMPARE(valuesOf("id"), (Values { 1, 2, 3 }));
        QCOMPARE(valuesOf("test_accuracy:best"), (Values { 0.98, {}, 0.95 }));
        QCOMPARE(valuesOf("noise:max"), (Values { 9, {}, {} }));
    }

    void settingsOfOtherProgramsAreNumbersToo()
    {
        QCOMPARE(valuesOf(key::optimizerLr),
            (Values { threeRuns()[0].experiment.optimizer.lr, 0.2, 0.3 })); // spelled lr there
        QCOMPARE(valuesOf("dropout"), (Values { {}, {}, 0.5 }));
        QCOMPARE(valuesOf("layers"), (Values { {}, {}, 4 }));
        QCOMPARE(valuesOf("setting.time"), (Values { {}, {}, 7 })); // not how long it trained
        QCOMPARE(valuesOf("note"), Values {}); // no number
        QCOMPARE(valuesOf("model.norm"), Values {});
    }

    void aSettingThatTheRunDoesNotReadIsNone()
    {
        QVERIFY(!valuesOf("optimizer.momentum").empty()); // of SGD
        QCOMPARE(valuesOf("optimizer.beta1"), Values {}); // of Adam
    }

    void theExtremeThatIsTheBestIsOfferedOnce()
    {
        QVERIFY(!valuesOf("test_accuracy:min").empty());
        QCOMPARE(valuesOf("test_accuracy:max"), Values {});
        QVERIFY(!valuesOf("step_ms:max").empty());
        QCOMPARE(valuesOf("step_ms:min"), Values {});
        QVERIFY(!valuesOf("noise:min").empty()); // nobody knows which one is better
        QCOMPARE(valuesOf("noise:best"), Values {});
    }

    void resultsComeFirstAndSettingsLast()
    {
        const std::vector<NumberColumn> numbers = allNumbers();
        QCOMPARE(numbers.front().number.name, std::string("accuracy"));
        QCOMPARE(numbers[1].number.name, std::string("test_accuracy:final"));
        for (std::size_t i = 1; i < numbers.size(); ++i)
            QVERIFY(numbers[i - 1].kind <= numbers[i].kind);
        QVERIFY(findNumber(numbers, "step_ms:final")->kind == NumberColumn::Kind::Cost);
        QVERIFY(findNumber(numbers, "noise:final")->kind == NumberColumn::Kind::Result);
        QVERIFY(numbers.back().kind == NumberColumn::Kind::Setting);
    }

    void everyNumberReadsWhatItsColumnHas()
    {
        const std::vector<RunRecord> runs = threeRuns();
        const std::vector<RunSummaries> summaries = summariesOfTwo();
        std::set<std::string> names;
        for (const NumberColumn& each : allNumbers()) {
            QVERIFY2(names.insert(each.number.name).second, each.number.name.c_str());
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const auto& logged = summariesOf(summaries, runs[i].id);
                if (each.values[i])
                    QCOMPARE(each.number.value(runs[i], logged), each.values[i]);
            }
        }
    }

    void titlesAreThoseOfTheForm()
    {
        const std::vector<NumberColumn> numbers = allNumbers();
        const auto titleOf = [&](const char* name) {
            return findNumber(numbers, name)->number.title.english();
        };
        QCOMPARE(titleOf("batch.micro"), std::string("Micro-batch b"));
        QCOMPARE(titleOf("step"), std::string("Updates"));
        QCOMPARE(titleOf("dropout"), std::string("dropout"));
        QCOMPARE(titleOf("test_accuracy:best"), std::string("Test accuracy, best"));
    }

    void equalValuesDoNotDiffer()
    {
        const std::vector<NumberColumn> numbers = allNumbers();
        QVERIFY(findNumber(numbers, "optimizer.lr")->differs());
        QVERIFY(!findNumber(numbers, "time")->differs());
        QVERIFY(!findNumber(numbers, "dropout")->differs()); // one run has it
    }

    void noRunsHaveNoNumbers()
    {
        QVERIFY(numbersOf({}, {}).empty());
        const std::vector<NumberColumn> queued = numbersOf({ recordOf(4) }, {});
        QVERIFY(findNumber(queued, "accuracy") != nullptr); // of the record alone
    }
};

QTEST_GUILESS_MAIN(TestNumberColumns)
#include "tst_number_columns.moc"
