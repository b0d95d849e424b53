// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/run_name.h"

#include "engine/experiment/validation.h"

#include <QTest>

using namespace accrue;

class TestRunName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsCharactersNotBytes()
    {
        QString longest(200, QChar(0x7a97)); // three bytes each
        QVERIFY(isRunName(longest.toStdString()));
        QCOMPARE(cutToRunName(longest.toStdString()), longest.toStdString());
        longest += QLatin1Char('x');
        QVERIFY(!isRunName(longest.toStdString()));
        QCOMPARE(
            cutToRunName(longest.toStdString()), (longest.left(199) + QChar(0x2026)).toStdString());
    }

    void cutsBytesThatAreNoCharacters()
    {
        const std::string bytes(8'000'000, '\x80');
        QVERIFY(cutToRunName(bytes).size() <= 4 * kLongestRunName + 3);
    }

    void aRecipeWithALongerNameIsRefused()
    {
        Experiment experiment;
        experiment.name = std::string(201, 'x');
        const Findings findings = validate(experiment);
        QVERIFY(hasErrors(findings));
        QVERIFY(QString::fromStdString(findings.front().message.english())
                    .contains(QLatin1String("allowed: one line of text, at most 200 characters")));
        experiment.name.pop_back();
        QVERIFY(!hasErrors(validate(experiment)));
    }
};

QTEST_GUILESS_MAIN(TestRunName)
#include "tst_run_name.moc"
