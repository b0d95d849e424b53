// SPDX-License-Identifier: Apache-2.0
#include "engine/report/budget_fit.h"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/report/law_store.h"
#include "tests/support/fake_engine.h"

using namespace accrue;
namespace fs = std::filesystem;

namespace {

Experiment changed(const std::string& setting)
{
    Experiment experiment;
    if (hasErrors(applySetting(experiment, setting)))
        throw std::invalid_argument(setting);
    return experiment;
}

} // namespace

class TestBudgetFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
    }

    void aKnownLawIsNotMeasuredAgain()
    {
        FakeEngine engine;
        RunControl control;
        const Experiment experiment = changed("memory.budget=16MiB");
        const MemoryFit first = provedFit(engine, { experiment, {} }, control, {});
        QVERIFY(isProvedFor(first, std::int64_t { 16 } << 20));
        QVERIFY(provedFit(engine, { experiment, {} }, control, {}) == first);
        QCOMPARE(engine.fits(), 1);
        provedFit(engine, { changed("memory.budget=17MiB"), {} }, control, {});
        QCOMPARE(engine.fits(), 2);
    }

    void oneThatWasStoppedIsNotKept()
    {
        FakeEngine engine;
        RunControl control;
        control.requestStop();
        QVERIFY(provedFit(engine, { changed("memory.budget=16MiB"), {} }, control, {}).stopped);
        QVERIFY(!fs::exists(lawDirectory()));
    }

    void anExperimentThatFollowsItsBudgetIsSolved()
    {
        FakeEngine engine;
        RunControl control;
        const auto fitted = [&](const std::vector<std::string>& settings) {
            Experiment experiment;
            for (const std::string& setting : settings)
                applySetting(experiment, setting);
            return fittedToBudget(engine, requireResolved(experiment), {}, control, {});
        };
        const FittedExperiment solved =
            fitted({ "batch.effective=512", "batch.micro=auto", "memory.budget=16MiB" });
        QCOMPARE(solved.largest, 177);
        QVERIFY(solved.resolved.experiment.batch.micro == BatchNumber::given(171));
        QVERIFY(solved.fit.problem.empty());
        const FittedExperiment none =
            fitted({ "batch.effective=512", "batch.micro=auto", "memory.budget=1MiB" });
        QCOMPARE(none.largest, 0);
        QCOMPARE(none.fit.problem.english(), std::string("Not one sample fits the budget."));
        const FittedExperiment given = fitted({ "batch.micro=512", "memory.budget=16MiB" });
        QCOMPARE(given.largest, 0);
        QVERIFY(given.resolved.experiment.batch.micro == BatchNumber::given(512));
        QVERIFY(given.fit.problem.empty());
        QCOMPARE(engine.fits(), 2);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestBudgetFit)
#include "tst_budget_fit.moc"
