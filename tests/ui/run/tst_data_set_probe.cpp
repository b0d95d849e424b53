// SPDX-License-Identifier: Apache-2.0
#include "ui/run/data_set_probe.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <memory>

using namespace accrue;

class TestDataSetProbe : public QObject {
    Q_OBJECT
private:
    // All that was asked for has been looked at and told.
    static void letItAnswer()
    {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    }

    void listen(const DataSetProbe& probe)
    {
        m_told.clear();
        connect(&probe, &DataSetProbe::dataSetFound, this,
            [this](const DataSetStatus& status) { m_told.push_back(status); });
    }

    std::vector<DataSetStatus> m_told;

private Q_SLOTS:
    void theAnswerComesLaterAndSaysWhatWasFound()
    {
        DataSetProbe probe;
        listen(probe);
        probe.look("digits", {}, {});
        QVERIFY(m_told.empty());
        letItAnswer();
        QCOMPARE(m_told.size(), std::size_t { 1 });
        QCOMPARE(m_told.front().state, DataSetStatus::State::BuiltIn);
        QVERIFY(m_told.front().trainSamples > 0);
    }

    void whatIsMissingIsAProblemThatNamesWhereItWasLookedFor()
    {
        const QTemporaryDir folder;
        DataSetProbe probe;
        listen(probe);
        probe.look("mnist", {}, { folder.path().toStdString() });
        letItAnswer();
        QCOMPARE(m_told.size(), std::size_t { 1 });
        QCOMPARE(m_told.front().state, DataSetStatus::State::Missing);
        QVERIFY(m_told.front().problem.find(folder.path().toStdString()) != std::string::npos);
    }

    void onlyTheLastQuestionIsAnswered()
    {
        DataSetProbe probe;
        listen(probe);
        for (const char* name : { "mnist", "idx", "digits" })
            probe.look(name, {}, {});
        letItAnswer();
        QCOMPARE(m_told.size(), std::size_t { 1 });
        QCOMPARE(m_told.front().name, std::string("digits"));
    }

    void aProbeThatIsGoneTellsNothing()
    {
        auto probe = std::make_unique<DataSetProbe>();
        listen(*probe);
        probe->look("digits", {}, {});
        probe.reset();
        letItAnswer();
        QVERIFY(m_told.empty());
    }
};

QTEST_GUILESS_MAIN(TestDataSetProbe)
#include "tst_data_set_probe.moc"
