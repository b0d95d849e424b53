// SPDX-License-Identifier: Apache-2.0
#include "engine/report/training_pace.h"
#include "ui/models/format.h"
#include "ui/models/run_columns.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_details.h"
#include "ui/models/run_progress.h"
#include "ui/models/run_words.h"

#include <QTest>

#include "tests/ui/models/run_records.h"

using namespace accrue;

// The words for runs that Accrue has not trained.

namespace {

RunRecord scriptRecord()
{
    RunRecord run = recordOf(7);
    run.source = RunSource::Script;
    run.name = "loop";
    run.experiment = {};
    run.plan = { .effective = 0, .micro = 0, .steps = 0, .devices = 0 };
    run.settings = { { "batch.micro", std::int64_t { 8 } }, { "dropout", 0.25 }, { "lr", 0.5 } };
    run.totalSteps = 0;
    run.epoch = 3;
    run.samples = 0;
    run.throughput = 0;
    run.programVersion = "0.1.0";
    return run;
}

QString cellOf(const RunRecord& run, const QString& title)
{
    for (const RunColumn& column : runColumns())
        if (column.title() == title)
            return column.text(run);
    return QStringLiteral("no such column");
}

QString detailOf(const RunRecord& run, const QString& title)
{
    for (const DetailSection& section : detailsOf(run))
        for (const auto& [name, value] : section.rows)
            if (name == title)
                return value;
    return {};
}

} // namespace

class TestForeignWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableHasItsOwnSettingsAndADashForWhatItHasNot()
    {
        const RunRecord run = scriptRecord();
        QCOMPARE(cellOf(run, QStringLiteral("b")), QStringLiteral("8"));
        QCOMPARE(cellOf(run, QStringLiteral("lr")), QStringLiteral("0.5"));
        for (const char* title : { "N", "B", "Norm", "Data", "Model", "Optimizer" })
            QCOMPARE(cellOf(run, QString::fromLatin1(title)), QStringLiteral("–"));
        QCOMPARE(cellOf(recordOf(1), QStringLiteral("N")), QStringLiteral("4"));
    }

    // A CSV file may have a loss alone, and no times.
    void whatItHasNotIsNoZeroAndNoDashBesideAValue()
    {
        RunRecord run = scriptRecord();
        QVERIFY(cellOf(run, QStringLiteral("Time")) != QStringLiteral("–"));
        run.seconds = 0;
        QCOMPARE(cellOf(run, QStringLiteral("Time")), QStringLiteral("–"));
        run.finalTrainLoss = 1.25;
        run.finalTrainAccuracy.reset();
        QCOMPARE(detailOf(run, QStringLiteral("Training")), QStringLiteral("loss 1.25"));
        run.finalTrainAccuracy = 0.5;
        QCOMPARE(detailOf(run, QStringLiteral("Training")), QStringLiteral("50.00 %, loss 1.25"));
    }

    void theDetailsListItsSettingsAndNoneOfARecipe()
    {
        const RunRecord run = scriptRecord();
        QCOMPARE(detailOf(run, QStringLiteral("dropout")), QStringLiteral("0.25"));
        QCOMPARE(detailOf(run, QStringLiteral("Logged by")), QStringLiteral("a script"));
        QCOMPARE(detailOf(run, QStringLiteral("Effective batch")), QString());
        QCOMPARE(detailOf(run, QStringLiteral("Samples seen")), QString());
        std::size_t settings = 0;
        for (const DetailSection& section : detailsOf(run))
            if (section.title == QStringLiteral("Settings"))
                settings += section.rows.size();
        QCOMPARE(settings, std::size_t { 3 });
        QCOMPARE(detailOf(recordOf(1), QStringLiteral("Logged by")), QString());
    }

    void itsProgressIsAStepOfAnUnknownNumber()
    {
        const ShownProgress progress = progressOf(scriptRecord(), {});
        QCOMPARE(progress.steps, QStringLiteral("step 100"));
        QCOMPARE(progress.percent, QString());
        QCOMPARE(progress.timeLeft, QString());
        QVERIFY(summaryText(scriptRecord()).startsWith(QStringLiteral("step 100 · ")));
    }

    void itsPeakHasAPlaceOnlyWhereItsSettingIsKnown()
    {
        const RunRecord run = scriptRecord();
        QCOMPARE(peakOver(PeakSetting::Micro, run)->x, 8.0);
        QVERIFY(!peakOver(PeakSetting::Steps, run));
        QVERIFY(!peakOver(PeakSetting::Norm, run));
    }

    void itHasNoRecipeToCopy()
    {
        QCOMPARE(whyNoRecipe(scriptRecord()),
            QStringLiteral("Accrue did not train loop #7, so it has no recipe to copy."));
        QCOMPARE(whyNoRecipe(recordOf(1)), QString());
    }
};

QTEST_GUILESS_MAIN(TestForeignWords)
#include "tst_foreign_words.moc"
