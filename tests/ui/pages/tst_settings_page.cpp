// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_page.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

#include "tests/ui/pages/registry_of_two.h"
#include "ui/pages/shortcut_table.h"

using namespace accrue;

class TestSettingsPage : public QObject {
    Q_OBJECT
private:
    template <class Widget> Widget& named(const char* accessibleName) const
    {
        for (Widget* widget : m_page->findChildren<Widget*>())
            if (widget->accessibleName() == QLatin1String(accessibleName))
                return *widget;
        qFatal("The page has no “%s”.", accessibleName);
    }

    QPushButton& button(const char* text) const
    {
        for (QPushButton* each : m_page->findChildren<QPushButton*>())
            if (each->text() == QString::fromUtf8(text))
                return *each;
        qFatal("The page has no button “%s”.", text);
    }

    std::unique_ptr<RegistryOfTwo> m_two;
    std::unique_ptr<SettingsPage> m_page;

private Q_SLOTS:
    void init()
    {
        m_two = std::make_unique<RegistryOfTwo>();
        m_page = std::make_unique<SettingsPage>(m_two->registry());
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }

    void cleanup()
    {
        m_page.reset();
        m_two.reset();
    }

    void aThemeIsToldWhenTheUserChoosesItOnly()
    {
        QSignalSpy chosen(m_page.get(), &SettingsPage::themeChosen);
        auto& theme = named<QComboBox>("Theme");
        m_page->showTheme(ThemeChoice::Light);
        const QString light = theme.currentText();
        m_page->showTheme(ThemeChoice::Dark);
        QVERIFY(theme.currentText() != light);
        QCOMPARE(chosen.size(), 0);
        theme.setFocus();
        QTest::keyClick(&theme, Qt::Key_Home);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().value<ThemeChoice>(), ThemeChoice::System);
    }

    void anotherLogMayBecomeTheDefault()
    {
        QSignalSpy kept(m_page.get(), &SettingsPage::runLogKept);
        m_page->showRunLog("/data/runs.db", true, &m_two->run());
        QCOMPARE(named<QLineEdit>("Run log").text(), QStringLiteral("/data/runs.db"));
        QVERIFY(button("Make it the default").isHidden());
        m_page->showRunLog("/data/other.db", false, &m_two->run());
        QCOMPARE(named<QLineEdit>("Run log").text(), QStringLiteral("/data/other.db"));
        QTest::mouseClick(&button("Make it the default"), Qt::LeftButton);
        QCOMPARE(kept.size(), 1);
    }

    void anotherLogIsOpenedOnlyWhileItsActionMay()
    {
        QSignalSpy requested(m_page.get(), &SettingsPage::runLogRequested);
        QAction& open = m_two->run();
        m_page->showRunLog("/data/runs.db", true, &open);
        QTest::mouseClick(&button("Open another…"), Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(button("Open another…").toolTip(), open.toolTip());
        open.setEnabled(false);
        m_page->showRunLog("/data/runs.db", true, &open);
        QTest::mouseClick(&button("Open another…"), Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
        QVERIFY(button("Open another…").toolTip().contains(QLatin1String("stop it"))); // and why
    }

    void theDataFolderIsToldOnceItWasChanged()
    {
        QSignalSpy chosen(m_page.get(), &SettingsPage::dataDirectoryChosen);
        auto& folder = named<QLineEdit>("Data folder");
        m_page->showDataDirectory("/data/sets");
        QCOMPARE(folder.text(), QStringLiteral("/data/sets"));
        folder.setFocus();
        QTest::keyClick(&folder, Qt::Key_Return); // as it was
        QCOMPARE(chosen.size(), 0);
        folder.selectAll();
        QTest::keyClicks(&folder, QStringLiteral(" /data/mine "));
        QTest::keyClick(&folder, Qt::Key_Return);
        QTest::keyClick(&folder, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().toString(), QStringLiteral("/data/mine"));
    }

    void theEnginesStateCanBeCopied()
    {
        m_page->showEngine(QStringLiteral("LibTorch 2.11.0"));
        const auto labels = m_page->findChildren<QLabel*>();
        const auto found = std::find_if(labels.begin(), labels.end(),
            [](const QLabel* label) { return label->text() == QLatin1String("LibTorch 2.11.0"); });
        QVERIFY(found != labels.end());
        QVERIFY((*found)->textInteractionFlags() & Qt::TextSelectableByMouse);
    }
};

QTEST_MAIN(TestSettingsPage)
#include "tst_settings_page.moc"
