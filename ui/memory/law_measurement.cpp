// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/law_measurement.h"

#include "engine/report/law_store.h"
#include "ui/models/law_words.h"

// A measurement belongs to the experiment that it was started for, and takes long enough for the
// form to change. So results are stored by the fingerprint of what decides memory, and compared
// with the form's when they are shown: results that do not concern the form become messages
// instead.

namespace accrue {

LawMeasurement::LawMeasurement(Backend& backend, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
{
    const FitController& fits = backend.fits;
    connect(&fits, &FitController::progressed, this, &LawMeasurement::progressed);
    connect(&fits, &FitController::stateChanged, this, &LawMeasurement::changed);
    connect(&fits, &FitController::ended, this, &LawMeasurement::take);
    connect(&backend.controller, &RunController::stateChanged, this, &LawMeasurement::changed);
    connect(&backend.engine, &EngineHost::engineLoaded, this, &LawMeasurement::changed);
    connect(&backend.engine, &EngineHost::engineMissed, this, &LawMeasurement::changed);
}

void LawMeasurement::setQuestion(const LawQuestion& question)
{
    // The problem of a measurement is about its experiment only.
    if (!isSameQuestion(question.experiment, m_question.experiment))
        m_problem.clear();
    m_question = question;
    Q_EMIT changed();
}

QString LawMeasurement::subject() const
{
    return lawSubject(m_question.experiment, deviceOf(m_question.experiment));
}

std::string LawMeasurement::fingerprint(const Experiment& experiment) const
{
    return memoryFingerprint(experiment, deviceOf(experiment));
}

std::string LawMeasurement::deviceOf(const Experiment& experiment) const
{
    const DeviceInfo* device = deviceNamed(experiment.run.device, m_backend.engine.devices());
    // Before the engine is loaded no device is known; the word of the recipe replaces it.
    return device != nullptr ? device->id : experiment.run.device;
}

// The result of a measurement: the memory model, and what fits the budget.
bool LawMeasurement::isSameQuestion(const Experiment& one, const Experiment& other) const
{
    return one.memory.budget == other.memory.budget && fingerprint(one) == fingerprint(other);
}

QString LawMeasurement::whyNot() const
{
    const QString why = whyNotCompute(m_backend);
    return why.isEmpty() ? m_question.problem : why;
}

void LawMeasurement::startOrCancel()
{
    FitController& fits = m_backend.fits;
    if (fits.isActive())
        fits.stop();
    else if (whyNot().isEmpty()) {
        m_problem.clear();
        fits.start({ m_question.experiment, m_backend.dataDirectories, /*alsoSteps=*/true,
            /*alsoSpeeds=*/true });
    }
}

// A stopped measurement has no result. A memory model reaches the question through the draft.
void LawMeasurement::take(const MemoryFit& fit, const QString& notStored)
{
    if (fit.stopped)
        return;
    const Experiment& measured = m_backend.fits.experiment();
    const QString problem = QString::fromStdString(fit.problem.text());
    if (!fit.law.lines.empty()) {
        // Distinguishes “measured just now” from “measured earlier”, and identifies the model that
        // a storage problem is about.
        m_measured = fingerprint(measured);
        m_notStored = notStored.isEmpty()
            ? QString()
            : tr("The memory model could not be stored: %1.").arg(notStored);
    }
    if (isSameQuestion(measured, m_question.experiment))
        m_problem = problem;
    else if (!problem.isEmpty())
        Q_EMIT reported(tr("%1: %2").arg(lawSubject(measured, deviceOf(measured)), problem),
            RunMessage::Severity::Error);
    Q_EMIT changed();
}

LawMeasurement::Status LawMeasurement::status() const
{
    if (m_backend.fits.isActive())
        return measuringStatus();
    Status status = resultStatus();
    if (!m_notStored.isEmpty() && m_measured == fingerprint(m_question.experiment)) {
        status.text = tr("%1 %2").arg(status.text, m_notStored);
        // A problem stays red; that the model could not be stored is less severe.
        if (m_problem.isEmpty())
            status.role = QStringLiteral("warning");
    }
    return status;
}

LawMeasurement::Status LawMeasurement::measuringStatus() const
{
    const FitController& fits = m_backend.fits;
    const QString muted = QStringLiteral("muted");
    if (fits.state() == FitController::State::Stopping)
        return { tr("Stopping after this window…"), muted };
    if (fits.progress().micro == 0)
        return { tr("Measuring: preparing…"), muted };
    return { tr("Measuring: %1.").arg(fitProgressText(fits.progress())), muted };
}

LawMeasurement::Status LawMeasurement::resultStatus() const
{
    const QString error = QStringLiteral("error");
    if (!m_problem.isEmpty())
        return { m_problem, error };
    if (m_question.law) {
        const QString verdict = verdictText(m_question);
        const bool here = m_measured == fingerprint(m_question.experiment);
        return { here ? verdict : tr("%1 Measured earlier.").arg(verdict) };
    }
    if (!m_question.problem.isEmpty())
        return { m_question.problem, error };
    return { tr("Peak memory grows linearly with the micro-batch. Accrue measures a few real "
                "windows and then predicts which micro-batch fits which card."),
        QStringLiteral("muted") };
}

} // namespace accrue
