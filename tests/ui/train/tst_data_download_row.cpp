// SPDX-License-Identifier: Apache-2.0
#include "ui/train/data_download_row.h"

#include <filesystem>
#include <memory>

#include <QAction>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/base/places.h"
#include "engine/download/mirrors.h"
#include "tests/support/http_server.h"
#include "tests/support/waiting.h"

using namespace accrue;
namespace fs = std::filesystem;

namespace {

using State = DataSetStatus::State;

DataSetStatus statusOf(const char* name, State state, const fs::path& folder = {})
{
    DataSetStatus status;
    status.name = name;
    status.state = state;
    status.folder = folder;
    return status;
}

const QString kTitle = QStringLiteral("MNIST");

} // namespace

// Uses only a server on this machine, which the user's list of mirrors names.
class TestDataDownloadRow : public QObject {
    Q_OBJECT
private:
    QPushButton* buttonWith(const char* text) const
    {
        for (auto* button : m_row->findChildren<QPushButton*>())
            if (button->text().startsWith(QString::fromUtf8(text)) && !button->isHidden())
                return button;
        return nullptr;
    }

    void serve(const char* how)
    {
        fs::create_directories(userConfigDirectory());
        QFile file(QString::fromStdString(userMirrorsFile().string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(("mnist = [\"" + m_server->url(how) + "\"]\n").c_str());
    }

    void want(State state = State::Missing, const fs::path& folder = {})
    {
        m_row->setWanted(kTitle, statusOf("mnist", state, folder));
    }

    QStringList asked() const
    {
        QFile log(m_served->filePath(QStringLiteral("log")));
        return log.open(QIODevice::ReadOnly)
            ? QString::fromUtf8(log.readAll()).split('\n', Qt::SkipEmptyParts)
            : QStringList();
    }

    static void writeFile(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<QTemporaryDir> m_served;
    std::unique_ptr<test::HttpServer> m_server;
    std::unique_ptr<DataDownloadRow> m_row;

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_served = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", m_home->filePath(QStringLiteral("config")).toUtf8());
        qputenv("XDG_DATA_HOME", m_home->filePath(QStringLiteral("data")).toUtf8());
        m_server = std::make_unique<test::HttpServer>(m_served->path());
        QVERIFY(m_server->isUp());
        writeFile(m_served->filePath(QStringLiteral("train-images-idx3-ubyte.gz")),
            QByteArray(9'912'422, 'x')); // as large as the published one
        m_row = std::make_unique<DataDownloadRow>();
        m_row->setObjectName(QStringLiteral("row"));
    }

    void cleanup()
    {
        m_row.reset();
        m_server.reset();
    }

    void onlyWhatIsMissingAndCanBeDownloadedIsOffered()
    {
        QVERIFY(m_row->isHidden() || !m_row->action()->isEnabled());
        want();
        QVERIFY(m_row->action()->isEnabled());
        QCOMPARE(m_row->action()->text(), QStringLiteral("Download MNIST (11.1 MiB)"));
        QVERIFY(buttonWith("Download MNIST") != nullptr);
        want(State::Whole);
        QVERIFY(!m_row->action()->isEnabled());
        m_row->setWanted(kTitle, statusOf("idx", State::Missing));
        QVERIFY(!m_row->action()->isEnabled());
        want(State::Damaged, "/somewhere/mnist"); // the user's own files
        QVERIFY(!m_row->action()->isEnabled());
        want(State::Damaged, downloadDirectory() / "mnist"); // some are there already
        QVERIFY(m_row->action()->isEnabled());
        m_row->setNoneWanted();
        QVERIFY(!m_row->action()->isEnabled());
        QVERIFY(m_row->isHidden());
    }

    void nothingIsDownloadedUnasked()
    {
        serve("plain");
        want();
        m_row->show();
        QTest::qWait(50);
        QVERIFY(!m_row->isDownloading());
        QVERIFY(asked().isEmpty());
    }

    void progressIsShownAndCancelKeepsWhatArrived()
    {
        serve("slow");
        want();
        m_row->show();
        QSignalSpy ended(m_row.get(), &DataDownloadRow::ended);
        QTest::mouseClick(buttonWith("Download"), Qt::LeftButton);
        QVERIFY(m_row->isDownloading());
        QVERIFY(!m_row->action()->isEnabled());
        auto* bar = m_row->findChild<QProgressBar*>();
        QTRY_VERIFY(bar->isVisible() && bar->value() > 0);
        QTRY_VERIFY(m_row->words().endsWith(QStringLiteral(" left")));
        QVERIFY2(
            m_row->words().contains(QStringLiteral(" of 11.1 MiB, ")), qPrintable(m_row->words()));
        QVERIFY2(m_row->words().contains(QStringLiteral("/s, ")), qPrintable(m_row->words()));
        QTest::mouseClick(buttonWith("Cancel"), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY2(
            m_row->words().contains(QStringLiteral("is stored in")), qPrintable(m_row->words()));
        QVERIFY(buttonWith("Download") != nullptr && buttonWith("Cancel") == nullptr);
        QTRY_VERIFY(buttonWith("Download")->hasFocus()); // which had the focus before

        serve("plain");
        QTest::mouseClick(buttonWith("Download"), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 2);
        const QStringList ranges = asked().filter(QStringLiteral("Range: bytes="));
        QVERIFY2(!ranges.isEmpty(), qPrintable(asked().join('\n'))); // it went on
    }

    void whatGoesWrongIsASentenceAndCanBeTriedAgain()
    {
        serve("plain");
        want();
        m_row->show();
        QSignalSpy said(m_row.get(), &DataDownloadRow::reported);
        QSignalSpy ended(m_row.get(), &DataDownloadRow::ended);
        m_row->action()->trigger();
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY2(m_row->words().contains(QStringLiteral("SHA-256")), qPrintable(m_row->words()));
        QCOMPARE(said.last().at(0).toString(), m_row->words());
        QVERIFY(said.last().at(1).toBool());
        QVERIFY(m_row->action()->isEnabled());
        m_row->setWanted(QStringLiteral("CIFAR-10"), statusOf("cifar10", State::Missing));
        QVERIFY(m_row->words().isEmpty()); // of another set
        want();
        QVERIFY(!m_row->words().isEmpty());
    }

    void thePublishedFilesAreDownloadedAndFound()
    {
        const fs::path published = fs::path(qEnvironmentVariable("ACCRUE_DATA_DIR").toStdString());
        QFile::remove(m_served->filePath(QStringLiteral("train-images-idx3-ubyte.gz")));
        for (const char* name : { "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
                 "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz" }) {
            const QString file = QString::fromStdString((published / "mnist" / name).string());
            if (!QFile::exists(file))
                QSKIP("the published MNIST is not in $ACCRUE_DATA_DIR");
            QVERIFY(QFile::link(file, m_served->filePath(QString::fromLatin1(name))));
        }
        serve("plain");
        want();
        QSignalSpy said(m_row.get(), &DataDownloadRow::reported);
        QSignalSpy ended(m_row.get(), &DataDownloadRow::ended);
        m_row->action()->trigger();
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!said.last().at(1).toBool());
        QVERIFY2(said.last().at(0).toString().contains(QStringLiteral("has the published SHA-256")),
            qPrintable(said.last().at(0).toString()));
        const DataSetStatus found = findDataSet("mnist", {}, { downloadDirectory() });
        QVERIFY2(found.state == State::Whole, found.problem.english().c_str());
        m_row->setWanted(kTitle, found);
        QVERIFY(m_row->isHidden());
    }

    void closingWhileItDownloadsStopsIt()
    {
        serve("slow");
        want();
        m_row->action()->trigger();
        QTRY_VERIFY(m_row->findChild<QProgressBar*>()->value() > 0);
        QElapsedTimer clock;
        clock.start();
        m_row.reset();
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
    }
};

QTEST_MAIN(TestDataDownloadRow)
#include "tst_data_download_row.moc"
