// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/train_command.h"

#include <QProcess>
#include <QTest>

#include <algorithm>

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

using namespace accrue;

namespace {

// The experiment that the command line would train.
Experiment trainedBy(const TrainCommand& command)
{
    Experiment experiment = findRecipe(command.recipe).experiment;
    for (const auto& setting : command.settings)
        if (!applySetting(experiment, setting.first + "=" + setting.second).empty())
            return {};
    return experiment;
}

TrainCommand commandOf(const Experiment& experiment)
{
    return trainCommandOf(experiment, resolve(experiment).resolved);
}

void sameTraining(const Experiment& one, const Experiment& other)
{
    const auto one_plan = solveBatch(one).plan;
    const auto other_plan = solveBatch(other).plan;
    QVERIFY(one_plan && other_plan);
    QCOMPARE(one_plan->effective, other_plan->effective);
    QCOMPARE(one_plan->micro, other_plan->micro);
    QCOMPARE(one_plan->steps, other_plan->steps);
    QCOMPARE(microFollowsBudget(one), microFollowsBudget(other));
    const Settings left = settingsOf(one);
    const Settings right = settingsOf(other);
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i].first.rfind("batch.", 0) != 0)
            QCOMPARE(settingText(left[i].second), settingText(right[i].second));
}

// How `sh` splits a line: each word must stay one argument, whatever it contains.
QByteArrayList shellArguments(const std::string& line)
{
    QProcess shell;
    shell.start(QStringLiteral("sh"),
        { QStringLiteral("-c"), QString::fromStdString("printf '%s\\0' " + line) });
    shell.waitForFinished();
    QByteArrayList arguments = shell.readAllStandardOutput().split('\0');
    arguments.removeLast();
    return arguments;
}

} // namespace

class TestTrainCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aShippedRecipeNeedsNoSettings()
    {
        for (const ShippedRecipe& recipe : shippedRecipes()) {
            const TrainCommand command =
                commandOf(parseRecipe(recipe.toml, recipe.name).experiment);
            QCOMPARE(command.recipe, recipe.name);
            QVERIFY(command.settings.empty());
        }
    }

    void theCommandTrainsTheSame_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::newRow("defaults") << QString();
        QTest::newRow("b for a budget") << QStringLiteral(
            "batch.effective=512;batch.micro=auto;batch.steps=auto;memory.budget=4GiB");
        QTest::newRow("B and b") << QStringLiteral("batch.effective=256;batch.micro=16");
        QTest::newRow("B and N") << QStringLiteral(
            "batch.effective=100;batch.steps=3;batch.micro=auto");
        QTest::newRow("text and numbers")
            << QStringLiteral("name=it's mine;optimizer.lr=0.3;model.norm=group;run.threads=2");
    }

    void theCommandTrainsTheSame()
    {
        QFETCH(QString, settings);
        Experiment experiment;
        experiment.name = "default";
        for (const QString& setting : settings.split(QLatin1Char(';'), Qt::SkipEmptyParts))
            QVERIFY(applySetting(experiment, setting.toStdString()).empty());
        sameTraining(trainedBy(commandOf(experiment)), experiment);
    }

    void textThatLooksLikeAnotherValueStaysText()
    {
        Experiment experiment;
        experiment.name = "16";
        experiment.data.path = "\" quoted \" ";
        const Experiment trained = trainedBy(commandOf(experiment));
        QVERIFY(trained.name == experiment.name);
        QVERIFY(trained.data.path == experiment.data.path);
    }

    void aShellPassesOnWhatIsQuoted()
    {
        const std::string name = "it's mine; $(rm) \"x\" \\ `y` é";
        const QByteArrayList arguments =
            shellArguments(shellText({ "first-run", { { "name", name } } }));
        QCOMPARE(arguments.size(), 5);
        QCOMPARE(arguments.at(4), QByteArray::fromStdString("name=" + name));
    }

    void wordsAreQuotedForAShell()
    {
        const TrainCommand command { "first-run",
            { { "name", "it's mine" }, { "run.seed", "7" } } };
        QCOMPARE(QString::fromStdString(shellText(command)),
            QStringLiteral("accrue train first-run --set 'name=it'\\''s mine' --set run.seed=7"));
    }
};

QTEST_GUILESS_MAIN(TestTrainCommand)
#include "tst_train_command.moc"
