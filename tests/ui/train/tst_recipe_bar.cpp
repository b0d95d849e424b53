// SPDX-License-Identifier: Apache-2.0
#include "ui/train/recipe_bar.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <memory>

#include "engine/experiment/recipe.h"
#include "ui/draft/experiment_draft.h"
#include "ui/draft/train_command.h"
#include "ui/widgets/choice_list.h"

using namespace accrue;

class TestRecipeBar : public QObject {
    Q_OBJECT
private:
    static bool write(const QString& file, const QByteArray& content)
    {
        QFile opened(file);
        return opened.open(QIODevice::WriteOnly) && opened.write(content) == content.size();
    }

    static QByteArray read(const QString& file)
    {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    QString path(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }
    QComboBox& box() const { return *m_bar->findChild<QComboBox*>(); }
    QString shown() const
    {
        return box().currentIndex() >= 0 ? box().currentText() : box().placeholderText();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ExperimentDraft> m_draft;
    std::unique_ptr<RecipeBar> m_bar;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        QVERIFY(QDir().mkpath(path("accrue/recipes")));
        QVERIFY(write(path("accrue/recipes/mine.toml"), "[run]\nseed = 99\n"));
        Experiment experiment;
        experiment.name = "tried";
        experiment.run.seed = 4711;
        m_draft = std::make_unique<ExperimentDraft>();
        m_draft->begin(experiment);
        m_bar = std::make_unique<RecipeBar>(*m_draft);
        m_bar->show();
    }

    void cleanup()
    {
        m_bar.reset();
        m_draft.reset();
    }

    void offersTheShippedRecipesAndTheUsersOwn()
    {
        for (const ShippedRecipe& recipe : shippedRecipes())
            QVERIFY(box().findText(QString::fromStdString(recipe.name)) >= 0);
        const int first = box().findText(QStringLiteral("first-run"));
        QVERIFY(!box().itemData(first, Qt::ToolTipRole).toString().isEmpty()); // what it is for
    }

    void recipesAreInGroupsThatCannotBeChosen()
    {
        QStringList headings;
        QString under; // of mnist-99, mindspore-boost, mine
        for (int i = 0; i < box().count(); ++i) {
            if (!(box().model()->flags(box().model()->index(i, 0)) & Qt::ItemIsEnabled))
                headings << box().itemText(i);
            else if (QStringList { QStringLiteral("mnist-99"), QStringLiteral("mindspore-boost"),
                         QStringLiteral("mine") }
                         .contains(box().itemText(i)))
                under += headings.back() + QLatin1Char(';');
        }
        QCOMPARE(headings,
            QStringList({ QStringLiteral("Start here"), QStringLiteral("Published systems"),
                QStringLiteral("My recipes") }));
        QCOMPARE(under, QStringLiteral("Start here;Published systems;My recipes;"));
        box().setFocus();
        QTest::keyClick(&box(), Qt::Key_Home); // not on the first heading
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void aSecondLineSaysWhatARecipeTrains_data()
    {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("detail");
        QTest::newRow("shipped") << QStringLiteral("first-run")
                                 << QStringLiteral("Digits, built in · LeNet-5 · "
                                                   "B 128 = 32 × 4 · 5 epochs");
        QTest::newRow("devices") << QStringLiteral("colossalai-ddp")
                                 << QStringLiteral("CIFAR-10 · ResNet-18 · "
                                                   "B 1024 = 128 × 4 × 2 · 5 epochs");
        QTest::newRow("own") << QStringLiteral("short")
                             << QStringLiteral("Digits, built in · LeNet-5 · "
                                               "B 128 = 32 × 4 · 7 steps");
        QTest::newRow("wrong") << QStringLiteral("wrong") << QStringLiteral("Line 1: ");
    }

    void aSecondLineSaysWhatARecipeTrains()
    {
        QFETCH(QString, recipe);
        QFETCH(QString, detail);
        QVERIFY(write(path("accrue/recipes/short.toml"), "[run]\nlimit_steps = 7\n"));
        QVERIFY(write(path("accrue/recipes/wrong.toml"), "foo = 1\n"));
        m_bar->reload();
        const int at = box().findText(recipe);
        QVERIFY(at >= 0);
        const QString shown = box().itemData(at, ChoiceList::DetailRole).toString();
        QVERIFY2(shown.startsWith(detail), qPrintable(shown));
    }

    void aChosenRecipeIsReadIntoTheDraftAsOneStep()
    {
        m_bar->chooseFirstRun();
        QCOMPARE(shown(), QStringLiteral("first-run"));
        QCOMPARE(m_draft->history().undoText(), QStringLiteral("recipe first-run"));
        box().setFocus();
        QTest::keyClick(&box(), Qt::Key_End);
        QCOMPARE(m_draft->experiment().run.seed, std::uint64_t { 99 });
        QCOMPARE(m_draft->origin().title, QStringLiteral("mine"));
        QCOMPARE(shown(), QStringLiteral("mine"));
        m_draft->history().undo();
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void aRecipeThatCannotBeReadIsReportedAndTheBoxStays()
    {
        m_bar->chooseFirstRun();
        QVERIFY(write(path("accrue/recipes/mine.toml"), "seed = = 4"));
        const Experiment before = m_draft->experiment();
        QSignalSpy said(m_bar.get(), &RecipeBar::reported);
        box().setFocus();
        QTest::keyClick(&box(), Qt::Key_End);
        QVERIFY(m_draft->experiment() == before);
        QCOMPARE(said.size(), 1);
        QVERIFY(said.first().first().toString().contains(QLatin1String("mine.toml")));
        QCOMPARE(said.first().last().value<RunMessage::Severity>(), RunMessage::Severity::Error);
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void findingsOfARecipeAreReportedWithTheirLine()
    {
        QVERIFY(write(path("odd.toml"), "[run]\nseed = 99\n[optimizer]\nno_such_key = 1\n"));
        QSignalSpy said(m_bar.get(), &RecipeBar::reported);
        m_bar->openRecipe(path("odd.toml"));
        QVERIFY(!said.isEmpty());
        QVERIFY(said.first().first().toString().startsWith(QLatin1String("Line 4: ")));
    }

    void aSavedRecipeHoldsTheExperimentAndIsListed()
    {
        QSignalSpy said(m_bar.get(), &RecipeBar::reported);
        const QString file = path("accrue/recipes/tried.toml");
        QVERIFY(m_bar->saveTo(file));
        QCOMPARE(said.size(), 1);
        QVERIFY(readRecipe(file.toStdString()).experiment == m_draft->experiment());
        QVERIFY(box().findData(file) >= 0);
        QCOMPARE(shown(), QStringLiteral("tried"));
        m_draft->edit("run.seed", QStringLiteral("7"), /*typed=*/false);
        QCOMPARE(shown(), QStringLiteral("tried, edited"));
        m_bar->reload();
        QCOMPARE(box().currentIndex(), -1); // still edited
    }

    void aFileThatCannotBeSavedIsReportedByItsName()
    {
        QSignalSpy said(m_bar.get(), &RecipeBar::reported);
        QVERIFY(!m_bar->saveTo(path("nowhere/tried.toml")));
        QVERIFY(said.first().first().toString().contains(path("nowhere/tried.toml")));
    }

    void settingsOfARunAreNamedByThePlaceholder()
    {
        m_draft->replace({}, QStringLiteral("settings of a run"), { QStringLiteral("lenet5 #3") });
        QCOMPARE(box().currentIndex(), -1);
        QCOMPARE(shown(), QStringLiteral("lenet5 #3"));
    }

    void aDraftThatEqualsItsRecipeIsShownAsThatRecipe()
    {
        const QString mine = path("accrue/recipes/mine.toml");
        m_bar->showIfUnchanged(mine);
        QCOMPARE(m_draft->origin().recipe, QString());
        m_draft->begin(readRecipe(mine.toStdString()).experiment);
        m_bar->showIfUnchanged(mine);
        QCOMPARE(shown(), QStringLiteral("mine"));
    }

    void theDialogProposesTheRecipesNameAndAsksBeforeItReplacesOne()
    {
        m_bar->saveAction()->trigger();
        auto* dialog = m_bar->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QString file = path("lenet5.v2.toml");
        QVERIFY(write(file, "kept"));
        Q_EMIT dialog->fileSelected(path("lenet5.v2"));
        QVERIFY(m_bar->window()->findChild<QMessageBox*>() != nullptr);
        QCOMPARE(read(file), QByteArray("kept"));
        Q_EMIT dialog->fileSelected(path("lenet5.v3"));
        QVERIFY(QFile::exists(path("lenet5.v3.toml")));
        delete dialog;
    }

    void theWheelDoesNotChooseAnotherRecipe()
    {
        m_bar->chooseFirstRun();
        QSignalSpy replaced(m_draft.get(), &ExperimentDraft::replaced);
        m_bar->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_bar.get()));
        box().setFocus(); // it would accept the wheel
        QVERIFY(box().hasFocus());
        const QPointF at = box().rect().center();
        QWheelEvent turn(at, box().mapToGlobal(at), {}, { 0, -120 }, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&box(), &turn);
        QCOMPARE(replaced.size(), 0);
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void theCommandLineIsThatOfTheForm()
    {
        QSignalSpy said(m_bar.get(), &RecipeBar::reported);
        m_bar->copyAction()->trigger();
        QCOMPARE(said.size(), 1);
        const QString text = QGuiApplication::clipboard()->text();
        QCOMPARE(text,
            QString::fromStdString(
                shellText(trainCommandOf(m_draft->experiment(), m_draft->check().asked))));
        QVERIFY2(text.contains(QLatin1String("run.seed=4711")), qPrintable(text));
    }

    void theTextShownIsTheRecipe()
    {
        m_bar->showAction()->trigger();
        auto* dialog = m_bar->findChild<QDialog*>();
        QVERIFY(dialog != nullptr && !dialog->isModal());
        const auto* text = dialog->findChild<QPlainTextEdit*>();
        const Recipe recipe = parseRecipe(text->toPlainText().toStdString(), "shown.toml");
        QVERIFY(recipe.findings.empty());
        QVERIFY(recipe.experiment == m_draft->experiment());
        delete dialog;
    }
};

QTEST_MAIN(TestRecipeBar)
#include "tst_recipe_bar.moc"
