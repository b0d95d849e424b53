// SPDX-License-Identifier: Apache-2.0
#include "ui/window/interface_size.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestInterfaceSize : public QObject {
    Q_OBJECT
private:
    QString file() const { return m_folder.filePath(QStringLiteral("window.ini")); }
    QTemporaryDir m_folder;

private Q_SLOTS:
    void init()
    {
        QFile::remove(file());
        qunsetenv("QT_SCALE_FACTOR");
    }

    void isThatOfTheScreenAtFirst()
    {
        const QSettings settings(file(), QSettings::IniFormat);
        QCOMPARE(interfaceSize(settings), 100);
        applyInterfaceSize(settings);
        QVERIFY(!qEnvironmentVariableIsSet("QT_SCALE_FACTOR"));
    }

    void isUsedByTheNextProgram()
    {
        {
            QSettings settings(file(), QSettings::IniFormat);
            rememberInterfaceSize(settings, 125);
        }
        applyInterfaceSize(QSettings(file(), QSettings::IniFormat));
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.25"));
    }

    void anotherNumberIsNotUsed()
    {
        QSettings settings(file(), QSettings::IniFormat);
        settings.setValue(QStringLiteral("window/size"), 9000);
        QCOMPARE(interfaceSize(settings), 100);
    }

    void theEnvironmentDecides()
    {
        QSettings settings(file(), QSettings::IniFormat);
        rememberInterfaceSize(settings, 150);
        qputenv("QT_SCALE_FACTOR", "3");
        applyInterfaceSize(settings);
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("3"));
    }
};

QTEST_GUILESS_MAIN(TestInterfaceSize)
#include "tst_interface_size.moc"
