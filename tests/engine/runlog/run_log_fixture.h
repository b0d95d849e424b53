// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_writer.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QByteArray>
#include <QStringList>

#include <signal.h>
#include <sys/resource.h>

class QProcess;

namespace accrue {

Experiment experimentNamed(const std::string& name);
RunStarted startOf(const Experiment& experiment); // 1280 training samples, b 32 × N 4
StepDone stepAt(std::int64_t step); // 128 samples; loss 1 / step, 10 ms
EpochDone epochAt(std::int64_t epoch, std::int64_t step, double loss, double accuracy);
Evaluated evaluationAt(std::int64_t step, double loss, double accuracy);
// With samples held out, on which loss and accuracy are these.
Evaluated validated(Evaluated evaluation, double loss, double accuracy);
RunEnded endAt(std::int64_t step, RunOutcome outcome = RunOutcome::Completed);

// The place from which a run resumes after that step's window; 0: from the beginning.
ResumePoint pointAfter(std::int64_t step);

// A run with RunStarted and `steps` steps, all committed; ended when `ended`.
RunId writeRun(RunLogWriter& log, const std::string& name, std::int64_t steps, bool ended = true);

// Numbers and texts straight from the file, past the reader.
std::int64_t integerIn(const std::filesystem::path& log, const std::string& sql);
std::string textIn(const std::filesystem::path& log, const std::string& sql);
void execute(const std::filesystem::path& file, const std::string& sql);
// Changes rows of `runs` with their checksums, as another program would.
void changeRuns(const std::filesystem::path& log, const std::string& sql);

// A log as the program wrote it before there was format 2 (tests/data/run_log_v1.sql).
void makeLogOfFormat1(const std::filesystem::path& file);
// A log as the program wrote it before there was format 6, with rows in every table.
void makeLogOfFormat5(const std::filesystem::path& file);

// No file may become larger than that, as on a full disk, while it lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes);
    ~FileSizeLimit();
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before {};
    sighandler_t m_handler;
};

// What `work` throws, or "nothing was thrown".
std::string messageOf(const std::function<void()>& work);
// Whose fault what `work` throws is; nullopt where it throws nothing.
std::optional<RunLogError::Kind> kindOf(const std::function<void()>& work);

// The helper program beside the tests (run_log_child.cpp), started and running.
void startChild(QProcess& child, const QStringList& arguments);
// The next line of what it prints, without the newline; empty when it ends or 10 s are over.
QByteArray nextLine(QProcess& child);

} // namespace accrue
