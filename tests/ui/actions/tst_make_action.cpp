// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/make_action.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

using namespace accrue;

class TestMakeAction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anActionOfAPageWorksThereOnly()
    {
        QWidget page;
        int done = 0;
        QAction* const action = makePageAction(page,
            { nullptr, QStringLiteral("Go"), Qt::Key_F2, QStringLiteral("Goes") },
            [&done] { ++done; });
        QVERIFY(page.actions().contains(action));
        QCOMPARE(action->parent(), &page);
        QCOMPARE(action->shortcutContext(), Qt::WidgetWithChildrenShortcut);
        QCOMPARE(action->toolTip(), QStringLiteral("Goes (F2)"));
        action->trigger();
        QCOMPARE(done, 1);
    }

    void withoutATipAnActionShowsItsText()
    {
        QObject owner;
        const QAction* const action =
            makeAction(owner, { nullptr, QStringLiteral("Go"), Qt::Key_F2 });
        QCOMPARE(action->toolTip(), QStringLiteral("Go"));
        QCOMPARE(action->shortcutContext(), Qt::WindowShortcut);
    }

    void whatIsOffSaysWhyAndWhatIsOnWhatItDoes()
    {
        QObject owner;
        QAction* const action = makeAction(
            owner, { nullptr, QStringLiteral("Go"), Qt::Key_F2, QStringLiteral("Goes") });
        enable(*action, QStringLiteral("It is red."));
        QVERIFY(!action->isEnabled());
        QCOMPARE(action->toolTip(), QStringLiteral("It is red."));
        enable(*action, {});
        QVERIFY(action->isEnabled());
        QCOMPARE(action->toolTip(), QStringLiteral("Goes"));
        enable(*action, {}, QStringLiteral("Goes home"));
        QCOMPARE(action->toolTip(), QStringLiteral("Goes home"));
    }

    void nothingIsPaintedAgainWhereNothingHasChanged()
    {
        QObject owner;
        QAction* const action = makeAction(owner, { nullptr, QStringLiteral("Go") });
        enable(*action, QStringLiteral("It is red."));
        action->setToolTip(action->toolTip() + QStringLiteral(" (F2)")); // as the registry does
        const QSignalSpy changes(action, &QAction::changed);
        enable(*action, QStringLiteral("It is red."));
        QCOMPARE(changes.size(), 0);
    }
};

QTEST_MAIN(TestMakeAction)
#include "tst_make_action.moc"
