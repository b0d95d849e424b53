// SPDX-License-Identifier: Apache-2.0
#include "ui/window/help_dialog.h"

#include "ui/train/experiment_form.h"
#include "ui/train/train_page.h"

#include "ui/train/next_run_column.h"
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

#include "tests/ui/window/window_test.h"

using namespace accrue;

class TestHelpDialog : public WindowTest {
    Q_OBJECT
private:
    QTextBrowser* help() const
    {
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            if (dialog->isVisible())
                return dialog->findChild<QTextBrowser*>();
        return nullptr;
    }
    // The first visible lines of the help.
    QString wordOnTop() const
    {
        QTextBrowser* const text = help();
        return text == nullptr ? QString() : text->cursorForPosition({ 30, 12 }).block().text();
    }
    FormRow* row(const char* key) const { return m_window->train().nextRun().form().row(key); }
    QLabel* label(const char* key) const { return row(key)->findChild<QLabel*>(); }

private Q_SLOTS:
    void theWordsOfEveryPageAreDefined()
    {
        showHelp(m_window.get(), m_window->registry(), HelpTopic::Train);
        const QString text = help()->toPlainText();
        for (const char* word :
            { "Window", "Last partial batch", "flush", "Memory model", "Transient memory",
                "Scale learning rate with N", "Effective batch B", "Equivalent" })
            QVERIFY2(text.contains(QLatin1String(word)), word);
    }

    void itOpensAtTheSectionAboutThePage()
    {
        int before = -1;
        for (const HelpTopic topic : { HelpTopic::Train, HelpTopic::Runs, HelpTopic::Compare,
                 HelpTopic::Memory, HelpTopic::Preferences }) {
            showHelp(m_window.get(), m_window->registry(), topic);
            QCoreApplication::processEvents();
            const int at = help()->verticalScrollBar()->value();
            QVERIFY2(at > before, qPrintable(QString::number(at)));
            before = at;
        }
    }

    void theFieldsThatNeedItAreExplained()
    {
        for (const char* key :
            { "batch.effective", "batch.micro", "batch.steps", "batch.devices", "batch.reduction",
                "batch.tail", "optimizer.lr_rule", "model.batchnorm_momentum", "memory.budget" })
            QVERIFY2(isExplained(row(key)->title()), key);
    }

    void aClickOnALabelLeadsToItsWord()
    {
        QTest::mouseClick(label("batch.steps"), Qt::LeftButton);
        QCOMPARE(wordOnTop(), label("batch.steps")->text());
    }

    void aClickOnALabelThatIsNotExplainedShowsNothing()
    {
        QTest::mouseClick(label("run.seed"), Qt::LeftButton);
        QVERIFY(help() == nullptr);
    }

    void theHelpKeyLeadsToTheWordOfTheFieldThatHasTheKeyboard()
    {
        m_window->train().nextRun().form().showField("batch.micro");
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        QCOMPARE(wordOnTop(), label("batch.micro")->text());
    }
};

QTEST_MAIN(TestHelpDialog)
#include "tst_help_dialog.moc"
