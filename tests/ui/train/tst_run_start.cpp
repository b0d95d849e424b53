// SPDX-License-Identifier: Apache-2.0
#include "ui/train/run_start.h"

#include "tests/support/fake_engine.h"
#include "ui/draft/experiment_draft.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

} // namespace

class TestRunStart : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<ExperimentDraft> m_draft;
    std::unique_ptr<QWidget> m_page;
    RunStart* m_start = nullptr; // the page's

private Q_SLOTS:
    void init()
    {
        qputenv("XDG_DATA_HOME", m_folder.path().toLocal8Bit());
        engine().setOptions({ .stepTime = std::chrono::milliseconds(1) });
        setEngineForTesting(&engine());
        m_backend = std::make_unique<Backend>(m_folder.path().toStdString() + "/runs.db");
        m_draft = std::make_unique<ExperimentDraft>();
        m_page = std::make_unique<QWidget>();
        m_start = new RunStart(*m_backend, *m_draft, *m_page);
        m_start->surroundings().lookForData();
        m_backend->engine.load();
        Experiment digits;
        digits.name = "digits";
        digits.data.name = DataName::Digits;
        m_draft->begin(digits);
    }

    void cleanup()
    {
        m_page.reset();
        m_draft.reset();
        m_backend.reset();
    }

    void theSurroundingsReachTheDraft()
    {
        QTRY_VERIFY(!m_draft->devices().empty());
        QTRY_VERIFY(m_draft->data().has_value());
        QTRY_VERIFY(m_draft->check().resolved && m_draft->check().resolved->epoch.samples > 0);
    }

    void aDraftWithAnErrorDoesNotStart()
    {
        QTRY_COMPARE(m_start->whyNotStart(), QString());
        QSignalSpy starting(m_start, &RunStart::starting);
        m_draft->edit("optimizer.lr", QStringLiteral("-1"), true);
        QVERIFY(!m_start->whyNotStart().isEmpty());
        QVERIFY(m_start->whyNotTrain().isEmpty()); // other settings could be trained
        m_start->start();
        QCOMPARE(starting.size(), 0);
        QVERIFY(!m_backend->controller.isActive());
    }

    void allDevicesHaveToBeKnown()
    {
        QTRY_COMPARE(m_start->whyNotStart(), QString());
        m_draft->setDevices({}); // as if the engine were not loaded
        m_draft->edit("batch.devices", QStringLiteral("all"), false);
        QVERIFY(m_start->whyNotStart().contains(QLatin1String("looking for the devices")));
        m_start->start();
        QVERIFY(!m_backend->controller.isActive());
        m_draft->setDevices({ { .id = "cpu", .name = {}, .detail = {} },
            { .id = "cuda:0", .name = {}, .detail = {} } });
        QCOMPARE(m_start->whyNotStart(), QString());
    }

    void aStartBeginsANewRun()
    {
        QTRY_COMPARE(m_start->whyNotStart(), QString());
        QSignalSpy starting(m_start, &RunStart::starting);
        m_start->start();
        QCOMPARE(starting.size(), 1);
        QVERIFY(m_start->whyNotTrain().contains(QLatin1String("A run is in progress")));
        m_backend->controller.stop();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aLogThatCannotBeWrittenIsAReason()
    {
        QSignalSpy changed(m_start, &RunStart::changed);
        const QString why = QStringLiteral("The log is read-only.");
        m_start->setWhyNotWrite(why);
        QCOMPARE(m_start->whyNotTrain(), why);
        QCOMPARE(changed.size(), 1);
    }
};

QTEST_MAIN(TestRunStart)
#include "tst_run_start.moc"
