// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_axis.h"

#include <QtTest>

#include <cmath>
#include <set>

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"

using namespace accrue;

namespace {

SweepAxis axisOf(const char* text)
{
    const ParsedAxis parsed = parseAxis(text);
    if (!parsed.axis)
        qFatal("%s: %s", text, parsed.problems.front().message.english().c_str());
    return *parsed.axis;
}

QStringList textsOf(const std::vector<SettingValue>& values)
{
    QStringList texts;
    for (const SettingValue& value : values)
        texts << QString::fromStdString(settingText(value));
    return texts;
}

QStringList gridOf(const char* text)
{
    return textsOf(gridValues(axisOf(text)));
}

double numberOf(const SettingValue& value)
{
    return std::holds_alternative<double>(value)
        ? std::get<double>(value)
        : static_cast<double>(std::get<std::int64_t>(value));
}

} // namespace

class TestSweepAxis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aListHasItsValuesInTheirOrder_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("values");
        const auto row = [](const char* text, const QStringList& values) {
            QTest::newRow(text) << QByteArray(text) << values;
        };
        row("batch.micro=8,16,32", { "8", "16", "32" });
        row("batch.micro= 8 , 16", { "8", "16" });
        row("model.norm=batch,group", { "batch", "group" });
        row("optimizer.lr=0.1", { "0.1" });
        row("optimizer.nesterov=true,false", { "true", "false" });
        row("run.evaluate_every=1 epoch,500 steps", { "1 epoch", "500 steps" });
        row("memory.budget=1GiB,none", { "1GiB", "none" });
        row("batch.steps=auto,4", { "auto", "4" });
    }
    void aListHasItsValuesInTheirOrder()
    {
        QFETCH(QByteArray, text);
        QTEST(gridOf(text.constData()), "values");
    }

    void commasWithinBracketsAndQuotesBelongToAValue_data()
    {
        aRowForEach({ { "model.widths=[512,256],[256]", { "512, 256", "256" } },
            { "model.widths=\"512, 256\",64", { "512, 256", "64" } },
            { "data.augment=[\"crop:4\",\"flip\"],[]", { "crop:4, flip", "" } },
            { "batch.schedule=[{from_epoch=0,steps=1},{from_epoch=4,steps=4}],[]",
                { "1 from epoch 0, 4 from epoch 4", "" } },
            { "data.path=\"a, b\",it's,../e..f", { "a, b", "it's", "../e..f" } } });
    }
    void commasWithinBracketsAndQuotesBelongToAValue() { compareRow(); }

    void aLinearRangeHasEqualDistances_data()
    {
        aRowForEach(
            { { "optimizer.lr=0.01..0.1:5", { "0.01", "0.0325", "0.055", "0.0775", "0.1" } },
                { "optimizer.momentum=0..1:4", { "0", "0.3333", "0.6667", "1" } },
                { "optimizer.lr=1e-3..2e-3:3", { "0.001", "0.0015", "0.002" } },
                { "data.validation=100..500:3", { "100", "300", "500" } },
                { "data.validation=0.1..0.3:3", { "0.1", "0.2", "0.3" } } });
    }
    void aLinearRangeHasEqualDistances() { compareRow(); }

    void aLogarithmicRangeHasEqualRatios_data()
    {
        aRowForEach({ { "optimizer.lr=0.001..1:4log", { "0.001", "0.01", "0.1", "1" } },
            { "batch.micro=8..64:4log", { "8", "16", "32", "64" } },
            { "batch.micro=1..4:7log", { "1", "2", "3", "4" } } });
    }
    void aLogarithmicRangeHasEqualRatios() { compareRow(); }

    void aLogarithmicRangeAgreesWithItsFormula()
    {
        const std::vector<SettingValue> values = gridValues(axisOf("optimizer.lr=3e-4..0.7:13log"));
        QCOMPARE(values.size(), 13U);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = 3e-4 * std::pow(0.7 / 3e-4, static_cast<double>(i) / 12);
            QVERIFY(std::abs(numberOf(values[i]) - expected) <= 5e-4 * expected);
        }
    }

    void manyNumbersHaveAsManyDigitsAsTheyNeed()
    {
        for (const char* text :
            { "optimizer.momentum=0..1:10000", "optimizer.lr=1..1.001:5000log" }) {
            const QStringList values = gridOf(text);
            QCOMPARE(std::set<QString>(values.begin(), values.end()).size(),
                static_cast<std::size_t>(values.size()));
        }
    }

    void wholeNumbersNeedNoCount_data()
    {
        aRowForEach({ { "run.seed=1..5", { "1", "2", "3", "4", "5" } },
            { "batch.micro=1..9:3", { "1", "5", "9" } },
            { "batch.micro=1..3:9", { "1", "2", "3" } } });
    }
    void wholeNumbersNeedNoCount() { compareRow(); }

    void anAxisReadsBackAsItIsWritten_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
            { "batch.micro=8,16,32", "model.widths=[512,256],[256]", "data.path=\"a, b\",it's",
                "optimizer.lr=0.01..0.1:5", "optimizer.lr=0.001..1:4log",
                "optimizer.lr=0.001..1:log", "run.seed=1..5", "optimizer.lr=0.1..0.2",
                "data.augment=[\"crop:4\",\"flip\"],[]", "data.path=\"a, , ,c" })
            QTest::newRow(text) << QByteArray(text);
    }
    void anAxisReadsBackAsItIsWritten()
    {
        QFETCH(QByteArray, text);
        const SweepAxis axis = axisOf(text.constData());
        QCOMPARE(axisOf(key::assignment(axis.key, textOf(axis)).c_str()), axis);
    }

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(message);
        };
        const char* noRange = ", which is no range; allowed: FROM..TO, FROM..TO:COUNT or "
                              "FROM..TO:COUNTlog, such as 0.001..0.1:5log, with FROM below TO.";
        const auto wrongRange = [&](const char* key, const char* range) {
            row((std::string(key) + "=" + range).c_str(),
                (std::string(key) + " is " + range + noRange).c_str());
        };
        row("batch.micro", "batch.micro is not KEY=VALUES, such as batch.micro=8,16,32.");
        row("=8", "=8 is not KEY=VALUES, such as batch.micro=8,16,32.");
        row("batch.mirco=8,16", "batch.mirco is an unknown key; did you mean batch.micro?");
        row("batch.micro=",
            "batch.micro has an empty value; allowed: values with one comma between "
            "them, empty text as \"\".");
        row("batch.micro=8,,16",
            "batch.micro has an empty value; allowed: values with one comma "
            "between them, empty text as \"\".");
        row("batch.micro=8,no",
            "batch.micro is no; allowed: whole number from 1 to 1000000000, or auto.");
        row("optimizer.lr=0.1,-1", "optimizer.lr is -1.0; allowed: number above 0, at most 1e9.");
        row("optimizer.lr=0.1..0.2:3,0.5",
            "optimizer.lr has the range 0.1..0.2:3 beside other values; "
            "allowed: one range alone, or a list of values.");
        row("optimizer.lr=0..1:3log",
            "optimizer.lr is 0..1:3log; allowed: a logarithmic range that begins above 0.");
        row("optimizer.lr=0.1..0.2:1",
            "optimizer.lr is 0.1..0.2:1; allowed: ranges of 2 to 10 000 numbers.");
        row("optimizer.lr=0.1..0.2:10001",
            "optimizer.lr is 0.1..0.2:10001; allowed: ranges of 2 to 10 000 numbers.");
        row("optimizer.lr=0..1:3", "optimizer.lr is 0.0; allowed: number above 0, at most 1e9.");
        row("batch.micro=0.5..8:3",
            "batch.micro is 0.5; allowed: whole number from 1 to 1000000000, or auto.");
        for (const char* range : { "0.2..0.1", "0.1..0.1", "0.1..x", "0.1..", "0.1..0.2:",
                 "0.1..0.2:x", "0.1..0.2:3logs", "0.1..0.2:99999999999999999999", "0.1..inf" })
            wrongRange("optimizer.lr", range);
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(QByteArray, text);
        const ParsedAxis parsed = parseAxis(text.constData());
        QVERIFY(!parsed.axis);
        QCOMPARE(parsed.problems.size(), 1U);
        QTEST(QString::fromStdString(parsed.problems.front().message.english()), "message");
    }

    void anyTextIsReadOrRefused()
    {
        CounterRandom random(1, 2);
        const std::string letters = "0189.,:[]{}\"'=log -+e\\\xff\n";
        for (int i = 0; i < 20'000; ++i) {
            std::string text = random.below(2) == 0 ? "optimizer.lr=" : "model.widths=";
            for (std::uint32_t more = random.below(12); more > 0; --more)
                text += letters[random.below(static_cast<std::uint32_t>(letters.size()))];
            const ParsedAxis parsed = parseAxis(text);
            QCOMPARE(parsed.axis.has_value(), parsed.problems.empty());
            if (parsed.axis)
                QVERIFY2(checkAxis(*parsed.axis).empty(), text.c_str());
        }
    }

    void randomValuesAreAlikeForOneSeed()
    {
        const SweepAxis axis = axisOf("optimizer.lr=0.001..1:log");
        CounterRandom one(7, 1), same(7, 1), other(8, 1);
        const SettingValue first = drawnValue(axis, one);
        QCOMPARE(first, drawnValue(axis, same));
        QVERIFY(first != drawnValue(axis, other));
    }

    // Of 4,000 draws a tenth of the range has 400 ± 19.
    void randomNumbersAreUniformInTheirRange_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::newRow("linear") << QByteArray("optimizer.lr=0.5..3.5") << false;
        QTest::newRow("with a count") << QByteArray("optimizer.lr=0.5..3.5:2") << false;
        QTest::newRow("logarithmic") << QByteArray("optimizer.lr=1e-5..10:log") << true;
        QTest::newRow("whole") << QByteArray("run.epochs=1..1000") << false;
    }
    void randomNumbersAreUniformInTheirRange()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isLogarithmic);
        const SweepAxis axis = axisOf(text.constData());
        const auto scaled = [&](double x) { return isLogarithmic ? std::log(x) : x; };
        const double from = scaled(axis.range->from), to = scaled(axis.range->to);
        std::vector<int> tenths(10);
        CounterRandom random(1, 1);
        for (int i = 0; i < 4000; ++i) {
            const double number = numberOf(drawnValue(axis, random));
            QVERIFY(number >= axis.range->from && number <= axis.range->to);
            const double share = (scaled(number) - from) / (to - from);
            ++tenths[static_cast<std::size_t>(std::min(share * 10, 9.0))];
        }
        for (const int count : tenths)
            QVERIFY2(std::abs(count - 400) < 100, std::to_string(count).c_str());
    }

    void randomFractionsHaveFourDigits()
    {
        const SweepAxis axis = axisOf("optimizer.lr=0.001..1:log");
        CounterRandom random(3, 3);
        for (int i = 0; i < 100; ++i) {
            const std::string text = settingText(drawnValue(axis, random));
            const std::size_t first = text.find_first_not_of("0.");
            QVERIFY2(text.size() - first <= 4, text.c_str());
        }
    }

    void sizesAreKnownWithoutAnExpansion()
    {
        QCOMPARE(gridSize(axisOf("run.seed=1..1000000000")), 1'000'000'000);
        QCOMPARE(drawnSize(axisOf("run.seed=1..1000000000")), 1'000'000'000);
        QCOMPARE(gridSize(axisOf("optimizer.lr=0.1..0.2")), 0);
        QVERIFY(!drawnSize(axisOf("optimizer.lr=0.1..0.2:3")));
        QCOMPARE(drawnSize(axisOf("batch.micro=8,8,16")), 2);
    }

private:
    using Rows = std::vector<std::pair<const char*, QStringList>>;
    static void aRowForEach(const Rows& rows)
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("values");
        for (const auto& [text, values] : rows)
            QTest::newRow(text) << QByteArray(text) << values;
    }
    static void compareRow()
    {
        QFETCH(QByteArray, text);
        QTEST(gridOf(text.constData()), "values");
    }
};

QTEST_GUILESS_MAIN(TestSweepAxis)
#include "tst_sweep_axis.moc"
