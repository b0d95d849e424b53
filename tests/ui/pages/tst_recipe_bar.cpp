// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recipe_bar.h"

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

#include "ui/run/train_command.h"

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
    std::unique_ptr<RecipeBar> m_bar;
    Experiment m_experiment; // that of the form

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        QVERIFY(QDir().mkpath(path("accrue/recipes")));
        QVERIFY(write(path("accrue/recipes/mine.toml"), "[run]\nseed = 99\n"));
        m_experiment = {};
        m_experiment.name = "tried";
        m_experiment.run.seed = 4711;
        m_bar = std::make_unique<RecipeBar>();
        m_bar->setSource([this] { return m_experiment; });
        m_bar->show();
    }

    void cleanup() { m_bar.reset(); }

    void offersTheShippedRecipesAndTheUsersOwn()
    {
        for (const ShippedRecipe& recipe : shippedRecipes())
            QVERIFY(box().findText(QString::fromStdString(recipe.name)) >= 0);
        QCOMPARE(box().count(), static_cast<int>(shippedRecipes().size()) + 2); // and a line
        QVERIFY(!box().itemData(0, Qt::ToolTipRole).toString().isEmpty()); // what it is for
    }

    void aChosenRecipeIsTold()
    {
        std::vector<Recipe> chosen;
        connect(m_bar.get(), &RecipeBar::recipeChosen, this,
            [&chosen](const Recipe& recipe) { chosen.push_back(recipe); });
        m_bar->chooseFirstRun();
        QCOMPARE(shown(), QStringLiteral("first-run"));
        box().setFocus();
        QTest::keyClick(&box(), Qt::Key_End);
        QCOMPARE(chosen.size(), std::size_t { 2 });
        QCOMPARE(chosen.back().experiment.run.seed, std::uint64_t { 99 });
        QCOMPARE(shown(), QStringLiteral("mine"));
    }

    void whatCannotBeReadIsToldAndTheBoxStays()
    {
        m_bar->chooseFirstRun();
        QVERIFY(write(path("accrue/recipes/mine.toml"), "seed = = 4"));
        QSignalSpy chosen(m_bar.get(), &RecipeBar::recipeChosen);
        QSignalSpy failed(m_bar.get(), &RecipeBar::failed);
        box().setFocus();
        QTest::keyClick(&box(), Qt::Key_End);
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed.first().first().toString().contains(QLatin1String("mine.toml")));
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void aSavedRecipeHoldsTheExperimentAndIsListed()
    {
        QSignalSpy saved(m_bar.get(), &RecipeBar::saved);
        const QString file = path("accrue/recipes/tried.toml");
        QVERIFY(m_bar->saveTo(file));
        QCOMPARE(saved.size(), 1);
        QVERIFY(readRecipe(file.toStdString()).experiment == m_experiment);
        QVERIFY(box().findData(file) >= 0);
        QCOMPARE(shown(), QStringLiteral("tried"));
        m_bar->showAsEdited();
        QVERIFY(shown() != QLatin1String("tried"));
        m_bar->reload();
        QCOMPARE(box().currentIndex(), -1); // still edited
    }

    void aFileThatCannotBeSavedIsToldByItsName()
    {
        QSignalSpy failed(m_bar.get(), &RecipeBar::failed);
        QVERIFY(!m_bar->saveTo(path("nowhere/tried.toml")));
        QVERIFY(failed.first().first().toString().contains(path("nowhere/tried.toml")));
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
        QSignalSpy chosen(m_bar.get(), &RecipeBar::recipeChosen);
        m_bar->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_bar.get()));
        box().setFocus(); // it would take the wheel
        QVERIFY(box().hasFocus());
        const QPointF at = box().rect().center();
        QWheelEvent turn(at, box().mapToGlobal(at), {}, { 0, -120 }, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&box(), &turn);
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(shown(), QStringLiteral("first-run"));
    }

    void theCommandLineIsThatOfTheForm()
    {
        QSignalSpy copied(m_bar.get(), &RecipeBar::copied);
        m_bar->copyAction()->trigger();
        QCOMPARE(copied.size(), 1);
        const QString text = QGuiApplication::clipboard()->text();
        QCOMPARE(text, QString::fromStdString(shellText(trainCommandOf(m_experiment))));
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
        QVERIFY(recipe.experiment == m_experiment);
        delete dialog;
    }
};

QTEST_MAIN(TestRecipeBar)
#include "tst_recipe_bar.moc"
