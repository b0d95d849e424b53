// SPDX-License-Identifier: Apache-2.0
#include "ui/run/law_probe.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include "tests/support/fake_engine.h"

using namespace accrue;

class TestLawProbe : public QObject {
    Q_OBJECT
private:
    std::filesystem::path laws() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
    MemoryFit m_fit;
    std::vector<std::optional<MemoryFit>> m_found;

    void connectTo(const LawProbe& probe)
    {
        m_found.clear();
        connect(&probe, &LawProbe::lawFound, this,
            [this](const std::optional<MemoryFit>& fit) { m_found.push_back(fit); });
    }

private Q_SLOTS:
    void initTestCase()
    {
        FakeEngine engine;
        RunControl control;
        m_fit = engine.fit({}, control, {});
        storeFit(laws(), {}, m_fit);
    }

    void aStoredLawIsFound()
    {
        LawProbe probe;
        connectTo(probe);
        probe.look(laws(), {}, "cpu", m_fit.torchVersion);
        QTRY_COMPARE(m_found.size(), std::size_t { 1 });
        QVERIFY(m_found.front() == m_fit);
    }

    void whatWasNeverMeasuredIsSaidToBeUnknown()
    {
        LawProbe probe;
        connectTo(probe);
        probe.look(laws(), {}, "cuda:0", m_fit.torchVersion);
        QTRY_COMPARE(m_found.size(), std::size_t { 1 });
        QVERIFY(!m_found.front());
    }

    void onlyTheLastQuestionIsAnswered()
    {
        LawProbe probe;
        connectTo(probe);
        probe.look(laws(), {}, "cpu", {});
        probe.look(laws(), {}, "cuda:0", {});
        QTRY_COMPARE(m_found.size(), std::size_t { 1 });
        QVERIFY(!m_found.front());
        probe.look(laws(), {}, "cpu", {});
        probe.forget();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(m_found.size(), std::size_t { 1 });
    }
};

QTEST_GUILESS_MAIN(TestLawProbe)
#include "tst_law_probe.moc"
