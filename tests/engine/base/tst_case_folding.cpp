// SPDX-License-Identifier: Apache-2.0
#include "engine/base/case_folding.h"

#include <QTest>

using namespace accrue;

class TestCaseFolding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersOfEveryScriptBecomeSmall_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("folded");
        const auto row = [](const char* text, const char* folded) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(folded);
        };
        row("Batch 32", "batch 32");
        row("GRÖSSE", "grösse");
        row("ÑÉ", "ñé");
        row("ОБУЧЕНИЕ", "обучение");
        row("ΛΆΘΟΣ", "λάθοσ");
        row("训练 A", "训练 a");
        row("🙂Z", "🙂z");
        row("", "");
    }

    void lettersOfEveryScriptBecomeSmall()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, folded);
        QCOMPARE(QByteArray::fromStdString(caseFolded(text.toStdString())), folded);
    }

    void bytesThatAreNoUtf8Stay() { QCOMPARE(caseFolded("A\xff\xc3"), std::string("a\xff\xc3")); }
};

QTEST_GUILESS_MAIN(TestCaseFolding)
#include "tst_case_folding.moc"
