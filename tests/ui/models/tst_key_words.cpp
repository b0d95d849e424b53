// SPDX-License-Identifier: Apache-2.0
#include "ui/models/key_words.h"

#include "engine/experiment/keys.h"

#include <QTest>

using namespace accrue;

class TestKeyWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTooltipHasTheKeyItsSentenceAndItsDefault()
    {
        for (const KeyInfo& key : experimentKeys()) {
            const QString help = keyHelp(key);
            for (const std::string& part :
                { key.key, key.help, key.allowed.english(), key.fallback })
                QVERIFY2(help.contains(QString::fromStdString(part)), key.key.c_str());
        }
    }

    void aLabelIsThatOfTheTable()
    {
        QCOMPARE(keyLabel("batch.micro"), QStringLiteral("Micro-batch b"));
    }

    void aMessageNamesFieldsByTheirLabels()
    {
        QCOMPARE(withLabels("optimizer.lr is 0; see no.such_key"),
            QStringLiteral("Learning rate is 0; see no.such_key"));
    }

    void onlyAFieldThatIsEditedHasALabel()
    {
        Experiment experiment;
        QCOMPARE(fieldLabel("optimizer.momentum", experiment), QStringLiteral("Momentum"));
        QVERIFY(fieldLabel("optimizer.beta1", experiment).isEmpty()); // SGD reads none
        QVERIFY(fieldLabel("no.such_key", experiment).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestKeyWords)
#include "tst_key_words.moc"
