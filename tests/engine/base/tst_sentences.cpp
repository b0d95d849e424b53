// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sentences.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <QTest>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/language.h"

using namespace accrue;

namespace {

const Message kFirst("test.first", "It stopped.");
const Message kSecond("test.second", "Nothing was saved.");

} // namespace

class TestSentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneFollowsTheOther()
    {
        const Message both = followedBy(kFirst, kSecond);
        QCOMPARE(both.english(), std::string("It stopped. Nothing was saved."));
        QCOMPARE(both.arguments().size(), std::size_t { 2 });
    }

    void anEmptyOneLeavesTheOtherAlone()
    {
        QVERIFY(followedBy(kFirst, {}) == kFirst);
        QVERIFY(followedBy({}, kSecond) == kSecond);
        QVERIFY(followedBy({}, {}).empty());
    }

    void anErrorHasItsOwnMessage() { QVERIFY(messageOf(InputError(kFirst)) == kFirst); }

    void anotherExceptionHasItsText()
    {
        const Message message = messageOf(std::runtime_error("out of paper"));
        QCOMPARE(message.english(), std::string("out of paper"));
        QVERIFY(message.code().empty());
    }

    void clausesAreSeparatedByTheCommaOfTheLanguage()
    {
        QVERIFY(clausesOf({}).empty());
        const Message clauses = clausesOf(
            { {}, Message::plain("one"), {}, Message::plain("two"), Message::plain("three") });
        QCOMPARE(clauses.english(), std::string("one, two, three"));
        setLanguage(*findLanguage("zh_CN"));
        const std::string chinese = clauses.text();
        setLanguage(languages().front());
        QCOMPARE(chinese, std::string("one，two，three"));
    }

    void aLongListComesBackFromTheLog()
    {
        const Message clauses = clausesOf(std::vector<Message>(20, Message::plain("one")));
        const Message read =
            Message::logged(clauses.code(), clauses.english(), clauses.toJson().dump());
        QCOMPARE(read.code(), clauses.code());
        QVERIFY(read.arguments() == clauses.arguments());
    }

    void namesAreSeparatedByCommas()
    {
        QVERIFY(commaList({}).empty());
        QCOMPARE(commaList({ "a" }).english(), std::string("a"));
        const Message list = commaList({ "a", "b", "c" });
        QCOMPARE(list.english(), std::string("a, b, c"));
        setLanguage(*findLanguage("zh_CN"));
        const std::string chinese = list.text();
        setLanguage(languages().front());
        QCOMPARE(chinese, std::string("a、b、c"));
    }
};

QTEST_GUILESS_MAIN(TestSentences)
#include "tst_sentences.moc"
