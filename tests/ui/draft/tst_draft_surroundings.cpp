// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/draft_surroundings.h"

#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"
#include "ui/draft/experiment_draft.h"

#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

using namespace accrue;

class TestDraftSurroundings : public QObject {
    Q_OBJECT
private:
    void name(const char* dataSet, bool typed = false)
    {
        m_draft->edit("data.name", QString::fromLatin1(dataSet), typed);
    }

    // The data sets of which the draft is told from now on, without repetitions.
    void listen()
    {
        connect(m_draft.get(), &ExperimentDraft::checked, this, [this] {
            if (!m_draft->data())
                return;
            const QString found = QString::fromStdString(m_draft->data()->name);
            if (m_told.isEmpty() || m_told.last() != found)
                m_told << found;
        });
    }

    // As if it had been found so; only another search finds the samples that there are.
    void pretend(const Message& problem)
    {
        DataSetStatus status = *m_draft->data();
        status.trainSamples = 7;
        status.problem = problem;
        m_draft->setDataStatus(status);
    }

    FakeEngine m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<ExperimentDraft> m_draft;
    std::unique_ptr<DraftSurroundings> m_surroundings;
    QStringList m_told;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        setEngineForTesting(&m_engine);
        m_backend = std::make_unique<Backend>(m_folder->filePath("runs.db").toStdString());
        m_draft = std::make_unique<ExperimentDraft>();
        m_surroundings = std::make_unique<DraftSurroundings>(*m_backend, *m_draft);
        m_told.clear();
    }

    void cleanup()
    {
        m_surroundings.reset();
        m_draft.reset();
        m_backend.reset();
    }

    void whatIsMissingIsAProblemThatNamesWhereItWasLookedFor()
    {
        name("mnist");
        m_backend->dataDirectories = { m_folder->path().toStdString() };
        m_surroundings->lookForData();
        QVERIFY(!m_draft->data()); // found off the GUI thread
        QTRY_VERIFY(m_draft->data());
        QCOMPARE(m_draft->data()->state, DataSetStatus::State::Missing);
        const std::string problem = m_draft->data()->problem.english();
        QVERIFY2(
            problem.find(m_folder->path().toStdString()) != std::string::npos, problem.c_str());
    }

    void aDataSetIsLookedForOnceTheTypingPauses()
    {
        name("mnist");
        name("digits", /*typed=*/true);
        QTRY_VERIFY(m_draft->data());
        QCOMPARE(m_draft->data()->state, DataSetStatus::State::BuiltIn);
    }

    void anAnswerAboutWhatWasTypedBeforeIsDropped()
    {
        name("digits");
        listen();
        m_surroundings->lookForData();
        name("mnist", /*typed=*/true); // before the answer has come
        QTRY_VERIFY(m_draft->data());
        QCOMPARE(m_told, QStringList { QStringLiteral("mnist") });
    }

    // One search follows the one that runs, however often it was asked for.
    void ofSeveralSearchesTheLastOneIsAnswered()
    {
        listen();
        for (const char* each : { "mnist", "fashion-mnist", "digits" }) {
            name(each);
            m_surroundings->lookForData();
        }
        QTRY_VERIFY(m_draft->data());
        QCOMPARE(m_told, QStringList { QStringLiteral("digits") });
    }

    void aDataSetThatWasFoundIsNotLookedForAgain()
    {
        name("digits");
        m_surroundings->lookForData();
        QTRY_VERIFY(m_draft->data());
        pretend({});
        m_surroundings->lookAgain();
        QTest::qWait(100);
        QCOMPARE(m_draft->data()->trainSamples, 7);
        pretend(Message::plain("It is not there."));
        m_surroundings->lookAgain();
        QTRY_VERIFY(m_draft->data()->problem.empty());
        QVERIFY(m_draft->data()->trainSamples != 7);
    }

    void theDevicesComeWithTheEngineAndWhenOneIsLost()
    {
        QVERIFY(m_draft->devices().empty());
        m_backend->engine.load();
        QTRY_COMPARE(m_draft->devices().size(), std::size_t { 1 });
        std::vector<DeviceInfo> devices = m_draft->devices();
        devices.front().lost = true;
        m_backend->engine.setDevices(devices);
        QVERIFY(m_draft->devices().front().lost);
    }

    // As in a window that takes the place of another one.
    void devicesThatAreKnownAreToldAtOnce()
    {
        m_backend->engine.load();
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        ExperimentDraft draft;
        const DraftSurroundings surroundings(*m_backend, draft);
        QCOMPARE(draft.devices().size(), std::size_t { 1 });
    }
};

QTEST_GUILESS_MAIN(TestDraftSurroundings)
#include "tst_draft_surroundings.moc"
