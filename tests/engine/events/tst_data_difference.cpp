// SPDX-License-Identifier: Apache-2.0
#include "engine/events/data_difference.h"

#include <QTest>

using namespace accrue;

namespace {

DataIdentity shapes()
{
    return { .classes = { "circle", "square", "star" },
        .channels = 3,
        .height = 32,
        .width = 32,
        .mean = { 0.1, 0.2, 0.3 },
        .stddev = { 0.2, 0.2, 0.2 },
        .trainDigest = "aa",
        .testDigest = "bb",
        .validationDigest = {} };
}

std::vector<std::string> namesOf(const QString& classes)
{
    std::vector<std::string> names;
    for (const QString& name : classes.split(QLatin1Char(' ')))
        names.push_back(name.toStdString());
    return names;
}

} // namespace

class TestDataDifference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalDataDoNotDiffer()
    {
        QVERIFY(classDifference(shapes(), shapes()).empty());
        QVERIFY(trainingDifference(shapes(), shapes()).empty());
        QVERIFY(evaluationWarnings(shapes(), shapes(), true).empty());
    }

    // A checkpoint from elsewhere may hold any.
    void ofALongNameOrDigestLittleIsQuoted()
    {
        DataIdentity other = shapes();
        other.trainDigest = std::string(5'000, 'd');
        other.testDigest = other.trainDigest;
        QVERIFY(trainingDifference(other, shapes()).english().size() < 300);
        for (const Message& warning : evaluationWarnings(other, shapes(), true))
            QVERIFY(warning.english().size() < 300);
        other.classes[1] = std::string(5'000, 'c');
        QVERIFY(classDifference(other, shapes()).english().size() < 300);
        QVERIFY(classDifference(shapes(), other).english().size() < 300);
    }

    void theFirstClassThatDiffersIsNamed_data()
    {
        QTest::addColumn<QString>("classes");
        QTest::addColumn<QString>("says");
        QTest::newRow("renamed") << "circle square zstar"
                                 << "class 2 was \"star\" and is \"zstar\"";
        QTest::newRow("another order") << "square star zcircle"
                                       << "class 0 was \"circle\" and is \"square\"";
        QTest::newRow("one more") << "circle square star triangle"
                                  << "it has 3 classes, these data have 4, and class 3 "
                                     "(\"triangle\") is unknown to the model";
        QTest::newRow("one less") << "circle square"
                                  << "these data have 2, and class 2 (\"star\") is missing from "
                                     "the data";
        QTest::newRow("none in common") << "a"
                                        << "class 0 was \"circle\" and is \"a\"";
    }

    void theFirstClassThatDiffersIsNamed()
    {
        QFETCH(QString, classes);
        QFETCH(QString, says);
        DataIdentity now = shapes();
        now.classes = namesOf(classes);
        const std::string sentence = classDifference(shapes(), now).english();
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
        QCOMPARE(trainingDifference(shapes(), now).english(), sentence);
    }

    void otherTrainingSamplesKeepARunFromGoingOn()
    {
        DataIdentity now = shapes();
        now.trainDigest = "cc";
        const std::string sentence = trainingDifference(shapes(), now).english();
        QVERIFY2(
            sentence.find("cc") != std::string::npos && sentence.find("aa") != std::string::npos,
            sentence.c_str());
    }

    void otherSamplesAreWarnedOfPartByPart()
    {
        DataIdentity now = shapes();
        now.trainDigest = "cc";
        const auto training = evaluationWarnings(shapes(), now, false);
        QCOMPARE(training.size(), std::size_t { 1 });
        QVERIFY(training.front().english().find("training samples") != std::string::npos);
        QVERIFY(training.front().english().find("validation") == std::string::npos);
        QVERIFY(evaluationWarnings(shapes(), now, true).front().english().find("validation")
            != std::string::npos);
        now.testDigest = "dd";
        QCOMPARE(evaluationWarnings(shapes(), now, false).size(), std::size_t { 2 });
        const auto ofParts = evaluatedPartWarnings(shapes(), now);
        QCOMPARE(ofParts.size(), std::size_t { 1 });
        QVERIFY(evaluationWarnings(shapes(), now, false).back() == ofParts.front());
    }

    void aValidationPartThatCameOrChangedIsWarnedOf()
    {
        DataIdentity now = shapes();
        now.validationDigest = "ee";
        const auto came = evaluatedPartWarnings(shapes(), now);
        QCOMPARE(came.size(), std::size_t { 1 });
        QCOMPARE(came.front().english(),
            std::string("The validation samples are not those that the run was evaluated on "
                        "(digest ee, not none): the validation metrics are those of other data."));
        QVERIFY(trainingDifference(shapes(), now).empty());
    }

    void aValidationPartThatWentLeavesNoFigures()
    {
        DataIdentity trained = shapes();
        trained.validationDigest = "ee";
        const auto went = evaluatedPartWarnings(trained, shapes());
        QCOMPARE(went.size(), std::size_t { 1 });
        QCOMPARE(went.front().english(),
            std::string("The validation samples that the run was evaluated on are missing, so "
                        "there are no validation metrics."));
    }

    void aValidationPartThatCameOrWentKeepsARunFromGoingOn()
    {
        DataIdentity validated = shapes();
        validated.validationDigest = "ee";
        DataIdentity otherwise = shapes();
        otherwise.validationDigest = "ff";
        QCOMPARE(validationDifference(shapes(), validated, "/p").english(),
            std::string("/p now has a folder of validation images (val, valid or validation), and "
                        "the run began without one, so its evaluations would not be comparable. "
                        "Remove that folder, or train a new run."));
        QCOMPARE(validationDifference(validated, shapes(), "/p").english(),
            std::string("/p no longer has the folder of validation images (val, valid or "
                        "validation) with which the run began, so its evaluations would not be "
                        "comparable. Restore that folder, or train a new run."));
        QVERIFY(validationDifference(shapes(), shapes(), "/p").empty());
        QVERIFY(validationDifference(validated, otherwise, "/p").empty());
    }
};

QTEST_GUILESS_MAIN(TestDataDifference)
#include "tst_data_difference.moc"
