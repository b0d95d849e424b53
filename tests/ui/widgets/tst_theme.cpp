// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDBusVariant>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "ui/widgets/form_widgets.h"

using namespace accrue;

namespace {

// WCAG's contrast of two colours, 1 to 21.
double contrast(const QColor& a, const QColor& b)
{
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double channel) {
            return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
            + 0.0722 * linear(color.blueF());
    };
    const auto [low, high] = std::minmax({ luminance(a), luminance(b) });
    return (high + 0.05) / (low + 0.05);
}

// As the desktop reports that its user prefers dark.
void tellDesktop(Theme& theme, bool dark, const char* group = "org.freedesktop.appearance")
{
    const QDBusVariant number(QVariant(dark ? 1U : 2U));
    QVERIFY(QMetaObject::invokeMethod(&theme, "takeSetting",
        Q_ARG(QString, QString::fromLatin1(group)), Q_ARG(QString, QStringLiteral("color-scheme")),
        Q_ARG(QDBusVariant, QDBusVariant(QVariant::fromValue(number))))); // as in the first answer
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsReadableOnItsGround_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void textIsReadableOnItsGround()
    {
        QFETCH(bool, dark);
        Theme theme;
        theme.apply(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        const ThemeColors& c = themeColors();
        for (const QColor& ground : { c.window, c.sidebar, c.base, c.raised, c.button }) {
            for (const QColor& ink : { c.text, c.muted, c.accent, c.error, c.warning, c.good })
                QVERIFY2(contrast(ink, ground) >= 4.5,
                    qPrintable(QStringLiteral("%1 on %2").arg(ink.name(), ground.name())));
        }
        for (const QColor& ground : { c.hover, c.selection })
            QVERIFY(contrast(c.text, ground) >= 4.5);
        for (const QColor& ground : { c.accentFill, c.accentHover })
            QVERIFY(contrast(Qt::white, ground) >= 4.5);
        QCOMPARE(qApp->palette().color(QPalette::Base), c.base);
        QCOMPARE(qApp->palette().color(QPalette::Text), c.text);
    }

    void theStyleSheetKnowsAllItsColours()
    {
        Theme theme;
        theme.apply(ThemeChoice::Dark);
        QVERIFY(!qApp->styleSheet().isEmpty());
        QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
        QVERIFY(qApp->styleSheet().contains(themeColors().accent.name()));
    }

    void asTheSystemFollowsTheDesktop()
    {
        Theme theme;
        theme.apply(ThemeChoice::System);
        tellDesktop(theme, false);
        QSignalSpy changed(&theme, &Theme::themeChanged);
        tellDesktop(theme, true);
        QVERIFY(theme.isDark());
        QCOMPARE(changed.size(), 1);
        tellDesktop(theme, true); // no change
        QCOMPARE(changed.size(), 1);
        tellDesktop(theme, false, "org.example.other");
        QVERIFY(theme.isDark());
        tellDesktop(theme, false);
        QVERIFY(!theme.isDark());
    }

    void aChoiceOfTheUsersStandsWhateverTheDesktopSays()
    {
        Theme theme;
        tellDesktop(theme, false);
        theme.apply(ThemeChoice::Light);
        tellDesktop(theme, true);
        QVERIFY(!theme.isDark());
        theme.apply(ThemeChoice::System); // the desktop's state of meanwhile
        QVERIFY(theme.isDark());
        QCOMPARE(theme.choice(), ThemeChoice::System);
    }

    void theSolvedNumberOfABatchIsInItalicsInEveryTheme()
    {
        Theme theme;
        theme.apply(ThemeChoice::Light);
        constexpr auto kOffers = BatchNumberEditor::Offers::Solution;
        BatchNumberEditor steps(QStringLiteral("N"), kOffers);
        BatchNumberEditor effective(QStringLiteral("B"), kOffers);
        effective.setText(QStringLiteral("auto"));
        for (BatchNumberEditor* each : { &steps, &effective })
            each->show();
        steps.setText(QStringLiteral("auto"));
        effective.setText(QStringLiteral("128"));
        for (const ThemeChoice next :
            { ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Light }) {
            theme.apply(next);
            QVERIFY(steps.edit()->font().italic());
            QVERIFY(!effective.edit()->font().italic());
        }
    }

    void withoutAThemeColoursAreTheLightOnes()
    {
        QColor light;
        {
            Theme theme;
            theme.apply(ThemeChoice::Light);
            light = themeColors().window;
            theme.apply(ThemeChoice::Dark);
            QVERIFY(themeColors().window != light);
        }
        QVERIFY(Theme::instance() == nullptr);
        QCOMPARE(themeColors().window, light);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
