// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/setting_texts.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

#include <QTest>

#include <algorithm>

using namespace accrue;

class TestSettingTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsWhatIsRead()
    {
        for (const ShippedRecipe& shipped : shippedRecipes()) {
            const Experiment wanted = parseRecipe(shipped.toml, shipped.name).experiment;
            Experiment read;
            QVERIFY2(readTexts(textsOf(wanted), read).empty(), shipped.name.c_str());
            copyBatchNumbers(wanted.batch, read.batch); // words for a solved number may differ
            QVERIFY2(settingsOf(read) == settingsOf(wanted), shipped.name.c_str());
        }
    }

    void aNameIsReadAsItStands()
    {
        Experiment wanted;
        wanted.name = "\"b 32\""; // quotes are part of it
        Experiment read;
        QVERIFY(readTexts(textsOf(wanted), read).empty());
        QCOMPARE(read.name, wanted.name);
    }

    void textThatCannotBeReadIsAFindingOfItsKey()
    {
        SettingTexts texts = textsOf({});
        texts["optimizer.lr"] = QStringLiteral("fast");
        Experiment read;
        read.optimizer.lr = 0.5;
        const Findings findings = readTexts(texts, read);
        QVERIFY(std::any_of(findings.begin(), findings.end(),
            [](const Finding& finding) { return finding.key == "optimizer.lr"; }));
        QCOMPARE(read.optimizer.lr, 0.5);
    }

    void theSolvedNumberIsAuto()
    {
        SettingTexts texts = textsOf({});
        QCOMPARE(texts["batch.effective"], QStringLiteral("auto"));
        QCOMPARE(texts["batch.micro"], QStringLiteral("32"));
        QCOMPARE(texts["batch.steps"], QStringLiteral("4"));
        QCOMPARE(texts["batch.devices"], QStringLiteral("1"));
        Experiment experiment;
        experiment.batch.effective = BatchNumber::given(512);
        texts = textsOf(experiment);
        QCOMPARE(texts["batch.effective"], QStringLiteral("512"));
        QCOMPARE(texts["batch.steps"], QStringLiteral("auto"));
    }

    void allDevicesStayWhatTheyAreWhileOthersAreSolved()
    {
        Experiment experiment;
        experiment.batch.devices = { BatchNumber::Kind::All, 4 };
        SettingTexts texts = textsOf(experiment);
        QCOMPARE(texts["batch.devices"], QStringLiteral("all"));
        toggleSolved(texts, "batch.steps", /*hasBudget=*/false, BatchPlan { .effective = 512 });
        QCOMPARE(texts["batch.devices"], QStringLiteral("all"));
        QCOMPARE(texts["batch.effective"], QStringLiteral("512"));
        toggleSolved(texts, "batch.devices", /*hasBudget=*/false, BatchPlan { .steps = 4 });
        QCOMPARE(texts["batch.devices"], QStringLiteral("auto"));
    }

    void oneNumberIsSolvedAtATimeButForABudget()
    {
        SettingTexts texts = textsOf({});
        toggleSolved(texts, "batch.steps", /*hasBudget=*/false, BatchPlan {});
        QCOMPARE(texts["batch.steps"], QStringLiteral("auto"));
        QCOMPARE(texts["batch.effective"], QStringLiteral("128"));
        toggleSolved(texts, "batch.micro", /*hasBudget=*/true, BatchPlan {});
        QCOMPARE(texts["batch.micro"], QStringLiteral("auto"));
        QCOMPARE(texts["batch.steps"], QStringLiteral("auto"));
        toggleSolved(texts, "batch.micro", /*hasBudget=*/true, BatchPlan { .micro = 43 });
        QCOMPARE(texts["batch.micro"], QStringLiteral("43")); // text again
        QCOMPARE(texts["batch.steps"], QStringLiteral("auto"));
    }

    void onlyTheNumbersAreCopied()
    {
        BatchSettings from;
        from.micro = BatchNumber::given(7);
        from.tail = Tail::Drop;
        BatchSettings to;
        copyBatchNumbers(from, to);
        QCOMPARE(to.micro, BatchNumber::given(7));
        QCOMPARE(to.tail, Tail::Flush);
        QVERIFY(isBatchNumber("batch.micro") && !isBatchNumber("batch.tail"));
    }
};

QTEST_GUILESS_MAIN(TestSettingTexts)
#include "tst_setting_texts.moc"
