// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_reader.h"

#include "run_log_fixture.h"

#include <cmath>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

class TestCsvReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsCells_data();
    void readsCells();
    void readsWhatIsLongerThanItsBuffer();
    void findsTheDelimiter_data();
    void findsTheDelimiter();
    void readsNumbers_data();
    void readsNumbers();
    void saysWhatIsNoCsv_data();
    void saysWhatIsNoCsv();

private:
    fs::path write(const QByteArray& bytes) const
    {
        const fs::path file = fs::path(m_folder->path().toStdString()) / "x.csv";
        std::ofstream(file, std::ios::binary) << bytes.toStdString();
        return file;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

Q_DECLARE_METATYPE(Rows)

namespace {

Rows rowsOf(const fs::path& file)
{
    CsvReader reader(file, ',');
    Rows rows;
    while (reader.next(rows.emplace_back())) { }
    rows.pop_back();
    return rows;
}

} // namespace

void TestCsvReader::readsCells_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Rows>("rows");
    const Rows abcd { { "a", "b" }, { "c", "d" } };
    QTest::newRow("LF") << QByteArray("a,b\nc,d\n") << abcd;
    QTest::newRow("CRLF") << QByteArray("a,b\r\nc,d\r\n") << abcd;
    QTest::newRow("CR") << QByteArray("a,b\rc,d\r") << abcd;
    QTest::newRow("no line break at the end") << QByteArray("a,b\nc,d") << abcd;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF"
                                                   "a,b\nc,d")
                                     << abcd;
    QTest::newRow("empty lines") << QByteArray("\n\r\na,b\n\n\nc,d\n\n") << abcd;
    QTest::newRow("quotes") << QByteArray("\"a,\"\"b\"\"\",\"c\r\nd\"\n\"\",e\n")
                            << Rows { { "a,\"b\"", "c\r\nd" }, { "", "e" } };
    QTest::newRow("empty cells") << QByteArray(",,\na,,b\n")
                                 << Rows { { "", "", "" }, { "a", "", "b" } };
    QTest::newRow("a quote within a cell") << QByteArray("a\"b,c\n") << Rows { { "a\"b", "c" } };
    QTest::newRow("text behind a quote") << QByteArray("\"a\"b,c\n") << Rows { { "ab", "c" } };
    QTest::newRow("nothing") << QByteArray() << Rows {};
}

void TestCsvReader::readsCells()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Rows, rows);
    QCOMPARE(rowsOf(write(bytes)), rows);
}

void TestCsvReader::readsWhatIsLongerThanItsBuffer()
{
    QByteArray bytes;
    Rows expected;
    for (int i = 0; i < 200'000; ++i) {
        const std::string number = std::to_string(i);
        bytes += QByteArray::fromStdString(number + ",\"" + number + "\"\r\n");
        expected.push_back({ number, number });
    }
    QVERIFY(bytes.size() > 2 << 20);
    QVERIFY(rowsOf(write(bytes)) == expected);
}

void TestCsvReader::findsTheDelimiter_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<char>("delimiter");
    QTest::newRow("comma") << QByteArray("a,b;c,d\n") << ',';
    QTest::newRow("semicolon") << QByteArray("a;b;c\n1,5;2,5;3,5\n") << ';';
    QTest::newRow("tab") << QByteArray("a\tb\n") << '\t';
    QTest::newRow("bar") << QByteArray("a|b\n") << '|';
    QTest::newRow("in quotes") << QByteArray("\"a;b;c;d\",e\n") << ',';
    QTest::newRow("one column") << QByteArray("a\n1\n") << ',';
}

void TestCsvReader::findsTheDelimiter()
{
    QFETCH(QByteArray, bytes);
    QTEST(delimiterOf(write(bytes)), "delimiter");
}

void TestCsvReader::readsNumbers_data()
{
    QTest::addColumn<QString>("cell");
    QTest::addColumn<bool>("comma");
    QTest::addColumn<QString>("number"); // empty: none
    QTest::newRow("integer") << "12" << false << "12";
    QTest::newRow("blanks") << " -0.5 " << false << "-0.5";
    QTest::newRow("plus") << "+1e-3" << false << "0.001";
    QTest::newRow("without a zero") << ".5" << false << "0.5";
    QTest::newRow("comma") << "1,5" << true << "1.5";
    QTest::newRow("a comma among points") << "1,5" << false << "";
    QTest::newRow("a point among commas") << "1.5" << true << "";
    QTest::newRow("nan") << "NaN" << false << "nan";
    QTest::newRow("inf") << "-Infinity" << false << "-inf";
    QTest::newRow("too large") << "1e400" << false << "inf";
    QTest::newRow("unit") << "5 ms" << false << "";
    QTest::newRow("per cent") << "97%" << false << "";
    QTest::newRow("word") << "infinite" << false << "";
    QTest::newRow("hexadecimal") << "0x10" << false << "";
}

void TestCsvReader::readsNumbers()
{
    QFETCH(QString, cell);
    QFETCH(bool, comma);
    QFETCH(QString, number);
    const std::optional<double> read = numberInCell(cell.toStdString(), comma);
    QCOMPARE(read.has_value(), !number.isEmpty());
    if (number == "nan")
        QVERIFY(std::isnan(*read));
    else if (read)
        QCOMPARE(*read, std::stod(number.toStdString()));
}

void TestCsvReader::saysWhatIsNoCsv_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE"
                                          "a\0b\0",
        6) << "is in UTF-16. Save it";
    QTest::newRow("NUL") << QByteArray("a,b\nc\0d,e\n", 10) << "NUL byte at line 2";
    QTest::newRow("open quote") << QByteArray("a,b\n1,\"2\n3,4\n")
                                << "row that begins at line 2 which is never closed";
    QTest::newRow("long cell") << QByteArray("a\n") + QByteArray((1 << 20) + 1, 'x')
                               << "more than 1 MiB in the row that begins at line 2";
}

void TestCsvReader::saysWhatIsNoCsv()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    const std::string message = messageOf([&] { rowsOf(write(bytes)); });
    QVERIFY2(QString::fromStdString(message).contains(words), message.c_str());
}

QTEST_GUILESS_MAIN(TestCsvReader)
#include "tst_csv_reader.moc"
