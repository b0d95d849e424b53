// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/experiment_draft.h"

#include "engine/experiment/fixes.h"
#include "engine/insight/device_info.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"

#include <QGuiApplication>

#include <chrono>
#include <tuple>
#include <utility>

namespace accrue {

// Texts are the truth, and the experiment is read from them. The one exception are batch numbers: a
// recipe can leave B, b, N and W open in more ways than four texts can distinguish (`auto`, absent,
// given), so that they are read from what was set until one of their texts is edited.

namespace {

constexpr std::chrono::milliseconds kTypingPause { 600 }; // after which a wrong value is shown

// "Micro-batch b" after the word Undo; "MLP" stays.
QString inMidSentence(const QString& title)
{
    const bool word = title.size() > 1 && !title.at(1).isUpper();
    return word ? title.at(0).toLower() + title.mid(1) : title;
}

// What the status of a data set depends on.
auto describedBy(const DataSettings& data)
{
    return std::tuple(data.name, data.path, data.imageSize, data.fit);
}

std::pair<std::string, QString> splitAssignment(const std::string& assignment)
{
    const std::size_t equals = assignment.find('=');
    return { assignment.substr(0, equals), QString::fromStdString(assignment.substr(equals + 1)) };
}

} // namespace

ExperimentDraft::ExperimentDraft(QObject* parent)
    : QObject(parent)
    , m_history([this](const State& state, const std::string& key) { restore(state, key); })
{
    m_typingPause.setInterval(kTypingPause);
    m_typingPause.setSingleShot(true);
    connect(&m_typingPause, &QTimer::timeout, this, [this] {
        if (QGuiApplication::mouseButtons() == Qt::NoButton)
            showCheck();
        else // a click may be in progress, and nothing may move below it
            m_typingPause.start();
    });
    begin({});
}

// ---- steps: by typing, by recipes, by fixes, and back again ----

void ExperimentDraft::setState(DraftState state)
{
    m_state = std::make_shared<const DraftState>(std::move(state));
}

void ExperimentDraft::set(const Experiment& experiment, const DraftOrigin& origin)
{
    setState({ textsOf(withDevices(experiment)), experiment, false, experiment, origin });
}

void ExperimentDraft::begin(const Experiment& experiment)
{
    set(experiment, {});
    m_history.clear();
    readReplaced(false);
}

// Edits of the user are lost if the settings are neither the initial ones nor the new ones.
void ExperimentDraft::replace(
    const Experiment& experiment, const QString& name, const DraftOrigin& origin)
{
    const State before = m_state;
    const bool lostEdits = !(m_experiment == before->begun) && !(m_experiment == experiment);
    set(experiment, origin);
    // Loading the same recipe again is no step.
    if (!(*before == *m_state))
        m_history.add({ name, {}, false, before, m_state });
    readReplaced(lostEdits);
}

void ExperimentDraft::edit(const std::string& key, const QString& text, bool typed)
{
    DraftState next = *m_state;
    next.texts[key] = text;
    next.batchEdited = next.batchEdited || isBatchNumber(key);
    addStep(std::move(next), inMidSentence(keyLabel(key)), key, typed);
}

void ExperimentDraft::toggleSolved(const std::string& key)
{
    DraftState next = *m_state;
    accrue::toggleSolved(next.texts, key, m_experiment.memory.budget.has_value(), m_lastPlan);
    next.batchEdited = true;
    addStep(std::move(next), inMidSentence(keyLabel(key)), key, false);
}

// Batch numbers are solved from each other, so a fix of one sets the texts of all of them.
void ExperimentDraft::applyFix(const Fix& fix)
{
    Experiment fixed = m_experiment;
    accrue::applyFix(fixed, fix);
    DraftState next = *m_state;
    next.base.batch = m_experiment.batch;
    accrue::applyFix(next.base, fix);
    for (const std::string& assignment : fix.assignments) {
        const auto [key, text] = splitAssignment(assignment);
        if (isBatchNumber(key)) {
            next.batchEdited = false;
            setBatchTexts(fixed, resolve(fixed).resolved, next.texts);
        } else if (next.texts.contains(key))
            next.texts[key] = text;
    }
    const std::string first = splitAssignment(fix.assignments.front()).first;
    addStep(std::move(next), tr("Fix: %1").arg(messageText(fix.label)), first, false);
    Q_EMIT stepped(first);
}

void ExperimentDraft::addStep(
    DraftState next, const QString& name, const std::string& key, bool typed)
{
    // An edit can leave all texts as they were, such as a choice that is chosen again; it is no
    // step.
    if (next.texts == m_state->texts)
        return;
    // An edited draft equals no recipe any more.
    next.origin.recipe.clear();
    next.origin.edited = true;
    const State before = m_state;
    setState(std::move(next));
    m_history.add({ name, key, typed, before, m_state });
    readStep(typed);
}

void ExperimentDraft::restore(const State& state, const std::string& key)
{
    m_state = state;
    readStep(false);
    Q_EMIT stepped(key);
}

// The origin is part of the state, so that undo after saving a recipe restores the former one with
// the former texts.
void ExperimentDraft::setOrigin(const DraftOrigin& origin)
{
    DraftState state = *m_state;
    state.origin = origin;
    setState(std::move(state));
    Q_EMIT originChanged();
}

// ---- reading ----

// batch.devices = "all" is a number as soon as the devices are known.
Experiment ExperimentDraft::withDevices(const Experiment& experiment) const
{
    return withDevicesFound(experiment, cudaDevicesAmong(m_surroundings.devices));
}

// Numbers that the recipe leaves open may depend on it.
void ExperimentDraft::countDevices()
{
    m_experiment = withDevices(m_experiment);
    if (!m_experiment.batch.devices.isAll() || m_state->batchEdited)
        return;
    DraftState state = *m_state;
    setBatchTexts(m_experiment, resolve(m_experiment).resolved, state.texts);
    setState(std::move(state));
    Q_EMIT textsChanged();
}

void ExperimentDraft::read()
{
    m_experiment = m_state->base; // a text that cannot be read does not change what was set
    m_unreadable = readTexts(m_state->texts, m_experiment);
    if (!m_state->batchEdited)
        copyBatchNumbers(m_state->base.batch, m_experiment.batch);
    m_experiment = withDevices(m_experiment);
}

void ExperimentDraft::readStep(bool typed)
{
    const DataSettings before = m_experiment.data;
    read();
    if (!typed)
        Q_EMIT textsChanged();
    Q_EMIT originChanged();
    // The status of another data set does not apply to this one, so that it is cleared at once; the
    // search for data sets waits until the typing pauses.
    if (describedBy(before) != describedBy(m_experiment.data)) {
        m_surroundings.data.reset();
        Q_EMIT dataChanged();
    }
    if (!typed)
        return checkTexts();
    updateCheck();
    // Correct input is shown as such at once; only new errors wait.
    if (m_check.firstError.isEmpty())
        showCheck();
    else
        m_typingPause.start();
}

void ExperimentDraft::readReplaced(bool lostEdits)
{
    read();
    Q_EMIT textsChanged();
    Q_EMIT originChanged();
    Q_EMIT dataChanged();
    checkTexts();
    Q_EMIT replaced(lostEdits);
}

// ---- what is known of data and devices ----

void ExperimentDraft::setDataStatus(const std::optional<DataSetStatus>& status)
{
    m_surroundings.data = status;
    checkTexts();
}

void ExperimentDraft::setDevices(
    const std::vector<DeviceInfo>& devices, const std::string& torchVersion)
{
    m_surroundings.devices = devices;
    m_torchVersion = torchVersion;
    countDevices();
    Q_EMIT devicesChanged();
    checkTexts();
}

void ExperimentDraft::lookForLaw()
{
    m_law.forget();
    checkTexts();
}

void ExperimentDraft::takeLaw(const Experiment& measured, const MemoryFit& fit, bool stored)
{
    m_law.take(measured, lawPlaceOf(measured), fit, stored);
    checkTexts();
}

LawPlace ExperimentDraft::lawPlaceOf(const Experiment& experiment) const
{
    return lawPlace(experiment.run.device, m_surroundings.devices, m_torchVersion);
}

// ---- checks ----

void ExperimentDraft::checkTexts()
{
    updateCheck();
    showCheck();
}

void ExperimentDraft::showPending()
{
    if (m_typingPause.isActive())
        showCheck();
}

void ExperimentDraft::updateCheck()
{
    m_surroundings.law = m_law.of(m_experiment, lawPlaceOf(m_experiment));
    m_check = checkExperiment(m_experiment, m_state->begun, m_unreadable, m_surroundings);
    // A number that becomes text again needs a value also where the numbers cannot be solved
    // now.
    if (m_check.resolved)
        m_lastPlan = m_check.resolved->plan;
}

void ExperimentDraft::showCheck()
{
    m_typingPause.stop();
    Q_EMIT checked();
}

} // namespace accrue
