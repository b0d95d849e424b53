// SPDX-License-Identifier: Apache-2.0
#include "ui/run/equivalence_check.h"

#include "engine/runlog/run_log_reader.h"

namespace accrue {

void EquivalenceCheck::ask(const std::filesystem::path& log, const RunPair& runs)
{
    const auto answer = [this](const EquivalenceAnswer& found) {
        return [this, found] { Q_EMIT answered(found); };
    };
    m_task.start(
        [log, runs, answer, distance = m_distance](const Task::Job& job) -> Task::News {
            RunLogReader reader(log);
            EquivalenceAnswer found;
            found.runs = runs;
            found.losses = equivalenceOf(reader, runs.a, runs.b);
            const std::string a = reader.run(runs.a).checkpoint;
            const std::string b = reader.run(runs.b).checkpoint;
            // Reading two checkpoints takes a while, and the losses need not wait for it.
            job.post(answer(found));
            // Without both checkpoints the answer with the losses is the last one.
            if (!distance || a.empty() || b.empty() || job.isCancelled())
                return {};
            found.parameters = distance(a, b);
            return answer(found);
        },
        [this, runs](const Message& problem) {
            EquivalenceAnswer unread;
            unread.runs = runs;
            unread.problem = QString::fromStdString(problem.text());
            Q_EMIT answered(unread);
        });
}

} // namespace accrue
