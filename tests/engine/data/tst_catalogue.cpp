// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"
#include "engine/data/load_data.h"
#include "engine/experiment/registries.h"

#include <QtTest>

namespace accrue {

class TestCatalogue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNameHasOneRowWithItsReader();
    void factsAreThoseOfTheRegistry();
    void onlyWhatIsBuiltInNeedsNoFiles();
    void namesAreListedInOrder();
    void whatIsBuiltInIsDescribedWithoutFiles();
};

void TestCatalogue::everyNameHasOneRowWithItsReader()
{
    for (const DataName name : { DataName::Digits, DataName::Mnist, DataName::FashionMnist,
             DataName::Cifar10, DataName::Cifar100, DataName::Idx, DataName::Images }) {
        const DataSet& set = dataSet(name);
        QVERIFY(set.name == name);
        QVERIFY(dataSetNamed(set.word) == &set);
        QVERIFY(set.read != nullptr);
        QVERIFY(!set.published || set.published->name == set.word);
    }
    QCOMPARE(dataSets().size(), std::size_t { 7 });
    QVERIFY(dataSetNamed("emnist") == nullptr);
}

void TestCatalogue::factsAreThoseOfTheRegistry()
{
    QCOMPARE(dataSets().size(), dataSetTable().size());
    for (const DataSet& set : dataSets()) {
        const DataSetInfo& info = dataSetInfo(set.name);
        QCOMPARE(set.word, std::string(info.word));
        QCOMPARE(set.layout.needsFiles(), !info.isBuiltIn);
        QCOMPARE(set.published != nullptr, info.isPublished && !info.isBuiltIn);
        if (!set.published)
            continue;
        QCOMPARE(set.title, std::string(info.title));
        QCOMPARE(set.published->title, std::string(info.title));
        QCOMPARE(set.published->form.channels, static_cast<std::int64_t>(info.channels));
    }
}

void TestCatalogue::onlyWhatIsBuiltInNeedsNoFiles()
{
    for (const DataSet& set : dataSets())
        QCOMPARE(set.layout.needsFiles(), set.name != DataName::Digits);
}

void TestCatalogue::namesAreListedInOrder()
{
    QCOMPARE(allDataNames().english(),
        std::string("digits, mnist, fashion-mnist, cifar10, cifar100, idx, images"));
}

void TestCatalogue::whatIsBuiltInIsDescribedWithoutFiles()
{
    QCOMPARE(checkDataFiles(DataName::Digits, {}).description.english(),
        std::string("12\u202f000 train and 2\u202f000 test, 28 × 28 grey, built in"));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestCatalogue)
#include "tst_catalogue.moc"
