// SPDX-License-Identifier: Apache-2.0
#include "ui/run/law_probe.h"

#include <QPointer>
#include <QThreadPool>

namespace accrue {

LawProbe::LawProbe(QObject* parent)
    : QObject(parent)
{
}

void LawProbe::look(const std::filesystem::path& laws, const Experiment& experiment,
    const std::string& device, const std::string& torchVersion)
{
    const std::uint64_t question = ++m_question;
    // Through the application object, which outlives the pool's jobs: this probe may not.
    QPointer<LawProbe> self(this);
    QThreadPool::globalInstance()->start([self, question, laws, experiment, device, torchVersion] {
        const std::optional<MemoryFit> fit = storedFit(laws, experiment, device, torchVersion);
        QMetaObject::invokeMethod(
            QThreadPool::globalInstance(),
            [self, question, fit] {
                if (self != nullptr && self->m_question == question)
                    Q_EMIT self->lawFound(fit);
            },
            Qt::QueuedConnection);
    });
}

void LawProbe::forget()
{
    ++m_question;
}

} // namespace accrue
