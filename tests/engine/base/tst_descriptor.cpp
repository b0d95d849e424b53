// SPDX-License-Identifier: Apache-2.0
#include "engine/base/descriptor.h"

#include <cerrno>
#include <utility>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>

using namespace accrue;

class TestDescriptor : public QObject {
    Q_OBJECT

private:
    static bool isOpen(int number) { return ::fcntl(number, F_GETFD) >= 0; }
    static Descriptor opened(const char* path = "/dev/null")
    {
        return Descriptor(::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    }

private Q_SLOTS:
    void aDescriptorIsClosedOnce()
    {
        int number = -1;
        {
            Descriptor first = opened();
            number = first.get();
            const Descriptor second = std::move(first);
            QVERIFY(second.isOpen() && isOpen(number));
        }
        QVERIFY(!isOpen(number));
    }

    void whatIsReplacedIsClosed()
    {
        Descriptor file = opened();
        const int number = file.get();
        file = opened();
        QVERIFY(file.isOpen());
        QVERIFY(!isOpen(number));
    }

    void aPathNamesTheOpenFileUntilItIsAnother()
    {
        const QTemporaryDir folder;
        const QByteArray path = folder.filePath(QStringLiteral("file")).toUtf8();
        const Descriptor file = opened(path.constData());
        QVERIFY(file.isStillAt(path.constData()));
        QVERIFY(QFile::rename(path, path + "-moved"));
        QVERIFY(!file.isStillAt(path.constData()));
        const Descriptor other = opened(path.constData());
        QVERIFY(!file.isStillAt(path.constData()));
        QVERIFY(!Descriptor().isStillAt(path.constData()));
    }

    void onlyAFolderCanBeSynced()
    {
        const QTemporaryDir folder;
        QVERIFY(trySyncFolder(folder.path().toStdString()));
        QVERIFY(trySyncFolder({})); // the working directory
        const std::string none = folder.filePath(QStringLiteral("none")).toStdString();
        const bool synced = trySyncFolder(none);
        const int error = errno;
        QVERIFY(!synced);
        QCOMPARE(error, ENOENT);
    }
};

QTEST_GUILESS_MAIN(TestDescriptor)
#include "tst_descriptor.moc"
