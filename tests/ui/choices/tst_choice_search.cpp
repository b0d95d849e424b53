// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_search.h"

#include <QTest>

using namespace accrue;

class TestChoiceSearch : public QObject {
    Q_OBJECT
private:
    static bool finds(
        const char* text, const char* title, const char* detail = "", bool isExpression = false)
    {
        return ChoiceSearch(QString::fromUtf8(text), isExpression)
            .matches({ {}, QString::fromUtf8(title), QString::fromUtf8(detail) });
    }

private Q_SLOTS:
    void aPartOfTheNameFindsWhateverItsCase()
    {
        QVERIFY(finds("LOSS", "train/loss"));
        QVERIFY(finds("n/lo", "train/loss"));
        QVERIFY(!finds("losses", "train/loss"));
        QVERIFY(finds("", "train/loss"));
    }

    void wordsAllHaveToOccur()
    {
        QVERIFY(finds("accuracy test", "Test accuracy"));
        QVERIFY(!finds("accuracy train", "Test accuracy"));
    }

    void theNameInTheLogFindsToo() { QVERIFY(finds("test_acc", "Test accuracy", "test_accuracy")); }

    void anExpressionIsBetweenSlashesOrSaidToBeOne()
    {
        QVERIFY(finds("/LOSS$/", "train/loss"));
        QVERIFY(!finds("/loss$/", "train/loss_scale"));
        QVERIFY(finds("top[15]$", "val/top5", "", true));
        QVERIFY(!finds("top[15]$", "val/top5"));
        QVERIFY(finds("/^val/", "val/top5", "", true)); // still between slashes
        QVERIFY(finds("/top", "val/top5")); // one slash is part of a name
    }

    void aWrongExpressionIsOneSentenceAndFindsNothing()
    {
        const ChoiceSearch search(QStringLiteral("/top(1/"));
        QVERIFY2(search.problem().startsWith(QLatin1String("The expression is wrong at character")),
            qPrintable(search.problem()));
        QVERIFY(search.problem().endsWith(QLatin1Char('.')));
        QVERIFY(!search.matches({ {}, QStringLiteral("top(1") }));
        QVERIFY(ChoiceSearch(QStringLiteral("top(1")).problem().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestChoiceSearch)
#include "tst_choice_search.moc"
