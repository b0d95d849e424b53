// SPDX-License-Identifier: Apache-2.0
#include "ui/run/fit_controller.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "engine/report/law_store.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

FitRequest request(std::optional<std::int64_t> budget = {})
{
    FitRequest request { .experiment = {}, .dataDirectories = {}, .alsoSteps = true };
    if (budget)
        request.experiment.memory.budget = Bytes { *budget };
    return request;
}

} // namespace

class TestFitController : public QObject {
    Q_OBJECT
private:
    using State = FitController::State;

    static std::optional<MemoryFit> stored()
    {
        return storedFit(lawDirectory(), request().experiment, { "cpu" });
    }
    static MemoryFit told(const QSignalSpy& ended) { return ended.at(0).at(0).value<MemoryFit>(); }

    // A fit that waits before its second window.
    void startHeldFit(FitController& controller) const
    {
        engine().setOptions({ .held = true });
        engine().allowSteps(1);
        controller.start(request());
        QTRY_COMPARE(controller.progress().windows, 1);
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        engine().setOptions({});
        setEngineForTesting(&engine());
    }

    void aFitIsMeasuredOffTheGuiThreadAndStored()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QCOMPARE(controller.state(), State::Measuring); // before the engine is loaded
        QCOMPARE(controller.progress().micro, std::int64_t { 0 });
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(controller.state(), State::Idle);
        QVERIFY(told(ended).problem.empty());
        QCOMPARE(told(ended).steps.size(), std::size_t { 6 });
        QCOMPARE(ended.at(0).at(1).toString(), QString());
        QVERIFY(stored() == told(ended));
    }

    void eachWindowIsTold()
    {
        EngineHost host;
        FitController controller(host);
        std::vector<std::int64_t> sizes;
        connect(&controller, &FitController::progressed, this,
            [&] { sizes.push_back(controller.progress().micro); });
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(sizes, (std::vector<std::int64_t> { 32, 64, 128, 256 }));
    }

    void aFitThatIsStoppedKeepsNothing()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        startHeldFit(controller);
        controller.stop();
        QCOMPARE(controller.state(), State::Stopping);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(told(ended).stopped);
        QVERIFY(!stored());
        QVERIFY(!QFile::exists(QString::fromStdString(lawDirectory().string())));
    }

    void aFitThatIsStoppedLeavesAnOlderLaw()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QTRY_COMPARE(ended.count(), 1);
        startHeldFit(controller);
        controller.stop();
        QTRY_COMPARE(ended.count(), 2);
        QVERIFY(stored() == told(ended));
    }

    void aSecondStartWhileOneMeasuresIsIgnored()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        const int before = engine().fits();
        startHeldFit(controller);
        controller.start(request());
        engine().allowSteps(3);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(engine().fits(), before + 1);
    }

    void whatWasMeasuredBeforeItMeasuresAgain()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        const int before = engine().fits();
        for (int fit = 1; fit <= 2; ++fit) {
            controller.start(request());
            QTRY_COMPARE(ended.count(), fit);
        }
        QCOMPARE(engine().fits(), before + 2);
    }

    // The memory model that explains it is known all the same.
    void aBudgetThatIsTooSmallIsAProblemWithALaw()
    {
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request(1'000'000));
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(told(ended).problem.english(), std::string("Not one sample fits the budget."));
        QVERIFY(stored());
    }

    void aFitThatFailsSaysWhyAndKeepsNothing()
    {
        engine().setOptions({ .failToStart = true });
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!told(ended).problem.empty());
        QVERIFY(!stored());
    }

    void aLawThatCannotBeStoredIsToldWithTheReason()
    {
        std::filesystem::create_directories(lawDirectory().parent_path());
        // A file in place of the folder
        QFile file(QString::fromStdString(lawDirectory().string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!told(ended).law.lines.empty());
        QVERIFY(ended.at(0).at(1).toString().contains(file.fileName()));
    }

    void aMissingEngineIsTheProblem()
    {
        setEngineForTesting(nullptr);
        qputenv("ACCRUE_ENGINE", "/nowhere/libaccrue_engine.so");
        EngineHost host;
        FitController controller(host);
        QSignalSpy ended(&controller, &FitController::ended);
        controller.start(request());
        QTRY_COMPARE(ended.count(), 1);
        qunsetenv("ACCRUE_ENGINE");
        QVERIFY(!told(ended).problem.empty());
        QVERIFY(told(ended).machine);
        QCOMPARE(controller.state(), State::Idle);
    }

    void theEndOfTheControllerStopsItsFit()
    {
        EngineHost host;
        {
            FitController controller(host);
            startHeldFit(controller);
        }
        QVERIFY(!stored());
        FitController next(host); // the engine is free
        engine().setOptions({});
        QSignalSpy ended(&next, &FitController::ended);
        next.start(request());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(stored());
    }
};

QTEST_GUILESS_MAIN(TestFitController)
#include "tst_fit_controller.moc"
