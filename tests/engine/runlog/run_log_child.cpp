// SPDX-License-Identifier: Apache-2.0
// Another process at the same run log, for the tests beside it:
//   write FILE NAME STEPS   a run of STEPS steps; prints "run ID", then "step N" once committed
//   resume FILE RUN FROM STEPS   resumes that run after step FROM; continues likewise
//   make FILE               makes the log and ends
//   full FILE BYTES         writes with a file size limit until the log reports it, then without
// and as a user who owns nothing, printing the error:
//   view FILE               prints the runs' states
//   open FILE               opens for writing
//   csv FILE                writes a CSV file
#include "run_log_fixture.h"

#include "engine/exchange/csv.h"
#include "engine/runlog/run_log_reader.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <grp.h>
#include <unistd.h>

namespace {

using namespace accrue;

constexpr unsigned kNobody = 65534;

class PrintingSink : public EventSink {
public:
    void emitEvent(Event event) override
    {
        const StepDone* step = std::get_if<StepDone>(&event);
        if (!step)
            return;
        std::printf("step %lld\n", static_cast<long long>(step->step));
        std::fflush(stdout);
    }
};

void print(std::string_view word, const std::string& text)
{
    std::printf("%.*s %s\n", static_cast<int>(word.size()), word.data(), text.c_str());
    std::fflush(stdout);
}

void becomeNobody()
{
    if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0)
        std::exit(77);
}

int make(const std::string& file)
{
    try {
        RunLogWriter log(file);
        return 0;
    } catch (const RunLogError& error) {
        print("error", error.what());
        return 1;
    }
}

// Steps after `from` up to `to`, and the end.
void writeSteps(RunLogWriter& log, RunId run, std::int64_t from, std::int64_t to)
{
    PrintingSink printing;
    EventSink& sink = log.sink(run, &printing);
    sink.emitEvent(startOf(experimentNamed("child")));
    for (std::int64_t step = from + 1; step <= to; ++step) {
        sink.emitEvent(stepAt(step));
        if (step % 50 == 0)
            log.flush();
    }
    sink.emitEvent(endAt(to));
    log.flush();
}

int write(const std::string& file, const std::string& name, std::int64_t steps)
{
    RunLogWriter log(file);
    const RunId run = log.beginRun(requireResolved(experimentNamed(name)));
    print("run", std::to_string(numberOf(run)));
    writeSteps(log, run, 0, steps);
    return 0;
}

int resume(const std::string& file, RunId run, std::int64_t from, std::int64_t steps)
{
    try {
        RunLogWriter log(file);
        log.resumeRun(run, pointAfter(from));
        print("run", std::to_string(numberOf(run)));
        writeSteps(log, run, from, steps);
        return 0;
    } catch (const RunLogError& error) {
        print("error", error.what());
        return 1;
    }
}

void pauseFor(std::chrono::milliseconds time)
{
    std::mutex mutex;
    std::unique_lock<std::mutex> lock(mutex);
    std::condition_variable().wait_for(lock, time);
}

int full(const std::string& file, rlim_t bytes)
{
    RunLogWriter log(file);
    const Experiment experiment = experimentNamed("full");
    const RunId run = log.beginRun(requireResolved(experiment));
    EventSink& sink = log.sink(run);
    sink.emitEvent(startOf(experiment));
    std::optional<FileSizeLimit> limit(std::in_place, bytes);
    std::int64_t step = 0;
    while (log.problem().empty() && step < 200'000) {
        for (int i = 0; i < 100; ++i)
            sink.emitEvent(stepAt(++step));
        log.flush();
    }
    print("problem", log.problem().english());
    print("flush", log.flush() ? "written" : "waits");
    pauseFor(std::chrono::milliseconds(200));
    limit.reset();
    const bool written = log.flush();
    print(
        "then", (written ? "written " : "waits ") + std::to_string(step) + log.problem().english());
    sink.emitEvent(endAt(step));
    log.flush();
    return 0;
}

int view(const std::string& file)
{
    becomeNobody();
    try {
        RunLogReader log(file);
        for (const RunRecord& run : log.runs())
            print(std::string(nameOf(run.state)),
                std::to_string(log.series(run.id, "loss", Axis::Step).size()));
    } catch (const RunLogError& error) {
        print("error", error.what());
    }
    return 0;
}

int attempt(const char* done, const std::string& file, const std::function<void()>& work)
{
    becomeNobody();
    try {
        work();
        print(done, file);
    } catch (const RunLogError& error) {
        print("error", error.what());
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view mode = argc > 2 ? argv[1] : "";
    if (mode == "write" && argc > 4)
        return write(argv[2], argv[3], std::atoll(argv[4]));
    if (mode == "resume" && argc > 5)
        return resume(
            argv[2], RunId { std::atoll(argv[3]) }, std::atoll(argv[4]), std::atoll(argv[5]));
    if (mode == "full" && argc > 3)
        return full(argv[2], static_cast<rlim_t>(std::atoll(argv[3])));
    if (mode == "make")
        return make(argv[2]);
    if (mode == "view")
        return view(argv[2]);
    if (mode == "open")
        return attempt("opened", argv[2], [&] { RunLogWriter { argv[2] }; });
    if (mode == "csv")
        return attempt("written", argv[2], [&] { writeCsv(argv[2], { { "a" } }); });
    return 2;
}
