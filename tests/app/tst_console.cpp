// SPDX-License-Identifier: Apache-2.0
#include "app/console.h"

#include <condition_variable>
#include <sstream>
#include <streambuf>
#include <thread>

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

// A reader that does not read: what is written waits until it is released.
class StandingStill : public std::streambuf {
public:
    void waitUntilReached()
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_changed.wait(lock, [this] { return m_reached; });
    }
    void letGo()
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_free = true;
        m_changed.notify_all();
    }

protected:
    int overflow(int c) override
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_reached = true;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_free; });
        return c;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_reached = false;
    bool m_free = false;
};

} // namespace

class TestConsole : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesStandAboveTheLiveLine();
    void nothingWaitsForAReaderThatStandsStill();
    void whatIsSaidCannotSteerTheTerminal();
    void jsonReplacesBytesThatAreNoText();
};

void TestConsole::messagesStandAboveTheLiveLine()
{
    for (const bool ifFree : { false, true }) {
        std::istringstream in;
        std::ostringstream out;
        std::ostringstream err;
        Console console(in, out, err, { .err = true });
        console.showLive("step 1");
        if (ifFree)
            console.sayIfFree(Message::plain("Saved."));
        else
            console.say("Saved.");
        QCOMPARE(err.str(), std::string("\r\x1b[Kstep 1\r\x1b[KSaved.\n\rstep 1"));
    }
}

void TestConsole::nothingWaitsForAReaderThatStandsStill()
{
    std::istringstream in;
    StandingStill buffer;
    std::ostream out(&buffer);
    std::ostringstream err;
    Console console(in, out, err, {});
    std::thread writer([&] { console.printLine("{}"); });
    buffer.waitUntilReached();
    console.sayIfFree(Message::plain("Stopping.")); // on another thread than the one that hangs
    buffer.letGo();
    writer.join();
    QCOMPARE(err.str(), std::string());
    console.sayIfFree(Message::plain("Stopping."));
    QCOMPARE(err.str(), std::string("Stopping.\n"));
}

void TestConsole::whatIsSaidCannotSteerTheTerminal()
{
    std::istringstream in("y\n");
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    console.say("a\x1b[31m");
    console.warn(Message::plain("b\nc"));
    console.sayIfFree(Message::plain("d\r"));
    QVERIFY(console.ask(Message::plain("e\x7f?")));
    QCOMPARE(err.str(), std::string("a?[31m\nwarning: b?c\nd?\ne?? [y/N] "));
}

void TestConsole::jsonReplacesBytesThatAreNoText()
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    console.printJson({ { "name", "bad \xff name" } });
    QCOMPARE(out.str(), std::string("{\n  \"name\": \"bad \xef\xbf\xbd name\"\n}\n"));
}

QTEST_GUILESS_MAIN(TestConsole)
#include "tst_console.moc"
