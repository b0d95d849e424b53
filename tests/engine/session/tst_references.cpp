// SPDX-License-Identifier: Apache-2.0
// Python's torch trains what the engine trains (tests/support/reference.py), and both must arrive
// at the same parameters, buffers and figures: docs/exactness.md.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <optional>

#include <QTemporaryDir>
#include <QTest>

#include "tests/engine/session/pythons_torch.h"
#include "tests/engine/session/reference_rows.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// Greatest relative differences after 20 updates, as docs/exactness.md has them.
constexpr double kFloat64 = 1e-10;
constexpr double kRates = 1e-12; // in any precision
// What a published defect changes is no rounding.
constexpr double kDefect = 1e-3;
// In float32 and bfloat16 the machine gives the bound: how far Python's own trainings of the same
// recipe are apart that only round otherwise. So many times the greatest of all rows, for a kink
// that one training meets another may miss; and so many times the median, for most meet none.
constexpr double kOfTheMachine = 10;

// What is trained is known up to rounding, whose size no formula gives.
bool isRounded(const Experiment& experiment)
{
    return experiment.run.precision != Precision::Float64;
}

// Deep networks magnify rounding the most: they have a bound of their own, so that it is no
// other's.
std::string kindOf(const Experiment& experiment)
{
    if (!isRounded(experiment))
        return "float64";
    const ModelName model = experiment.model.name;
    const bool isDeep = model == ModelName::ResNet18 || model == ModelName::Vgg;
    if (experiment.run.precision == Precision::BFloat16)
        return isDeep ? "bfloat16, deep" : "bfloat16";
    return isDeep ? "float32, deep" : "float32";
}

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

class TestReferences : public QObject {
    Q_OBJECT

private:
    // A greatest value and whose it is.
    struct Greatest {
        double value = 0;
        std::string of;
        void take(double other, const std::string& name)
        {
            if (other >= value)
                *this = { other, name };
        }
    };

    // What both sides made of a training.
    struct Both {
        Experiment experiment;
        Trained start;
        Trained session;
        Trained reference;
        Trained defective {}; // where the training names a defect
        double machine = 0; // between Python's trainings that only round otherwise
    };

    // The trainings of a kind that are rounded: of each how far the engine is from Python, and how
    // far Python is from itself.
    struct Rounded {
        std::vector<double> ours;
        std::vector<double> machine;
    };

    const std::vector<Training> m_combinations = combinationsInEachPrecision();
    const std::vector<Training> m_defects = publishedDefects();
    const std::vector<Training> m_orders = otherOrders();
    QTemporaryDir m_folder;
    PythonsTorch m_python;
    std::map<std::string, Greatest> m_greatest;
    std::map<std::string, Rounded> m_rounded; // by kind
    std::map<std::size_t, Difference> m_roundedRows;

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    // bfloat16 is far from float64 by its eight bits, which the engine and Python share.
    double machineOf(const std::filesystem::path& here, const Both& both)
    {
        const auto apartFrom = [&](const char* variant) {
            return between(m_python.train(here, both.start, { .defect = {}, .variant = variant }),
                both.reference)
                .greatest();
        };
        const bool wide = both.experiment.run.precision != Precision::BFloat16;
        return std::max(apartFrom("reversed"), wide ? apartFrom("float64") : 0);
    }

    Both trainBoth(const Training& training)
    {
        const auto here = folder() / "training";
        const Experiment experiment = experimentOf(training, folder());
        Both both { experiment, writeStart(here, experiment), {}, {} };
        m_python.begin(here, "right");
        both.session = trainBySession(here, experiment, both.start);
        m_python.wait();
        both.reference = readResult(here, "right", both.start);
        if (!training.defect.empty())
            both.defective =
                m_python.train(here, both.start, { .defect = training.defect, .variant = {} });
        else if (isRounded(experiment))
            both.machine = machineOf(here, both);
        std::filesystem::remove_all(here);
        return both;
    }

    void takeGreatest(const Both& both, const Difference& difference, std::size_t row)
    {
        const std::string& name = m_combinations[row].name;
        const std::string kind = kindOf(both.experiment);
        m_greatest[kind].take(difference.greatest(), name);
        m_greatest["learning rates"].take(difference.rates, name);
        if (!isRounded(both.experiment))
            return;
        m_greatest["Python's from itself, " + kind].take(both.machine, name);
        qInfo("%.1e from Python, Python %.1e from itself", difference.greatest(), both.machine);
        m_rounded[kind].ours.push_back(difference.greatest());
        m_rounded[kind].machine.push_back(both.machine);
        m_roundedRows[row] = difference;
    }

    // The session is with the right reference and apart from the wrong one.
    template <typename Measure>
    void requireDifference(const Training& training, Measure Difference::*measure)
    {
        const Both both = trainBoth(training);
        QVERIFY2(both.reference.failure.empty(), both.reference.failure.c_str());
        QCOMPARE(clipsOf(both.reference), training.clips);
        const Difference toRight = between(both.session, both.reference);
        QVERIFY2(toRight.greatest() <= kFloat64, toRight.text().c_str());
        QVERIFY2(both.defective.failure.empty(), both.defective.failure.c_str());
        const Difference toWrong = between(both.session, both.defective);
        QVERIFY2(std::invoke(measure, toWrong) > kDefect, toWrong.text().c_str());
        qInfo("off by %.1e: %s", std::invoke(measure, toWrong), training.defect.c_str());
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString why = m_python.start();
        if (!why.isEmpty())
            QSKIP(qPrintable(why));
    }

    void everyTrainingEqualsPythons_data() { addRows(m_combinations); }

    void everyTrainingEqualsPythons()
    {
        QFETCH(std::size_t, row);
        const Training& training = m_combinations[row];
        const Both both = trainBoth(training);
        QVERIFY2(both.session.failure.empty(), both.session.failure.c_str());
        QVERIFY2(both.reference.failure.empty(), both.reference.failure.c_str());
        QCOMPARE(both.session.samples, both.reference.samples);
        QVERIFY(!both.session.evaluations.empty());
        QCOMPARE(both.session.evaluations.size(), both.reference.evaluations.size());
        QCOMPARE(!both.session.averages.empty(), both.experiment.optimizer.ema > 0);
        QCOMPARE(clipsOf(both.reference), training.clips);
        const Difference difference = between(both.session, both.reference);
        if (!isRounded(both.experiment))
            QVERIFY2(difference.greatest() <= kFloat64, difference.text().c_str());
        QVERIFY(std::isfinite(both.machine)); // otherwise nothing would be held to it
        QVERIFY2(difference.rates <= kRates, difference.text().c_str());
        // A training that changes nothing would equal anything.
        QVERIFY(between(both.session, both.start).parameters > 1e-3);
        takeGreatest(both, difference, row);
    }

    void whatIsRoundedIsWithinTheBoundOfThisMachine_data() { addRows(m_combinations); }

    void whatIsRoundedIsWithinTheBoundOfThisMachine()
    {
        QFETCH(std::size_t, row);
        const auto found = m_roundedRows.find(row);
        if (found == m_roundedRows.end())
            return; // float64, or not trained in this call
        const std::string kind = kindOf(experimentOf(m_combinations[row], folder()));
        const std::vector<double>& machine = m_rounded[kind].machine;
        const double bound = kOfTheMachine * *std::max_element(machine.begin(), machine.end());
        QVERIFY2(found->second.greatest() <= bound,
            (found->second.text() + "; bound " + std::to_string(bound)).c_str());
    }

    // Most trainings are far within that: as close as Python is to itself.
    void halfOfWhatIsRoundedIsAsCloseAsPythonIsToItself()
    {
        if (m_rounded.empty())
            QSKIP("no such training was asked for");
        for (const auto& [kind, rounded] : m_rounded) {
            const double ours = medianOf(rounded.ours);
            const double machine = medianOf(rounded.machine);
            qInfo("median difference, %s: %.1e, of Python from itself: %.1e", kind.c_str(), ours,
                machine);
            QVERIFY(ours <= kOfTheMachine * machine);
        }
    }

    void everyPublishedDefectIsSeen_data() { addRows(m_defects); }

    void everyPublishedDefectIsSeen()
    {
        QFETCH(std::size_t, row);
        requireDifference(m_defects[row], &Difference::parameters);
    }

    void anUpdateInAnotherOrderIsSeen_data() { addRows(m_orders); }

    void anUpdateInAnotherOrderIsSeen()
    {
        QFETCH(std::size_t, row);
        requireDifference(m_orders[row], &Difference::greatest);
    }

    // A key that changes what is trained, and that the reference has never heard of.
    void theReferenceRefusesARecipeThatItDoesNotKnow()
    {
        const auto here = folder() / "unknown";
        writeStart(here, experimentOf(m_combinations.front(), folder()));
        std::ofstream(here / "recipe.toml", std::ios::app) << "\n[magic]\nwand = true\n";
        const std::string failure = m_python.train(here, {}, {}).failure;
        QVERIFY2(failure.find("magic.wand") != std::string::npos, failure.c_str());
    }

    void cleanupTestCase()
    {
        m_python.end();
        for (const auto& [kind, greatest] : m_greatest)
            qInfo("greatest difference, %s: %.1e (%s)", kind.c_str(), greatest.value,
                greatest.of.c_str());
    }
};

QTEST_GUILESS_MAIN(TestReferences)
#include "tst_references.moc"
