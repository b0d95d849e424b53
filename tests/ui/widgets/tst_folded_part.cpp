// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/folded_part.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace accrue;

class TestFoldedPart : public QObject {
    Q_OBJECT
private:
    FoldedPart* made(QWidget& parent) const
    {
        auto* part = new FoldedPart(QStringLiteral("Run"), &parent);
        part->addRow(new QLabel(QStringLiteral("row")));
        return part;
    }

private Q_SLOTS:
    void itIsFoldedAtFirst()
    {
        QWidget window;
        FoldedPart* part = made(window);
        window.show();
        QVERIFY(!part->isOpen());
        QVERIFY(!part->findChild<QLabel*>()->isVisible());
        part->setOpen(true);
        QVERIFY(part->findChild<QLabel*>()->isVisible());
    }

    void mouseAndKeyboardOpenAndFoldIt()
    {
        QWidget window;
        FoldedPart* part = made(window);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy toggled(part, &FoldedPart::toggled);
        QTest::mouseClick(part->button(), Qt::LeftButton);
        QVERIFY(part->isOpen());
        part->button()->setFocus();
        for (const Qt::Key key : { Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter })
            QTest::keyClick(part->button(), key);
        QVERIFY(!part->isOpen());
        QCOMPARE(toggled.size(), 4);
        part->setOpen(true);
        QCOMPARE(toggled.size(), 4); // emitted for the user only
    }

    void itSaysHowMuchDiffers()
    {
        QWidget window;
        FoldedPart* part = made(window);
        QCOMPARE(part->button()->text(), QStringLiteral("Advanced"));
        part->setCounts(2, 0);
        QCOMPARE(part->button()->text(), QStringLiteral("Advanced, 2 changed"));
        QCOMPARE(part->button()->accessibleName(), QStringLiteral("Run: Advanced, 2 changed"));
        part->setCounts(1, 3);
        QCOMPARE(part->button()->text(), QStringLiteral("Advanced, 1 changed, 3 to check"));
    }
};

QTEST_MAIN(TestFoldedPart)
#include "tst_folded_part.moc"
