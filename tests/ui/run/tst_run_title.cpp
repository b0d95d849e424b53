// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_title.h"

#include <QTest>

using namespace accrue;

class TestRunTitle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameIsFollowedByItsNumber()
    {
        QCOMPARE(runTitle("first-run", RunId { 8 }), QStringLiteral("first-run #8"));
        QCOMPARE(runTitle("学习率", RunId { 8 }), QStringLiteral("学习率 #8"));
    }

    void aNameFromRightToLeftIsIsolatedFromItsNumber()
    {
        const QString arabic = QStringLiteral("تجربة");
        QCOMPARE(runTitle(arabic.toStdString(), RunId { 8 }),
            QStringLiteral("\u2068%1\u2069 #8").arg(arabic));
        const QString mixed = QStringLiteral("run תווית 2");
        QCOMPARE(runTitle(mixed.toStdString(), RunId { 12 }),
            QStringLiteral("\u2068%1\u2069 #12").arg(mixed));
    }

    void aMarkThatTurnsTheTextEndsWithTheName()
    {
        const QString turned = QStringLiteral("a\u202eb"); // right-to-left override
        QCOMPARE(runTitle(turned.toStdString(), RunId { 1 }),
            QStringLiteral("\u2068%1\u2069 #1").arg(turned));
    }
};

QTEST_GUILESS_MAIN(TestRunTitle)
#include "tst_run_title.moc"
