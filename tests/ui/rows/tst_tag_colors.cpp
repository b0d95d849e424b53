// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/tag_colors.h"

#include "tests/support/contrast.h"
#include "ui/widgets/run_delegates.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QTest>

#include <set>

using namespace accrue;

class TestTagColors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTagHasTheSameColourAlways()
    {
        m_theme.apply(ThemeChoice::Light);
        QCOMPARE(tagColor(QStringLiteral("baseline")), tagColor(QStringLiteral("baseline")));
        // As in any other process: a number that was computed by hand once.
        QCOMPARE(tagColor(QString()), QColor(QRgb(0xffa8326e))); // 2166136261 % 8 = 5
        std::set<QRgb> colors;
        for (int i = 0; i < 100; ++i)
            colors.insert(tagColor(QStringLiteral("tag%1").arg(i)).rgb());
        QCOMPARE(colors.size(), std::size_t { 8 });
    }

    void textOnAChipIsReadableInBothThemes_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
    }

    void textOnAChipIsReadableInBothThemes()
    {
        QFETCH(ThemeChoice, theme);
        m_theme.apply(theme);
        for (int i = 0; i < 100; ++i) {
            const QColor color = tagColor(QStringLiteral("tag%1").arg(i));
            QImage image(60, 20, QImage::Format_ARGB32);
            QPainter painter(&image);
            paintChip(painter, QRectF(0, 0, 60, 20), color, {});
            const double contrast = test::contrastOf(color, image.pixelColor(30, 10));
            QVERIFY2(contrast >= 4.5,
                qPrintable(QStringLiteral("%1: %2").arg(color.name()).arg(contrast)));
        }
    }

private:
    Theme m_theme;
};

QTEST_MAIN(TestTagColors)
#include "tst_tag_colors.moc"
