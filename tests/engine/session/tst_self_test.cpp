// SPDX-License-Identifier: Apache-2.0
#include "engine/session/self_test.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "engine/accelerator/devices.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/session/update_checks.h"
#include "tests/support/accelerator_device.h"

using namespace accrue;

class TestSelfTest : public QObject {
    Q_OBJECT

private:
    static std::vector<SelfTestRow> run(const std::string& device, const QTemporaryDir& scratch)
    {
        return runSelfTest(device, scratch.path().toStdString());
    }

    static void assertPassed(const std::vector<SelfTestRow>& rows)
    {
        QCOMPARE(rows.size(), splitChecks().size() + deviceChecks().size() + 3);
        for (const SelfTestRow& row : rows)
            QVERIFY2(row.passed || row.skipped,
                (row.check.english() + ": " + row.measured.english()).c_str());
    }

    // Of the runs that a row trains.
    static std::vector<std::string> recipesIn(const std::filesystem::path& folder)
    {
        std::vector<std::string> recipes;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().filename() == "checkpoint.toml")
                recipes.push_back(readCheckpoint(entry.path().parent_path()).recipe);
        return recipes;
    }

    QTemporaryDir m_scratch; // of the run on the CPU
    std::vector<SelfTestRow> m_rows;

private Q_SLOTS:
    void initTestCase() // as in a process that computes differently, and continues to do so
    {
        acceleratorDevice();
        at::globalContext().setAllowTF32CuDNN(true);
        at::globalContext().setBenchmarkCuDNN(true);
        at::set_num_threads(1);
        m_rows = run("cpu", m_scratch);
    }

    void theProcessComputesAfterwardsAsBefore()
    {
        QVERIFY(at::globalContext().allowTF32CuDNN());
        QVERIFY(at::globalContext().benchmarkCuDNN());
        QVERIFY(!at::globalContext().deterministicAlgorithms());
        QCOMPARE(at::get_num_threads(), 1);
    }

    void passesOnEveryDeviceOfThisMachine()
    {
        assertPassed(m_rows);
        for (const DeviceInfo& device : listDevices()) {
            const QTemporaryDir scratch;
            if (device.id != "cpu")
                assertPassed(run(device.id, scratch));
        }
    }

    void rowsThatNeedAnotherDeviceAreSkippedOnTheCpuWithAReason()
    {
        std::size_t skipped = 0;
        for (const SelfTestRow& row : m_rows) {
            skipped += row.skipped ? 1U : 0U;
            QVERIFY(!row.skipped || row.measured.english() == "the device is the CPU itself");
        }
        QCOMPARE(skipped, deviceChecks().size() + 1); // and the gather kernel
    }

    void theRowOfDeterministicAlgorithmsTrainsWithThem()
    {
        for (const char* run : { "first", "second" }) {
            const std::filesystem::path folder = m_scratch.path().toStdString();
            const std::vector<std::string> recipes = recipesIn(folder / run);
            QVERIFY(!recipes.empty());
            for (const std::string& recipe : recipes)
                QVERIFY2(recipe.find("deterministic = true") != std::string::npos, recipe.c_str());
        }
    }

    void deviceThatIsNotThereIsARowThatFailed()
    {
        const QTemporaryDir scratch;
        const auto rows = run("cuda:63", scratch);
        QCOMPARE(rows.size(), std::size_t { 1 });
        QVERIFY(!rows.front().passed && !rows.front().skipped);
        QVERIFY(rows.front().measured.english().find("cuda:63") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSelfTest)
#include "tst_self_test.moc"
