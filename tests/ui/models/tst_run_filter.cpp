// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include <QTest>

#include "engine/runlog/run_keys.h"
#include "tests/ui/models/run_records.h"

using namespace accrue;

class TestRunFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isTheQueryOfTheRunLog();
    void quotesAsTheWindowDoes();
    void tellsEveryKey();
};

void TestRunFilter::isTheQueryOfTheRunLog()
{
    RunRecord run = recordOf(12);
    run.name = "Größe";
    QVERIFY(RunFilter::parse(QStringLiteral("größe b=32,64")).matches(run));
    QVERIFY(!RunFilter::parse(QStringLiteral("state=stopped")).matches(run));
    QVERIFY(RunFilter::parse(QStringLiteral("  ")).isEmpty());
    QVERIFY(
        RunFilter::parse(QStringLiteral("nrom=group")).problem().contains(QLatin1String("norm")));
}

void TestRunFilter::quotesAsTheWindowDoes()
{
    for (const char* search : { "b<many", "nrom=group", "b" }) {
        const QString problem = RunFilter::parse(QLatin1String(search)).problem();
        QVERIFY2(!problem.contains(QLatin1Char('"')), qPrintable(problem));
    }
    QVERIFY(
        RunFilter::parse(QStringLiteral("b<many")).problem().contains(QStringLiteral("“b<many”")));
}

void TestRunFilter::tellsEveryKey()
{
    QCOMPARE(static_cast<std::size_t>(filterKeys().size()), runKeys().size());
    QVERIFY(filterKeys().contains(QStringLiteral("b: micro-batch")));
}

QTEST_GUILESS_MAIN(TestRunFilter)
#include "tst_run_filter.moc"
