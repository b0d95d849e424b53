// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_feed.h"

#include "engine/runlog/histogram_reader.h"
#include "ui/models/format.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

using Question = HistogramFeed::Question;
using Answer = HistogramFeed::Answer;
using Names = std::vector<HistogramNames>;

bool isOfSameRuns(const Question& a, const Question& b)
{
    return a.log == b.log && a.parameter == b.parameter && a.of == b.of
        && std::ranges::equal(
            a.runs, b.runs, {}, &HistogramFeed::AskedRun::run, &HistogramFeed::AskedRun::run);
}

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

// What an earlier answer has of that run; null: it has to be read.
std::shared_ptr<const RunHistograms> known(
    const Answer& before, const Question& question, std::size_t run)
{
    if (before.asked.log != question.log)
        return nullptr;
    const auto found = std::ranges::find(before.asked.runs, question.runs[run]);
    return found == before.asked.runs.end()
        ? nullptr
        : before.runs[static_cast<std::size_t>(found - before.asked.runs.begin())];
}

void addNames(Answer& answer, const HistogramNames& names)
{
    for (const std::string& name : names.parameters)
        if (!has(answer.parameters, name))
            answer.parameters.push_back(name);
    answer.hasGradients = answer.hasGradients || names.hasGradients;
}

RunHistograms readRun(HistogramReader& log, const Answer& answer, HistogramNames names, RunId run)
{
    RunHistograms read { run, std::move(names) };
    if (has(read.names.parameters, answer.parameter))
        for (const HistogramAtStep& each : log.histograms(run, answer.parameter, answer.asked.of))
            read.columns.push_back(columnOf(each));
    return read;
}

// An answer that is not complete is never delivered.
std::shared_ptr<const Answer> readAll(
    const Question& question, const Answer& before, const Task::Job& job)
{
    HistogramReader log(question.log);
    auto answer = std::make_shared<Answer>(Answer { .asked = question });
    Names names;
    for (std::size_t i = 0; i < question.runs.size() && !job.isCancelled(); ++i) {
        const auto earlier = known(before, question, i);
        names.push_back(earlier ? earlier->names : log.names(question.runs[i].run));
        addNames(*answer, names.back());
    }
    if (has(answer->parameters, question.parameter))
        answer->parameter = question.parameter;
    else if (!answer->parameters.empty())
        answer->parameter = answer->parameters.front();
    const bool isSame = before.parameter == answer->parameter && before.asked.of == question.of;
    for (std::size_t i = 0; i < names.size() && !job.isCancelled(); ++i) {
        const auto earlier = isSame ? known(before, question, i) : nullptr;
        answer->runs.push_back(earlier ? earlier
                                       : std::make_shared<const RunHistograms>(
                                           readRun(log, *answer, names[i], question.runs[i].run)));
    }
    return answer;
}

} // namespace

HistogramFeed::HistogramFeed(QObject* parent)
    : QObject(parent)
    , m_answer(std::make_shared<Answer>())
{
}

void HistogramFeed::ask(const Question& question)
{
    if (m_asked == question)
        return;
    if (m_task.isRunning() && m_asked && isOfSameRuns(*m_asked, question))
        m_next = question;
    else
        start(question);
}

void HistogramFeed::start(const Question& question)
{
    m_asked = question;
    m_next.reset();
    m_task.start(
        [this, question, before = m_answer](const Task::Job& job) -> Task::News {
            return [this, answer = readAll(question, *before, job)] { take(answer); };
        },
        [this](const Message& problem) {
            m_asked.reset();
            Q_EMIT failed(messageText(problem));
        });
}

void HistogramFeed::take(std::shared_ptr<const Answer> answer)
{
    m_answer = std::move(answer);
    if (m_next)
        start(Question(*m_next));
    Q_EMIT read();
}

} // namespace accrue
