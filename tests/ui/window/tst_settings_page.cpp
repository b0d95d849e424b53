// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings_page.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "engine/base/places.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"

using namespace accrue;

class TestSettingsPage : public WindowTest {
    Q_OBJECT
private:
    SettingsPage& showSettings()
    {
        auto* page = m_window->findChild<SettingsPage*>();
        m_window->showPage(*page);
        m_window->activateWindow();
        return *page;
    }

    template <class Widget> Widget& named(const char* accessibleName)
    {
        for (Widget* widget : showSettings().findChildren<Widget*>())
            if (widget->accessibleName() == QLatin1String(accessibleName))
                return *widget;
        qFatal("The page has no “%s”.", accessibleName);
    }

    QPushButton& button(const char* text)
    {
        for (QPushButton* each : showSettings().findChildren<QPushButton*>())
            if (each->text() == QString::fromUtf8(text))
                return *each;
        qFatal("The page has no button “%s”.", text);
    }

    QAction& themeInMenu(const char* text) const
    {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text() == QLatin1String(text))
                return *action;
        qFatal("There is no “%s”.", text);
    }

private Q_SLOTS:
    void fieldAndMenuShowTheThemeThatEitherChose()
    {
        auto& theme = named<QComboBox>("Theme");
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        themeInMenu("Dark theme").trigger();
        QCOMPARE(m_theme.choice(), ThemeChoice::Dark);
        QCOMPARE(theme.currentText(), QStringLiteral("Dark"));
        theme.setFocus();
        QTest::keyClick(&theme, Qt::Key_Home);
        QCOMPARE(m_theme.choice(), ThemeChoice::System);
        QVERIFY(themeInMenu("System theme").isChecked());
        QTest::keyClick(&theme, Qt::Key_End);
        shut();
        open();
        QCOMPARE(m_theme.choice(), ThemeChoice::Dark);
        QCOMPARE(named<QComboBox>("Theme").currentText(), QStringLiteral("Dark"));
    }

    void anotherLogMayBecomeTheDefault()
    {
        const QString log = m_folder->filePath(QStringLiteral("runs.db"));
        QCOMPARE(named<QLineEdit>("Run log").text(), log);
        QVERIFY(!button("Make default").isHidden());
        QTest::mouseClick(&button("Make default"), Qt::LeftButton);
        QCOMPARE(defaultRunLog(), std::filesystem::path(log.toStdString()));
        QVERIFY(button("Make default").isHidden());
    }

    void anotherLogIsOpenedOnlyWhileNoRunIsInProgress()
    {
        QVERIFY(button("Open another…").toolTip().contains(QLatin1String("Ctrl+O")));
        QTest::mouseClick(&button("Open another…"), Qt::LeftButton);
        QVERIFY(m_window->findChild<QFileDialog*>() != nullptr);
        startLongRun();
        QVERIFY(!button("Open another…").isEnabled());
        QVERIFY(button("Open another…").toolTip().contains(QLatin1String("Stop it"))); // and why
        m_backend->controller.stop();
        QTRY_VERIFY(button("Open another…").isEnabled());
    }

    void theDataFolderIsStoredOnceItWasChanged()
    {
        auto& folder = named<QLineEdit>("Data folder");
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        folder.setFocus();
        QTest::keyClick(&folder, Qt::Key_Return); // as it was
        QVERIFY(readUserSettings().dataDirectory.empty());
        QTest::keyClicks(&folder, QStringLiteral(" /data/mine "));
        QTest::keyClick(&folder, Qt::Key_Return);
        QCOMPARE(readUserSettings().dataDirectory, std::filesystem::path("/data/mine"));
        shut();
        open();
        QCOMPARE(named<QLineEdit>("Data folder").text(), QStringLiteral("/data/mine"));
    }

    void theEnginesStateCanBeCopied()
    {
        const auto* engine = showSettings().findChild<QLabel*>(QStringLiteral("engine"));
        QVERIFY(engine != nullptr);
        QTRY_VERIFY(engine->text().startsWith(QLatin1String("torch 2.11.0+fake")));
        QVERIFY(engine->textInteractionFlags() & Qt::TextSelectableByMouse);
    }
};

QTEST_MAIN(TestSettingsPage)
#include "tst_settings_page.moc"
