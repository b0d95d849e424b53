// SPDX-License-Identifier: Apache-2.0
#include "engine/data/published_sets.h"

#include <QtTest>

#include "engine/data/catalogue.h"
#include "tests/support/cifar_files.h"

using namespace accrue::test;
namespace fs = std::filesystem;

namespace accrue {

class TestPublishedSets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySetHasMirrorsSizesAndDigests();
    void publishedFilesHaveTheirDigestsAndSizes();
    void everySetIsInTheCatalogueUnderItsName();
    void whatTheSetHoldsIsDescribed();
};

void TestPublishedSets::everySetHasMirrorsSizesAndDigests()
{
    QCOMPARE(publishedSets().size(), std::size_t { 4 });
    for (const PublishedSet& set : publishedSets()) {
        QVERIFY(!set.mirrors.empty());
        QVERIFY(!set.kept().empty());
        for (const PublishedFile& file : set.files)
            QVERIFY2(file.bytes > 0 && file.sha256.size() == 64, file.name.c_str());
        for (const PublishedFile& file : set.members)
            QVERIFY2(file.bytes % 10'000 == 0, file.name.c_str()); // rows of one size
    }
}

void TestPublishedSets::publishedFilesHaveTheirDigestsAndSizes()
{
    const QTemporaryDir home;
    for (const PublishedSet& set : publishedSets()) {
        const fs::path folder = fs::path(home.path().toStdString()) / set.name;
        fs::create_directories(folder);
        const DataFiles files = findFiles(layoutOf(set),
            set.name == "cifar10"        ? writtenCifar10(folder)
                : set.name == "cifar100" ? writtenCifar100(folder)
                                         : writtenDataSet(folder),
            {});
        QVERIFY(files.whole());
        QCOMPARE(set.kept().size(), files.train.size() + files.test.size());
        for (const PublishedFile& file : set.kept())
            QVERIFY(file.content.empty() || file.content.size() == 40 || file.content.size() == 64);
        QCOMPARE(set.form.mean.size(), static_cast<std::size_t>(set.form.channels));
        QCOMPARE(set.form.stddev.size(), static_cast<std::size_t>(set.form.channels));
        QVERIFY(originOf(&set, files) != Origin::Published);
    }
}

void TestPublishedSets::everySetIsInTheCatalogueUnderItsName()
{
    for (const PublishedSet& set : publishedSets()) {
        const DataSet* row = dataSetNamed(set.name);
        QVERIFY(row != nullptr && row->published == &set);
    }
    QVERIFY(dataSet(DataName::Idx).published == nullptr);
    QVERIFY(dataSetNamed("emnist") == nullptr);
    QVERIFY(findPublishedSet("idx") == nullptr);
}

void TestPublishedSets::whatTheSetHoldsIsDescribed()
{
    QCOMPARE(summaryOf(*findPublishedSet("cifar100")).description.english(),
        std::string("50\u202f000 train and 10\u202f000 test, 32 × 32 colour, published files"));
    QCOMPARE(summaryOf(*findPublishedSet("mnist")).shape->classes, std::int64_t { 10 });
    QCOMPARE(layoutOf(*findPublishedSet("mnist")).test,
        (std::vector<std::string> { "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" }));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestPublishedSets)
#include "tst_published_sets.moc"
