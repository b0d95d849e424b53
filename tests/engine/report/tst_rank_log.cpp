// SPDX-License-Identifier: Apache-2.0
#include "engine/report/rank_log.h"

#include <fstream>
#include <sstream>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestRankLog : public QObject {
    Q_OBJECT

    std::filesystem::path folder() const { return m_folder.path().toStdString() + "/new"; }

    QString text() const
    {
        std::ifstream file(rankLogIn(folder(), 2));
        std::ostringstream all;
        all << file.rdbuf();
        return QString::fromStdString(all.str());
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void itTellsARun()
    {
        RankLog log(folder(), 2, 4);
        RunStarted started;
        started.device = "cpu";
        started.threads = 1;
        log.emitEvent(started);
        log.emitEvent(StepDone { .step = 1, .epoch = 1, .loss = 2.302585, .stepMs = 12.5 });
        log.emitEvent(StepDone { .step = 2, .epoch = 1, .loss = 1.5 }); // within the same second
        log.emitEvent(EpochDone { .epoch = 1, .step = 2, .trainLoss = 1.9, .trainAccuracy = 0.25 });
        log.emitEvent(Evaluated { .step = 2, .testLoss = 1.25, .testAccuracy = 0.5 });
        RunEnded ended;
        ended.step = 2;
        log.emitEvent(ended);
        const QStringList lines = text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QVERIFY2(lines[0].contains("rank 2 of 4 begins"), qPrintable(lines[0]));
        QVERIFY2(lines[1].contains("step 1  loss 2.30259  window 12.5 ms"), qPrintable(lines[1]));
        QVERIFY2(
            lines[2].contains("epoch 1 done at step 2  training loss 1.9"), qPrintable(lines[2]));
        QVERIFY2(lines[3].contains("test accuracy 50 %"), qPrintable(lines[3]));
        QVERIFY2(lines[4].endsWith("ends at step 2: completed"), qPrintable(lines[4]));
    }

    void aResumedRunContinuesTheFile()
    {
        const QString before = text();
        RankLog(folder(), 2, 4).emitEvent(RunStarted {});
        QVERIFY(text().startsWith(before) && text().size() > before.size());
    }

    void aFolderThatCannotBeWrittenIsNoError()
    {
        RankLog log("/proc/nowhere", 2, 4);
        log.emitEvent(RunStarted {});
    }
};

QTEST_GUILESS_MAIN(TestRankLog)
#include "tst_rank_log.moc"
