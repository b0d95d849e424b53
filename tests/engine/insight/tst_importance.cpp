// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/importance.h"

#include "engine/base/format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;
using Texts = std::vector<std::string>;

namespace {

ImportanceKey::Value word(const std::string& text)
{
    return { text };
}

ImportanceKey::Value number(double value)
{
    return { formatNumber(value), value };
}

// Values in -1 … 1 without a pattern.
double noise(std::size_t i)
{
    const double x = std::sin(12.9898 * static_cast<double>(i + 1)) * 43758.5453;
    return 2 * (x - std::floor(x)) - 1;
}

// b 8, 16, 32 × two norms × four rates × five seeds. The norm moves the accuracy by `ofNorm`, b by
// `ofMicro` for each doubling; the rate does nothing.
struct Sweep {
    std::vector<double> accuracy {};
    ImportanceKey norm { "norm" };
    ImportanceKey micro { "b" };
    ImportanceKey steps { "N" }; // keeps b × N
    ImportanceKey rate { "lr" };
    ImportanceKey seed { "seed" };

    std::vector<ImportanceKey> keys() const { return { rate, seed, micro, norm }; }
};

Sweep sweep(double ofNorm, double ofMicro)
{
    Sweep made;
    for (const int micro : { 8, 16, 32 })
        for (const int norm : { 0, 1 })
            for (const double rate : { 0.01, 0.02, 0.05, 0.1 })
                for (int seed = 1; seed <= 5; ++seed) {
                    made.accuracy.push_back(0.9 + ofNorm * norm + ofMicro * std::log2(micro / 8)
                        + 0.01 * noise(made.accuracy.size()));
                    made.norm.values.push_back(word(norm == 0 ? "batch" : "group"));
                    made.micro.values.push_back(number(micro));
                    made.steps.values.push_back(number(256.0 / micro));
                    made.rate.values.push_back(number(rate));
                    made.seed.values.push_back(number(seed));
                }
    return made;
}

Texts namesOf(const std::vector<KeyImportance>& found)
{
    Texts names;
    for (const KeyImportance& each : found)
        names.push_back(each.key);
    return names;
}

} // namespace

class TestImportance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlantedEffectIsFound()
    {
        const Sweep made = sweep(0.03, 0.004);
        const auto found = importanceOf(made.accuracy, made.keys());
        QCOMPARE(found.front().key, std::string("norm"));
        QVERIFY(found.front().effect.omega > 0.75);
        QVERIFY(found.front().effect.low > 0.5 && found.front().effect.high < 1);
        QCOMPARE(found.front().effect.count, 120);
        QCOMPARE(found[1].key, std::string("b"));
        QVERIFY(found[1].effect.omega < 0.1);
        for (const KeyImportance& each : found)
            QVERIFY2(each.confounded.empty(), each.key.c_str());
    }

    void ofWhatDoesNothingTheIntervalBeginsAtZero()
    {
        const Sweep made = sweep(0.03, 0);
        for (const KeyImportance& each : importanceOf(made.accuracy, made.keys())) {
            const bool isPlanted = each.key == "norm";
            QCOMPARE(each.effect.low > 0, isPlanted);
            QCOMPARE(each.effect.p < 0.001, isPlanted);
        }
    }

    void keysThatMoveTogetherAreConfounded()
    {
        const Sweep made = sweep(0, 0.03);
        auto keys = made.keys();
        keys.push_back(made.steps);
        const auto found = importanceOf(made.accuracy, keys);
        QCOMPARE(namesOf(found)[0], std::string("b"));
        QCOMPARE(namesOf(found)[1], std::string("N"));
        QCOMPARE(found[0].confounded, Texts { "N" });
        QCOMPARE(found[1].confounded, Texts { "b" });
        QCOMPARE(found[0].effect.eta, found[1].effect.eta);
        QVERIFY(found[2].confounded.empty());
    }

    void theGroupsOfNumbersAreInTheirOrder()
    {
        const Sweep made = sweep(0.03, 0);
        const auto found = importanceOf(made.accuracy, { made.rate, made.micro });
        for (const KeyImportance& each : found)
            QCOMPARE(each.groups,
                each.key == "b" ? (Texts { "8", "16", "32" })
                                : (Texts { "0.01", "0.02", "0.05", "0.1" }));
    }

    // A random search has another value in each run.
    void numbersThatAreAllDifferentAreGroupedByRange()
    {
        std::vector<double> loss;
        ImportanceKey rate { "lr" };
        ImportanceKey idle { "decay" };
        for (std::size_t i = 0; i < 40; ++i) {
            const double exponent = -4 + 3 * (noise(i) + 1) / 2;
            rate.values.push_back(number(std::pow(10, exponent)));
            idle.values.push_back(number(noise(i + 1000)));
            loss.push_back(std::abs(exponent + 2) + 0.05 * noise(i + 500));
        }
        const auto found = importanceOf(loss, { idle, rate });
        QCOMPARE(namesOf(found), (Texts { "lr", "decay" }));
        QVERIFY(found[0].isRanges);
        QCOMPARE(found[0].groups.size(), std::size_t { 4 });
        QVERIFY2(found[0].groups[0].find(" – ") != std::string::npos, found[0].groups[0].c_str());
        QVERIFY(found[0].effect.low > 0.4);
        QVERIFY(found[1].effect.low == 0);
    }

    void wordsThatAreAllDifferentExplainNothing()
    {
        ImportanceKey file { "file" };
        for (const char* name : { "a", "b", "c", "d", "e" })
            file.values.push_back(word(name));
        const auto found = importanceOf({ 1, 2, 3, 4, 5 }, { file });
        QCOMPARE(found.size(), std::size_t { 1 });
        QVERIFY(std::isnan(found[0].effect.omega)); // every word has one run
    }

    void whatDoesNotDifferAndWhatHasNoValueIsLeftOut()
    {
        Sweep made = sweep(0.03, 0);
        ImportanceKey same { "data" };
        same.values.assign(made.accuracy.size(), word("mnist"));
        QVERIFY(importanceOf(made.accuracy, { same }).empty());
        for (std::size_t i = 0; i < made.accuracy.size(); ++i)
            if (made.norm.values[i].text == "group")
                made.accuracy[i] = NAN;
        const auto found = importanceOf(made.accuracy, made.keys());
        QCOMPARE(found.size(), std::size_t { 3 }); // one norm is left
        QCOMPARE(found[0].effect.count, 60);
        QVERIFY(importanceOf({}, { { "b" } }).empty());
        QVERIFY(importanceOf({ NAN }, { { "b", { number(1) } } }).empty());
    }
};

QTEST_GUILESS_MAIN(TestImportance)
#include "tst_importance.moc"
