// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/keys.h"

#include <string>

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/key_documents.h"

using namespace accrue;

namespace {

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString documentPath()
{
    return qEnvironmentVariable("ACCRUE_SOURCE") + QStringLiteral("/docs/recipes.md");
}

QString readDocument()
{
    QFile file(documentPath());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// "optimizer" of "optimizer.lr"; empty: of "name".
QString sectionOf(const QString& key)
{
    return key.contains(QLatin1Char('.')) ? key.section(QLatin1Char('.'), 0, 0) : QString();
}

QString inCode(const QString& code)
{
    return QLatin1Char('`') + code + QLatin1Char('`');
}

QString examplesOf(const KeyInfo& key)
{
    const QString name = text(key.key).section(QLatin1Char('.'), -1);
    QStringList examples;
    for (const std::string& example : documentOf(key.key).examples)
        examples << inCode(name + QStringLiteral(" = ") + text(example));
    return examples.join(QStringLiteral(", or "));
}

QString rowOf(const KeyInfo& key)
{
    // The run's name has words in place of a default.
    const bool isValue = key.fallback == key.value.fallback;
    const QString fallback = isValue ? inCode(text(key.fallback)) : text(key.fallback);
    const std::string details = documentOf(key.key).details;
    const std::string meaning = key.meaning + (details.empty() ? "" : " " + details);
    const QStringList cells { inCode(text(key.key)), text(key.allowed.english()), fallback,
        text(meaning) + QStringLiteral(" Example: ") + examplesOf(key) };
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString rowsOf(const QString& section)
{
    QString rows;
    for (const KeyInfo& key : experimentKeys())
        if (sectionOf(text(key.key)) == section)
            rows += rowOf(key);
    return rows;
}

// The document with the rows of the table of keys in place of its own. A table belongs to the
// section of its first row.
QString brought(QString document)
{
    static const QRegularExpression table(
        QStringLiteral("(\\| Key \\| Allowed \\| Default \\| Meaning \\|\n\\|[-|]+\n)"
                       "\\| `([\\w.]+)`[^\n]*\n(?:\\|[^\n]*\n)*"));
    qsizetype from = 0;
    for (auto match = table.match(document); match.hasMatch();
         match = table.match(document, from)) {
        const QString fresh = match.captured(1) + rowsOf(sectionOf(match.captured(2)));
        document.replace(match.capturedStart(), match.capturedLength(), fresh);
        from = match.capturedStart() + fresh.size();
    }
    return document;
}

} // namespace

// docs/recipes.md against the table of keys. With ACCRUE_WRITE_DOCS set, the document is brought up
// to date first.
class TestRecipesDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_document = readDocument();
        QVERIFY(!m_document.isEmpty());
        if (!qEnvironmentVariableIsSet("ACCRUE_WRITE_DOCS"))
            return;
        QFile file(documentPath());
        QVERIFY(file.open(QIODevice::WriteOnly));
        m_document = brought(m_document);
        file.write(m_document.toUtf8());
    }

    void itsTablesAreThoseOfTheProgram()
    {
        const QStringList fresh = brought(m_document).split(QLatin1Char('\n'));
        const QStringList lines = m_document.split(QLatin1Char('\n'));
        for (qsizetype i = 0; i < qMin(fresh.size(), lines.size()); ++i)
            QCOMPARE(lines[i], fresh[i]); // see CONTRIBUTING.md for the command that mends it
        QCOMPARE(lines.size(), fresh.size());
    }

    void everyKeyHasARow()
    {
        for (const KeyInfo& key : experimentKeys())
            QVERIFY2(m_document.contains(rowOf(key)), key.key.c_str());
    }

    void everyDocumentedKeyIsOne()
    {
        QVERIFY(keyDocuments().problem.empty());
        for (const TomlEntry& entry : keyDocuments().entries) {
            const std::string key = entry.key.substr(0, entry.key.rfind('.'));
            QVERIFY2(findKey(key) != nullptr, entry.key.c_str());
        }
    }

private:
    QString m_document;
};

QTEST_GUILESS_MAIN(TestRecipesDocument)
#include "tst_recipes_document.moc"
