// SPDX-License-Identifier: Apache-2.0
#include "ui/run/equivalence_check.h"

#include "engine/runlog/run_log_reader.h"

namespace accrue {

void EquivalenceCheck::ask(const std::filesystem::path& log, const RunPair& runs)
{
    forget();
    m_asked.emplace(log, runs);
    if (!m_task.isRunning()) // otherwise its end starts this one
        start();
}

void EquivalenceCheck::forget()
{
    m_asked.reset();
    ++m_newest;
    m_task.cancel();
}

void EquivalenceCheck::start()
{
    EquivalenceAnswer asked;
    asked.runs = m_asked->second;
    m_task.start(
        [this, asked, log = m_asked->first, number = m_newest, distance = m_distance](
            const Task::Job& job) -> Task::News {
            RunLogReader reader(log);
            EquivalenceAnswer found = asked;
            found.losses = equivalenceOf(reader, found.runs.a, found.runs.b);
            const std::string a = reader.run(found.runs.a).checkpoint;
            const std::string b = reader.run(found.runs.b).checkpoint;
            if (distance && !a.empty() && !b.empty() && !job.isCancelled()) {
                // Reading two checkpoints takes a while, and the losses need not wait for it.
                job.post([this, found, number] { emitAnswer(found, number); });
                found.parameters = distance(a, b);
            }
            return [this, found, number] { end(found, number); };
        },
        [this, asked, number = m_newest](const Message& problem) {
            EquivalenceAnswer unread = asked;
            unread.problem = QString::fromStdString(problem.text());
            end(unread, number);
        });
}

void EquivalenceCheck::emitAnswer(const EquivalenceAnswer& answer, std::uint64_t number)
{
    if (number == m_newest)
        Q_EMIT answered(answer);
}

void EquivalenceCheck::end(const EquivalenceAnswer& answer, std::uint64_t number)
{
    if (number != m_newest && m_asked)
        start();
    else
        emitAnswer(answer, number);
}

} // namespace accrue
