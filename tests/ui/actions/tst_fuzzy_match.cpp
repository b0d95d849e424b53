// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/fuzzy_match.h"

#include <QTest>

using namespace accrue;

class TestFuzzyMatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsFitInAnyOrderAndCase()
    {
        const QString text = QStringLiteral("Export series as CSV");
        QVERIFY(matchScore(QStringLiteral("csv export"), text));
        QVERIFY(matchScore(QStringLiteral("  SERI  ex "), text));
        QVERIFY(matchScore(QString(), text));
        QVERIFY(!matchScore(QStringLiteral("csv import"), text));
    }

    void firstLettersOfWordsFit()
    {
        QVERIFY(matchScore(QStringLiteral("lrt"), QStringLiteral("Change the learning rate")));
        QVERIFY(!matchScore(QStringLiteral("xyz"), QStringLiteral("Change the learning rate")));
        // Letters that are somewhere inside a word only are no match.
        QVERIFY(!matchScore(QStringLiteral("nng"), QStringLiteral("Change the learning rate")));
    }

    void beginningsOfWordsBeatParts()
    {
        const QString query = QStringLiteral("arch");
        QVERIFY(matchScore(query, QStringLiteral("Archive"))
            > matchScore(query, QStringLiteral("Show archived runs")));
        QVERIFY(matchScore(query, QStringLiteral("Show archived runs"))
            > matchScore(query, QStringLiteral("Search runs")));
    }

    void theShorterOfTwoThatFitAlikeIsBetter()
    {
        const QString query = QStringLiteral("#1");
        QVERIFY(matchScore(query, QStringLiteral("first-run #1"))
            > matchScore(query, QStringLiteral("Export series of run #1 as CSV")));
    }
};

QTEST_MAIN(TestFuzzyMatch)
#include "tst_fuzzy_match.moc"
