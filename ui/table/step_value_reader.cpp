// SPDX-License-Identifier: Apache-2.0
#include "ui/table/step_value_reader.h"

#include "ui/models/format.h"

#include <utility>

namespace accrue {

StepValueReader::StepValueReader(QObject* parent)
    : QObject(parent)
{
}

void StepValueReader::ask(const Question& question)
{
    if (m_asked == question)
        return;
    m_asked = question;
    m_task.start(
        [this, question](const Task::Job& job) -> Task::News {
            RunLogReader log(question.log);
            std::vector<StepValue> values;
            // Of one moment: a run that trains meanwhile must not be ahead of the others.
            log.inOneState([&] {
                values = readStepValues(
                    log, question.runs, question.step, [&job] { return job.isCancelled(); });
            });
            return [this, values = std::move(values)] {
                m_values = values;
                Q_EMIT read();
            };
        },
        [this](const Message& problem) {
            m_asked.reset();
            Q_EMIT failed(messageText(problem));
        });
}

void StepValueReader::forget()
{
    m_asked.reset();
    m_values.clear();
    m_task.drop();
}

} // namespace accrue
