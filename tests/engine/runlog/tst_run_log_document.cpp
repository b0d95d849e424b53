// SPDX-License-Identifier: Apache-2.0
// Compares docs/run_log_format.md with a new log.
#include "run_log_fixture.h"

#include <fstream>
#include <iterator>

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

using namespace accrue;

class TestRunLogDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void namesEveryTableAndColumn();
    void itsQueriesWork();
    void itsPythonFindsAFlippedBit();

private:
    std::vector<std::string> ask(const std::string& sql);
    // The paragraph that begins so.
    QString paragraph(const QString& start) const;

    QString m_text;
    QTemporaryDir m_folder;
    std::unique_ptr<SQLite::Database> m_log;
};

void TestRunLogDocument::initTestCase()
{
    const std::string source = qgetenv("ACCRUE_SOURCE").toStdString();
    std::ifstream file(source + "/docs/run_log_format.md");
    m_text = QString::fromStdString({ std::istreambuf_iterator<char>(file), {} });
    QVERIFY(!m_text.isEmpty());
    const std::string log = m_folder.filePath("runs.db").toStdString();
    RunLogWriter writer(log);
    writeRun(writer, "documented", 3);
    m_log = std::make_unique<SQLite::Database>(log, SQLite::OPEN_READONLY);
}

std::vector<std::string> TestRunLogDocument::ask(const std::string& sql)
{
    SQLite::Statement select(*m_log, sql);
    std::vector<std::string> rows;
    while (select.executeStep())
        rows.push_back(select.getColumn(0).getString());
    return rows;
}

QString TestRunLogDocument::paragraph(const QString& start) const
{
    const auto from = m_text.indexOf(QStringLiteral("\n\n") + start);
    return from < 0 ? QString() : m_text.mid(from, m_text.indexOf("\n\n", from + 2) - from);
}

void TestRunLogDocument::namesEveryTableAndColumn()
{
    const QString common = paragraph("All other tables have");
    QVERIFY(!common.isEmpty());
    for (const std::string& table : ask("SELECT name FROM sqlite_schema WHERE type = 'table' AND"
                                        " name NOT LIKE 'sqlite%'")) {
        const bool runs = table == "runs";
        const QString own = paragraph(QString::fromStdString("**" + table + "**"));
        QVERIFY2(!own.isEmpty(), table.c_str());
        const QString text = own + (runs ? paragraph("| Column |") : common);
        for (const std::string& column :
            ask("SELECT name FROM pragma_table_xinfo('" + table + "')"))
            QVERIFY2(text.contains(QString::fromStdString("`" + column + "`")),
                (table + "." + column).c_str());
    }
}

void TestRunLogDocument::itsQueriesWork()
{
    const QRegularExpression block(
        QStringLiteral("```sql\n(.*?)```"), QRegularExpression::DotMatchesEverythingOption);
    const auto match = block.match(m_text);
    QVERIFY(match.hasMatch());
    for (const QString& query : match.captured(1).split(QLatin1Char(';')))
        if (query.contains(QLatin1String("SELECT")))
            ask(query.toStdString());
}

void TestRunLogDocument::itsPythonFindsAFlippedBit()
{
    const QRegularExpression block(
        QStringLiteral("```python\n(.*?)```"), QRegularExpression::DotMatchesEverythingOption);
    const QString program = block.match(m_text).captured(1);
    QVERIFY(!program.isEmpty());
    const QString log = m_folder.filePath("python.db");
    makeLogOfFormat5(log.toStdString());
    {
        RunLogWriter writer(log.toStdString());
        writeRun(writer, "\xc3\xa4 name", 100);
    }
    const auto verify = [&] {
        QProcess python;
        python.start(QString::fromLocal8Bit(qgetenv("ACCRUE_PYTHON")), { "-c", program, log });
        if (!python.waitForFinished())
            return QByteArray("no Python: ") + qgetenv("ACCRUE_PYTHON");
        return python.exitCode() == 0 ? QByteArray("whole")
                                      : python.readAllStandardError().trimmed();
    };
    QCOMPARE(verify(), QByteArray("whole"));
    execute(
        log.toStdString(), "UPDATE steps SET seconds = seconds + 1 WHERE run_id = 5 AND step = 9");
    QCOMPARE(verify(), QByteArray("run 5, table steps, steps 1 to 64: damaged"));
}

QTEST_GUILESS_MAIN(TestRunLogDocument)
#include "tst_run_log_document.moc"
