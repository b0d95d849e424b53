// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_search.h"

#include "engine/runs/run_keys.h"
#include "tests/ui/models/run_records.h"
#include "ui/widgets/form_widgets.h"

#include <QSignalSpy>
#include <QTest>

using namespace accrue;

class TestRunSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itAsksTheQueryOfTheRunLog()
    {
        RunRecord run = recordOf(12);
        run.name = "Größe";
        QVERIFY(found(QStringLiteral("größe b=32,64")).matches(run));
        QVERIFY(!found(QStringLiteral("state=stopped")).matches(run));
        QVERIFY(found(QStringLiteral("  ")).isEmpty());
    }

    void quotesAsTheWindowDoes()
    {
        for (const char* text : { "b<many", "nrom=group", "b" }) {
            m_search->search(QLatin1String(text));
            const QString problem = m_search->helpLabel()->fullText();
            QVERIFY2(!problem.contains(QLatin1Char('"')), qPrintable(problem));
        }
        m_search->search(QStringLiteral("nrom=group"));
        QVERIFY(m_search->helpLabel()->fullText().contains(QLatin1String("norm")));
        m_search->search(QStringLiteral("b<many"));
        QVERIFY(m_search->helpLabel()->fullText().contains(QStringLiteral("“b<many”")));
    }

    void theTipTellsEveryKey()
    {
        m_search->showKeys({});
        const QStringList lines = m_search->toolTip().split(QLatin1Char('\n'));
        QVERIFY(lines.contains(QStringLiteral("b: micro-batch")));
        QVERIFY(lines.contains(QStringLiteral("norm: none, batch, group, layer or instance")));
        for (const RunKey& key : runKeys())
            QVERIFY2(lines.filter(QString::fromStdString(key.name + ": ")).size() > 0,
                qPrintable(QString::fromStdString(key.name)));
    }

    void aTermIsAddedAndTakenOut()
    {
        m_search->search(QStringLiteral("norm=group"));
        m_search->toggleTerm(QStringLiteral("tag=paper"));
        QCOMPARE(m_search->text(), QStringLiteral("norm=group tag=paper"));
        m_search->toggleTerm(QStringLiteral("tag=paper"));
        QCOMPARE(m_search->text(), QStringLiteral("norm=group"));
        m_search->toggleTerm(QStringLiteral("tag=lr>=1")); // such a tag is possible
        QCOMPARE(m_search->text(), QStringLiteral("norm=group tag=\"lr>=1\""));
        RunRecord tagged;
        tagged.tags = { "lr>=1" };
        tagged.experiment.model.norm = Norm::Group;
        const RunQuery query = RunQuery::parse(m_search->text().toStdString());
        QVERIFY2(query.problem().empty(), query.problem().text().c_str());
        QVERIFY(query.matches(tagged));
        m_search->toggleTerm(QStringLiteral("tag=lr>=1"));
        QCOMPARE(m_search->text(), QStringLiteral("norm=group"));
    }

private:
    RunQuery found(const QString& text)
    {
        const QSignalSpy searched(m_search, &RunSearch::searched);
        m_search->search(text);
        return searched.back().front().value<RunQuery>();
    }

    QWidget m_window;
    RunSearch* m_search = new RunSearch(&m_window);
};

QTEST_MAIN(TestRunSearch)
#include "tst_run_search.moc"
