// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_panel.h"

#include "ui/choices/searched_box.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace accrue;

// By mouse and keyboard, over 200 names of a script.
class TestChoicePanel : public QObject {
    Q_OBJECT
private:
    static Choices names(const QStringList& marked = {})
    {
        Choices choices;
        for (const char* section : { "train", "val" })
            for (int i = 0; i < 100; ++i) {
                const QString id =
                    QStringLiteral("%1/metric%2").arg(QString::fromLatin1(section)).arg(i);
                choices.push_back(
                    { id, id, {}, QString::fromLatin1(section), {}, marked.contains(id) });
            }
        choices.back().problem = QStringLiteral("It has no value.");
        return choices;
    }

    void type(const char* text)
    {
        m_panel->field()->clear();
        QTest::keyClicks(m_panel->field(), QString::fromUtf8(text));
    }
    void press(Qt::Key key) { QTest::keyClick(m_panel->field(), key); }
    const QAbstractItemModel& rows() const { return *m_panel->list()->model(); }
    QString row(int at) const { return rows().index(at, 0).data().toString(); }
    QString current() const { return m_panel->list()->currentIndex().data().toString(); }

    std::unique_ptr<QWidget> m_window;
    QPushButton* m_button = nullptr;
    ChoicePanel* m_panel = nullptr;

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<QWidget>();
        m_window->resize(800, 600);
        m_button = new QPushButton(QStringLiteral("Open"), m_window.get());
        m_button->move(700, 20);
        m_panel = new ChoicePanel(QStringLiteral("Search metrics"), m_window.get());
        m_panel->setChoices(names());
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_button->setFocus();
        m_panel->openBelow(*m_button);
        QVERIFY(m_panel->field()->hasFocus());
    }

    void itLiesInsideTheWindowBelowItsButton()
    {
        QVERIFY(m_window->rect().contains(m_panel->geometry()));
        QVERIFY(m_panel->y() >= m_button->geometry().bottom());
    }

    void headingsStayWhileNamesAreFiltered()
    {
        QCOMPARE(rows().rowCount(), 202);
        type("metric42");
        QCOMPARE(rows().rowCount(), 4);
        QCOMPARE(row(0), QStringLiteral("train"));
        QCOMPARE(row(1), QStringLiteral("train/metric42"));
        QCOMPARE(row(2), QStringLiteral("val"));
        QCOMPARE(current(), QStringLiteral("train/metric42"));
        type("/VAL.*[37]$/");
        QCOMPARE(rows().rowCount(), 21);
        m_panel->expressionButton()->click();
        type("^val.*[37]$");
        QCOMPARE(rows().rowCount(), 21);
    }

    void arrowsSkipHeadingsAndEnterChooses()
    {
        QSignalSpy chosen(m_panel, &ChoicePanel::chosen);
        type("metric42");
        press(Qt::Key_Down);
        QCOMPARE(current(), QStringLiteral("val/metric42"));
        press(Qt::Key_Down); // the end
        QCOMPARE(current(), QStringLiteral("val/metric42"));
        press(Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("val/metric42"));
        QVERIFY(!m_panel->isVisible()); // one was to be chosen
        QVERIFY(m_button->hasFocus());
    }

    void whatHasNoValueIsNotChosen()
    {
        QSignalSpy chosen(m_panel, &ChoicePanel::chosen);
        type("val/metric99");
        press(Qt::Key_Return);
        QCOMPARE(rows().rowCount(), 2);
        QCOMPARE(rows().index(1, 0).data(Qt::ToolTipRole).toString(),
            QStringLiteral("It has no value."));
        QVERIFY(chosen.isEmpty() && m_panel->isVisible());
    }

    void escapeAndAPressElsewhereClose()
    {
        press(Qt::Key_Escape);
        QVERIFY(!m_panel->isVisible() && m_button->hasFocus());
        m_panel->openBelow(*m_button);
        QTest::mouseClick(m_window.get(), Qt::LeftButton, {}, { 5, 590 });
        QVERIFY(!m_panel->isVisible());
    }

    void thePressOnItsButtonOnlyCloses()
    {
        QSignalSpy clicked(m_button, &QPushButton::clicked);
        QTest::mouseClick(m_button, Qt::LeftButton);
        QVERIFY(!m_panel->isVisible());
        QCOMPARE(clicked.size(), 0);
    }

    void aWrongExpressionHasASentence()
    {
        QVERIFY(m_panel->sentence()->isHidden());
        type("/metric(/");
        QVERIFY(!m_panel->sentence()->isHidden());
        QVERIFY(m_panel->sentence()->text().contains(QLatin1String("character")));
        QCOMPARE(rows().rowCount(), 0);
        type("/metric/");
        QVERIFY(m_panel->sentence()->isHidden());
        type("nowhere");
        QCOMPARE(m_panel->sentence()->text(), QStringLiteral("Nothing matches."));
    }

    void severalStayOpenAndAllThatMatchAreOneClick()
    {
        m_panel->setSeveral(48, QStringLiteral("At most %1."));
        QSignalSpy chosen(m_panel, &ChoicePanel::chosen);
        QSignalSpy all(m_panel, &ChoicePanel::allRequested);
        type("train/metric4");
        press(Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QVERIFY(m_panel->isVisible());
        m_panel->setChoices(names({ QStringLiteral("train/metric4") })); // its owner marks it
        QCOMPARE(current(), QStringLiteral("train/metric4"));
        QCOMPARE(m_panel->allButton()->text(), QStringLiteral("Add all 10 that match"));
        QTest::mouseClick(m_panel->allButton(), Qt::LeftButton);
        QCOMPARE(all.size(), 1);
        QCOMPARE(all[0][0].toStringList().size(), 10);
        QVERIFY(!all[0][0].toStringList().contains(QStringLiteral("train/metric4")));
        QVERIFY(all[0][1].toBool());
    }

    void whatIsChosenAlreadyIsRemoved()
    {
        m_panel->setSeveral(48, QStringLiteral("At most %1."));
        m_panel->setChoices(
            names({ QStringLiteral("val/metric7"), QStringLiteral("train/metric7") }));
        QSignalSpy all(m_panel, &ChoicePanel::allRequested);
        type("/metric7$/");
        QCOMPARE(m_panel->allButton()->text(), QStringLiteral("Remove all 2 that match"));
        m_panel->allButton()->click();
        QCOMPARE(all[0][0].toStringList().size(), 2);
        QVERIFY(!all[0][1].toBool());
    }

    void moreThanThereMayBeIsRefusedInASentence()
    {
        m_panel->setSeveral(48, QStringLiteral("At most %1."));
        QVERIFY(!m_panel->allButton()->isEnabled()); // 199 of 200
        QCOMPARE(m_panel->sentence()->text(), QStringLiteral("At most 48."));
        type("val/metric4");
        QVERIFY(m_panel->allButton()->isEnabled());
        QVERIFY(m_panel->sentence()->isHidden());
    }

    void aBoxFindsItsRowsAndRemembersNoHeading()
    {
        SearchedBox box(QStringLiteral("Search metrics"), m_window.get());
        box.addItem(QStringLiteral("over step"), 0);
        box.addItem(QStringLiteral("over loss"), QStringLiteral("loss"));
        box.show();
        QSignalSpy activated(&box, &QComboBox::activated);
        box.showPopup();
        QVERIFY(box.panel()->isVisible());
        QTest::keyClicks(box.panel()->field(), QStringLiteral("los"));
        QTest::keyClick(box.panel()->field(), Qt::Key_Return);
        QCOMPARE(box.currentData().toString(), QStringLiteral("loss"));
        QCOMPARE(activated.size(), 1);
        QVERIFY(!box.panel()->isVisible());
    }
};

QTEST_MAIN(TestChoicePanel)
#include "tst_choice_panel.moc"
