// SPDX-License-Identifier: Apache-2.0
#include "ui/run/equivalence_check.h"

#include <QPointer>
#include <QThreadPool>

#include <exception>
#include <utility>

namespace accrue {

namespace {

using Tell = std::function<void(const EquivalenceAnswer& answer)>;

void find(const std::filesystem::path& file, const RunPair& runs,
    const EquivalenceCheck::Distance& distance, const Tell& tell)
{
    EquivalenceAnswer answer;
    answer.runs = runs;
    std::string checkpoints[2];
    try {
        RunLogReader log(file);
        answer.losses = equivalenceOf(log, runs.a, runs.b);
        checkpoints[0] = log.run(runs.a).checkpoint;
        checkpoints[1] = log.run(runs.b).checkpoint;
    } catch (const std::exception& error) {
        answer.problem = QString::fromUtf8(error.what());
    }
    tell(answer);
    if (!distance || checkpoints[0].empty() || checkpoints[1].empty())
        return;
    answer.parameters = distance(checkpoints[0], checkpoints[1]);
    tell(answer);
}

} // namespace

EquivalenceCheck::EquivalenceCheck(QObject* parent)
    : QObject(parent)
{
}

void EquivalenceCheck::ask(const std::filesystem::path& log, const RunPair& runs)
{
    const std::uint64_t question = ++m_question;
    // Through the application object, which outlives the pool's jobs: this may not.
    QPointer<EquivalenceCheck> self(this);
    const Tell tell = [self, question](const EquivalenceAnswer& answer) {
        QMetaObject::invokeMethod(
            QThreadPool::globalInstance(),
            [self, question, answer] {
                if (self != nullptr && self->m_question == question)
                    Q_EMIT self->answered(answer);
            },
            Qt::QueuedConnection);
    };
    QThreadPool::globalInstance()->start(
        [log, runs, distance = m_distance, tell] { find(log, runs, distance, tell); });
}

void EquivalenceCheck::forget()
{
    ++m_question;
}

} // namespace accrue
