// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_picture.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include "tests/support/waiting.h"

#include <functional>
#include <memory>
#include <optional>

using namespace accrue;

class TestChartPicture : public QObject {
    Q_OBJECT
private:
    static void save(
        QWidget& chart, const QString& path, const std::function<void(bool written)>& done)
    {
        chart.resize(40, 20);
        const auto paint = [](QPainter& painter, Plot::Medium) {
            painter.fillRect(0, 0, 40, 20, Qt::red);
        };
        savePictureOf(chart, chart.size(), QStringLiteral("A title"), paint, path, done);
    }
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void aPictureNeverReplacesAnotherKindOfFile()
    {
        QCOMPARE(pictureFile(QStringLiteral("a/runs.db")), QStringLiteral("a/runs.db.svg"));
        QCOMPARE(pictureFile(QStringLiteral("loss")), QStringLiteral("loss.svg"));
        QCOMPARE(pictureFile(QStringLiteral("loss.PNG")), QStringLiteral("loss.PNG"));
    }

    void theEndingSaysWhichKindIsWritten()
    {
        QWidget chart;
        for (const char* name : { "chart.png", "chart.svg" }) {
            const QString path = m_folder.filePath(QLatin1String(name));
            std::optional<bool> written;
            save(chart, path, [&](bool done) { written = done; });
            QTRY_VERIFY(written);
            QVERIFY(*written);
        }
        const QImage png(m_folder.filePath(QStringLiteral("chart.png")));
        QCOMPARE(png.size(), QSize(80, 40));
        QCOMPARE(png.pixelColor(70, 30), QColor(Qt::red));
        const QByteArray text = contentOf(m_folder.filePath(QStringLiteral("chart.svg")));
        QVERIFY(text.contains("A title"));
        QVERIFY(text.contains("viewBox=\"0 0 40 20\""));
    }

    void whatCannotBeWrittenIsTold()
    {
        QWidget chart;
        std::optional<bool> written;
        save(chart, m_folder.filePath(QStringLiteral("no/such/chart.svg")),
            [&](bool done) { written = done; });
        QTRY_VERIFY(written);
        QVERIFY(!*written);
    }

    void aChartThatIsGoneIsToldNothing()
    {
        auto chart = std::make_unique<QWidget>();
        const QString path = m_folder.filePath(QStringLiteral("late.svg"));
        bool told = false;
        save(*chart, path, [&](bool) { told = true; });
        chart.reset();
        QTRY_VERIFY(QFile::exists(path));
        QTest::qWait(50);
        QVERIFY(!told);
    }
};

QTEST_MAIN(TestChartPicture)
#include "tst_chart_picture.moc"
