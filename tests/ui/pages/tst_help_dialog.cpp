// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/help_dialog.h"

#include <QAction>
#include <QDialog>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>

#include "tests/ui/pages/window_test.h"

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

private Q_SLOTS:
    void theWordsOfEveryPageAreDefined()
    {
        showHelp(m_window.get(), m_window->registry(), HelpTopic::Train);
        const QString text = help()->toPlainText();
        for (const char* word : { "Window", "Tail", "flush", "Memory model", "Transient memory",
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
};

QTEST_MAIN(TestHelpDialog)
#include "tst_help_dialog.moc"
