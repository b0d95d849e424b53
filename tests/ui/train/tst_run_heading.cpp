// SPDX-License-Identifier: Apache-2.0
#include "ui/train/run_heading.h"

#include <QAction>
#include <QTest>

#include "tests/ui/models/run_records.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestRunHeading : public QObject {
    Q_OBJECT
private:
    QString threadsShown(const RunRecord& run)
    {
        m_heading.showRun(run);
        const QString last = m_heading.summary().fullText().section(QStringLiteral(" · "), -1);
        return last.contains(QLatin1String("thread")) ? last : QString();
    }

    Theme m_theme;
    QAction m_sometimes;
    RunHeading m_heading { &m_sometimes, {} };

private Q_SLOTS:
    void initTestCase() { m_theme.apply(ThemeChoice::Light); }

    void threadsThatNoRecipeAskedForAreMarked()
    {
        RunRecord run = recordOf(1);
        QCOMPARE(threadsShown(run), QString()); // not known yet
        run.threads = 1;
        QCOMPARE(threadsShown(run), QStringLiteral("1 thread (auto)"));
        run.threads = 2;
        QCOMPARE(threadsShown(run), QStringLiteral("2 threads (auto)"));
        run.experiment.run.threads = 2;
        QCOMPARE(threadsShown(run), QStringLiteral("2 threads"));
    }

    void aRunThatEndedByItsRuleSaysSo()
    {
        RunRecord run = recordOf(1);
        run.message = Message::plain("Ended early at step 7, because run.stop_when is met.");
        m_heading.showRun(run);
        QVERIFY(!m_heading.summary().fullText().contains(QStringLiteral("Ended early")));
        run.early = EarlyEnd::Rule;
        m_heading.showRun(run);
        QVERIFY2(m_heading.summary().fullText().endsWith(
                     QStringLiteral("Ended early at step 7, because Stop when is met.")),
            qPrintable(m_heading.summary().fullText()));
    }

    void aProblemWithoutARunIsInTheColourOfErrors()
    {
        m_heading.showNoRun(QStringLiteral("No run"), QStringLiteral("No engine."), true);
        QCOMPARE(m_heading.summary().property("role").toString(), QStringLiteral("error"));
        m_heading.showRun(recordOf(1));
        QCOMPARE(m_heading.summary().property("role").toString(), QStringLiteral("muted"));
    }
};

QTEST_MAIN(TestRunHeading)
#include "tst_run_heading.moc"
