// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_rules.h"

#include <QTest>

using namespace accrue;

class TestShortcutRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysThatSomethingElseUsesAreRefusedWithItsName_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("word"); // empty: they are free
        const std::pair<const char*, const char*> rows[] = { { "Ctrl+Space", "Input methods" },
            { "Shift+Space", "Input methods" }, { "Ctrl+Shift+Space", "Input methods" },
            { "Ctrl+.", "Input methods" }, { "Ctrl+;", "Input methods" },
            { "Ctrl+`", "Input methods" }, { "Ctrl+Shift+F", "Input methods" },
            { "Ctrl+Shift+U", "Input methods" }, { "A", "types" }, { "Shift+A", "types" },
            { "7", "types" }, { "Space", "types" }, { "Ctrl+C", "edits" }, { "Ctrl+Z", "edits" },
            { "Ctrl+U", "edits" }, { "Backspace", "edits" }, { "Ctrl+Left", "edits" },
            { "Tab", "moves" }, { "Ctrl+Tab", "moves" }, { "Return", "moves" }, { "Esc", "moves" },
            { "Up", "moves" }, { "F10", "moves" }, { "Alt+F", "moves" }, { "Alt+F4", "desktop" },
            { "Alt+Tab", "desktop" }, { "Alt+Space", "desktop" }, { "Ctrl+Alt+F1", "desktop" },
            { "Ctrl+Alt+Del", "desktop" }, { "Meta+D", "desktop" }, { "Print", "desktop" },
            { "Ctrl+K, Ctrl+C", "sequence" }, { "", "" }, { "F5", "" }, { "Shift+F5", "" },
            { "Del", "" }, { "Ctrl+K", "" }, { "Ctrl+Return", "" }, { "Ctrl+Alt+P", "" },
            { "Ctrl+,", "" } };
        for (const auto& row : rows)
            QTest::newRow(row.first)
                << QString::fromLatin1(row.first) << QString::fromLatin1(row.second);
    }

    void keysThatSomethingElseUsesAreRefusedWithItsName()
    {
        QFETCH(QString, keys);
        QFETCH(QString, word);
        const QString problem =
            shortcutProblem(QKeySequence::fromString(keys, QKeySequence::PortableText));
        if (word.isEmpty())
            QCOMPARE(problem, QString());
        else
            QVERIFY2(problem.contains(word), qPrintable(problem));
    }
};

QTEST_MAIN(TestShortcutRules)
#include "tst_shortcut_rules.moc"
