// SPDX-License-Identifier: Apache-2.0
#include "engine/base/language.h"
#include "engine/base/message.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;

class TestMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setLanguage(languages().front()); }

    void argumentsAreShownAsTheirKindIs()
    {
        const Message message("tst.kinds", "{count} · {rate} · {name} · {bytes} · {time} · {share}",
            { { "count", 4690 }, { "rate", 0.04 }, { "name", std::string("lenet5") },
                { "bytes", ByteCount { 212 << 20 } }, { "time", Duration { 41 } },
                { "share", Percent { 0.5 } } });
        QCOMPARE(message.english(), "4\u202f690 · 0.04 · lenet5 · 212 MiB · 0:41 · 50.00 %");
    }

    void oneIsSingularAndAnythingElsePlural()
    {
        const auto channels = [](std::size_t count) {
            return Message("tst.plural", "{n} {n:channel|channels}", { { "n", count } }).english();
        };
        QCOMPARE(channels(1), "1 channel");
        QCOMPARE(channels(0), "0 channels");
        QCOMPARE(channels(3), "3 channels");
    }

    void bracesThatNameNoArgumentStay()
    {
        const Message message("tst.braces", "Allowed: {mean = [0.5]}, {{n}} {", { { "n", 1 } });
        QCOMPARE(message.english(), "Allowed: {mean = [0.5]}, {1} {");
    }

    void whatAnArgumentHoldsIsNotATemplate()
    {
        const Message message(
            "tst.text", "{a}{b}", { { "a", std::string("{b}") }, { "b", std::string("{a}") } });
        QCOMPARE(message.english(), "{b}{a}");
        QCOMPARE(Message::plain("{a}").english(), "{a}");
    }

    void aMessageCanHoldAnother()
    {
        const Message why("tst.why", "loss is {loss}", { { "loss", 2.5 } });
        QCOMPARE(
            Message("tst.outer", "The {why}.", { { "why", why } }).english(), "The loss is 2.5.");
    }

    void theLogGivesItBack()
    {
        const Message inner("tst.inner", "in {n}", { { "n", 2 } });
        const Message message("tst.logged", "{s} {b} {t} {p} {m}",
            { { "s", std::string("a") }, { "b", ByteCount { 4096 } }, { "t", Duration { 1.5 } },
                { "p", Percent { 0.25 } }, { "m", inner } });
        const Message read =
            Message::logged(message.code(), message.english(), message.toJson().dump());
        QCOMPARE(read.english(), message.english());
        QCOMPARE(read.code(), message.code());
        QVERIFY(nlohmann::json(read.toJson()) == nlohmann::json(message.toJson())); // in any order
    }

    void theLogKeepsTheOrderOfTheArguments()
    {
        const Message message("tst.order", "{z} {a} {m}",
            { { "z", 1 }, { "a", 2 },
                { "m", Message("tst.in", "{y} {b}", { { "y", 3 }, { "b", 4 } }) } });
        const Message read =
            Message::logged(message.code(), message.english(), message.toJson().dump());
        QCOMPARE(read.toJson().dump(), message.toJson().dump());
    }

    // Of another version of the program, whose template had other arguments.
    void aLoggedMessageThatLacksAnArgumentStaysEnglish()
    {
        const char* const code = "base.file_too_large"; // needs file and limit
        const std::string english = "a.db is too large.";
        const Message lacking = Message::logged(code, english, R"({"file": "a.db"})");
        const Message whole =
            Message::logged(code, english, R"({"file": "a.db", "limit": {"bytes": 1024}})");
        setLanguage(*findLanguage("zh_CN"));
        QCOMPARE(lacking.text(), english);
        QVERIFY(whole.text() != english);
    }

    void whatCannotBeReadAsArgumentsKeepsTheText()
    {
        for (const char* arguments : { "", "no JSON", "{\"a\": [1]}", "{\"a\": {\"b\": 1}}" }) {
            const Message read = Message::logged("tst.logged", "The text.", arguments);
            QCOMPARE(read.text(), "The text.");
            QVERIFY(read.code().empty());
            QVERIFY(read.arguments().empty());
        }
    }

    void aTextWithoutATranslationStaysEnglish()
    {
        const Language* chinese = findLanguage("zh_CN.UTF-8");
        QVERIFY(chinese != nullptr);
        setLanguage(*chinese);
        QCOMPARE(Message("tst.unknown", "In {n}", { { "n", 1 } }).text(), "In 1");
        QCOMPARE(translated("tst.unknown", "Label"), "Label");
    }

    void aCodeWithQuotesAndLineBreaksIsFound()
    {
        const Language* chinese = findLanguage("zh_CN");
        QCOMPARE(findTranslation(languages().front(), "tr:Language"), nullptr);
        const std::string* language = findTranslation(*chinese, "tr:Language");
        QVERIFY(language != nullptr);
        QCOMPARE(*language, "语言");
        QVERIFY(findTranslation(*chinese, "tr:\n%1: %2, %3") != nullptr);
    }

    void localesNameALanguage()
    {
        const auto id = [](std::string_view locale) {
            const Language* found = findLanguage(locale);
            return found != nullptr ? std::string(found->id) : std::string();
        };
        for (const char* locale : { "zh", "zh_CN", "zh_CN.UTF-8", "zh-Hans" })
            QCOMPARE(id(locale), "zh_CN");
        for (const char* locale : { "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "en" })
            QCOMPARE(id(locale), "en");
        for (const char* locale : { "", "de_DE", "zhx" })
            QCOMPARE(id(locale), "");
    }

    void theFirstVariableThatIsKnownDecides()
    {
        qputenv("LC_ALL", "de_DE.UTF-8");
        qputenv("LANG", "zh_CN.UTF-8");
        qunsetenv("LC_MESSAGES");
        qunsetenv("ACCRUE_LANG");
        QCOMPARE(languageOfEnvironment().id, "zh_CN");
        qputenv("ACCRUE_LANG", "en");
        QCOMPARE(languageOfEnvironment().id, "en");
    }
};

QTEST_APPLESS_MAIN(TestMessage)
#include "tst_message.moc"
