// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/file_dialogs.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/waiting.h"

#include <memory>

using namespace accrue;

class TestFileDialogs : public QObject {
    Q_OBJECT
private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    QFileDialog* askForLog()
    {
        return askOpenOrNew(*m_page, QStringLiteral("Log"), m_folder.path(),
            QStringLiteral("Logs (*.db);;All files (*)"), QStringLiteral(".db"),
            [this](const QString& chosen) { m_chosen = chosen; });
    }

    QFileDialog* askForPicture()
    {
        return askSave(*m_page, QStringLiteral("Save"), path("loss.svg"),
            QStringLiteral("Vector picture (*.svg);;Picture (*.png)"),
            [this](const QString& chosen) { m_chosen = chosen; });
    }

    const QString m_any = QStringLiteral("All files (*)");
    QTemporaryDir m_folder;
    std::unique_ptr<QWidget> m_page;
    QString m_chosen;

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<QWidget>();
        m_page->show();
        m_chosen.clear();
    }

    void noneHoldsTheWindowUp()
    {
        const TakePath nothing = [](const QString&) {};
        const auto seen = [](const QFileDialog* dialog) {
            return dialog->isVisible() && dialog->windowModality() == Qt::NonModal;
        };
        QVERIFY(
            seen(askSave(*m_page, QStringLiteral("Save"), QStringLiteral("a"), m_any, nothing)));
        QVERIFY(seen(askOpen(*m_page, QStringLiteral("Open"), m_folder.path(), m_any, nothing)));
        QVERIFY(seen(askFolder(*m_page, QStringLiteral("Folder"), m_folder.path(), nothing)));
        QVERIFY(seen(askForLog()));
    }

    void aFileToSaveHasAFolderAndAFreeName()
    {
        setSaveFolder(m_folder.path());
        const auto ask = [this] {
            return askSave(*m_page, QStringLiteral("Save"), QStringLiteral("runs.csv"),
                QStringLiteral("Tables (*.csv)"),
                [this](const QString& chosen) { m_chosen = chosen; });
        };
        QCOMPARE(ask()->selectedFiles(), QStringList { path("runs.csv") });
        for (const char* name : { "runs.csv", "runs-2.csv" }) {
            QFile there(path(name));
            QVERIFY(there.open(QIODevice::WriteOnly));
        }
        QCOMPARE(ask()->selectedFiles(), QStringList { path("runs-3.csv") });
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("other")));
        Q_EMIT ask()->fileSelected(path("other/runs.csv"));
        QCOMPARE(saveFolder(), path("other")); // the next one is saved beside it
        setSaveFolder(path("gone"));
        QVERIFY(QFileInfo(saveFolder()).isDir());
        setSaveFolder({});
    }

    void aFileThatHasAFolderMovesNoOther()
    {
        setSaveFolder(m_folder.path());
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("recipes")));
        QFileDialog* const dialog = askSave(*m_page, QStringLiteral("Save"),
            path("recipes/mine.toml"), QStringLiteral("Recipes (*.toml)"),
            [this](const QString& chosen) { m_chosen = chosen; });
        Q_EMIT dialog->fileSelected(path("recipes/mine.toml"));
        QCOMPARE(m_chosen, path("recipes/mine.toml"));
        QCOMPARE(saveFolder(), m_folder.path()); // where tables and pictures go
        setSaveFolder({});
    }

    void aParentAsksOneQuestionAtATimeAndTheNewestCounts()
    {
        QFileDialog* const first = askForLog();
        QFileDialog* const other =
            askFolder(*m_page, QStringLiteral("Folder"), m_folder.path(), [](const QString&) {});
        QVERIFY(!first->isVisible());
        QVERIFY(other->isVisible());
        QString newest;
        for (const char* answer : { "first", "second" })
            askSave(*m_page, QStringLiteral("Save"), QStringLiteral("a"), m_any,
                [&newest, answer](const QString&) { newest = QString::fromUtf8(answer); });
        QTRY_COMPARE(m_page->findChildren<QFileDialog*>().size(), 1);
        Q_EMIT m_page->findChild<QFileDialog*>()->fileSelected(path("chosen"));
        QCOMPARE(newest, QStringLiteral("second"));
    }

    void theEndingIsThatOfTheChosenKind()
    {
        QFileDialog* const dialog = askForPicture();
        QCOMPARE(dialog->selectedFiles(), QStringList { path("loss.svg") });
        Q_EMIT dialog->filterSelected(QStringLiteral("Picture (*.png)"));
        QCOMPARE(dialog->selectedFiles(), QStringList { path("loss.png") });
        for (const char* name : { "chart", "v1.2" }) {
            dialog->selectFile(path(name));
            Q_EMIT dialog->filterSelected(QStringLiteral("Picture (*.png)"));
            QCOMPARE(dialog->selectedFiles(), QStringList { path(name) });
            Q_EMIT dialog->fileSelected(path(name));
            QCOMPARE(m_chosen, path(name) + QStringLiteral(".png"));
        }
        Q_EMIT dialog->fileSelected(path("LOSS.SVG"));
        QCOMPARE(m_chosen, path("LOSS.SVG"));
    }

    void aFileIsReplacedOnlyWhenThatIsWanted()
    {
        QFile there(path("loss.v2.svg"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        for (const bool wanted : { false, true }) {
            m_chosen.clear();
            Q_EMIT askForPicture()->fileSelected(path("loss.v2"));
            auto* question = m_page->findChild<QMessageBox*>();
            QVERIFY(question != nullptr && question->isVisible() && !question->isModal());
            QVERIFY(question->text().contains(path("loss.v2.svg")));
            QCOMPARE(m_chosen, QString());
            for (QAbstractButton* button : question->buttons())
                if ((question->buttonRole(button) == QMessageBox::AcceptRole) == wanted)
                    QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(m_chosen, wanted ? path("loss.v2.svg") : QString());
            QTRY_VERIFY(m_page->findChild<QMessageBox*>() == nullptr);
        }
    }

    void aNewFileGetsAnEndingAndOneThatIsThereIsTakenAsItIs()
    {
        QFile there(path("mylog"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        const auto choose = [this](const char* name) {
            Q_EMIT askForLog()->fileSelected(path(name));
            return m_chosen;
        };
        QCOMPARE(askForLog()->defaultSuffix(), QString());
        QCOMPARE(choose("mylog"), path("mylog"));
        QCOMPARE(choose("new"), path("new.db"));
        QCOMPARE(choose("new.sqlite"), path("new.sqlite"));
    }
};

QTEST_MAIN(TestFileDialogs)
#include "tst_file_dialogs.moc"
