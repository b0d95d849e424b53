// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/file_dialogs.h"

#include <QFile>
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTest>

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
        const QString any = QStringLiteral("All files (*)");
        const auto seen = [](const QFileDialog* dialog) {
            return dialog->isVisible() && dialog->windowModality() == Qt::NonModal;
        };
        QVERIFY(seen(askSave(*m_page, QStringLiteral("Save"), QStringLiteral("a"), any, nothing)));
        QVERIFY(seen(askOpen(*m_page, QStringLiteral("Open"), m_folder.path(), any, nothing)));
        QVERIFY(seen(askFolder(*m_page, QStringLiteral("Folder"), m_folder.path(), nothing)));
        QVERIFY(seen(askForLog()));
    }

    void aParentAsksOneQuestionAtATime()
    {
        QFileDialog* const first = askForLog();
        QCOMPARE(askForLog(), first);
        QFileDialog* const other =
            askFolder(*m_page, QStringLiteral("Folder"), m_folder.path(), [](const QString&) {});
        QVERIFY(!first->isVisible());
        QVERIFY(other->isVisible());
        QVERIFY(askForLog() != other);
        QTRY_COMPARE(m_page->findChildren<QFileDialog*>().size(), 1);
    }

    void theEndingIsThatOfTheChosenKind()
    {
        QFileDialog* const dialog = askSave(*m_page, QStringLiteral("Save"), path("loss.svg"),
            QStringLiteral("Vector picture (*.svg);;Picture (*.png)"),
            [this](const QString& chosen) { m_chosen = chosen; });
        QCOMPARE(dialog->defaultSuffix(), QStringLiteral("svg"));
        QCOMPARE(dialog->selectedFiles(), QStringList { path("loss.svg") });
        Q_EMIT dialog->filterSelected(QStringLiteral("Picture (*.png)"));
        QCOMPARE(dialog->selectedFiles(), QStringList { path("loss.png") });
        dialog->selectFile(path("chart"));
        QCOMPARE(dialog->selectedFiles(), QStringList { path("chart.png") });
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
