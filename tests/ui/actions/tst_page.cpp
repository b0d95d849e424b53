// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/page.h"

#include <QAction>
#include <QLineEdit>
#include <QTest>

using namespace accrue;

namespace {

class SmallPage : public Page {
public:
    SmallPage()
        : Page({ "small", "runs", QStringLiteral("Small"), Qt::Key_F9 }, nullptr)
        , one(QStringLiteral("One"))
        , two(QStringLiteral("Two"))
        , field(this)
    {
        addToMenu(Menu::Own, { { "small.one", &one }, {}, { "small.two", &two } });
        addToMenu(Menu::Edit, { { "edit.three", &three } });
    }

    QAction one;
    QAction two;
    QAction three;
    QLineEdit field;
};

QStringList idsOf(const std::vector<Page::MenuEntry>& entries)
{
    QStringList ids;
    for (const Page::MenuEntry& entry : entries)
        ids << QString::fromLatin1(entry.id);
    return ids;
}

} // namespace

class TestPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anActionIsFoundByItsIdInAnyMenu()
    {
        SmallPage page;
        QCOMPARE(page.id(), QStringLiteral("small"));
        QCOMPARE(page.action("small.two"), &page.two);
        QCOMPARE(page.action("edit.three"), &page.three);
    }

    void anActionOfTheWindowIsInsertedBelowOneOfThePage()
    {
        SmallPage page;
        QAction more;
        page.insertBelow("small.one", { "window.more", &more });
        const QStringList expected { QStringLiteral("small.one"), QStringLiteral("window.more"),
            QString(), QStringLiteral("small.two") };
        QCOMPARE(idsOf(page.entries(Page::Menu::Own)), expected);
        QCOMPARE(page.action("window.more"), &more);
    }

    void theKeyboardGoesToTheMainPartWhereThatCanTakeIt()
    {
        SmallPage page;
        page.show();
        QVERIFY(!page.focusMainPart()); // none is set
        page.setFocusProxy(&page.field);
        QVERIFY(page.focusMainPart());
        QCOMPARE(page.focusWidget(), &page.field);
        page.field.setEnabled(false);
        QVERIFY(!page.focusMainPart());
    }
};

QTEST_MAIN(TestPage)
#include "tst_page.moc"
