// SPDX-License-Identifier: Apache-2.0
#include "ui/train/form_rows.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "ui/draft/experiment_check.h"
#include "ui/models/key_words.h"
#include "ui/widgets/folded_part.h"

#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

ChoiceEditor::Choices choicesOf(const KeyInfo& key)
{
    ChoiceEditor::Choices choices;
    choices.reserve(key.choices.size());
    for (const KeyChoice& choice : key.choices)
        choices.emplace_back(
            QString::fromStdString(choice.value), QString::fromStdString(titleOf(key, choice)));
    return choices;
}

SettingEditor* makeEditor(const KeyInfo& key, QWidget* parent)
{
    switch (key.value.editor) {
    case KeyEditor::Words:
    case KeyEditor::Count:
    case KeyEditor::Number:
    case KeyEditor::Folder:
        break;
    case KeyEditor::Choice:
        return new ChoiceEditor(choicesOf(key), /*editable=*/false, parent);
    case KeyEditor::Suggestions:
        return new ChoiceEditor(choicesOf(key), /*editable=*/true, parent);
    case KeyEditor::Switch:
        return new SwitchEditor(parent);
    case KeyEditor::Span:
        return new SpanEditor(parent);
    case KeyEditor::BatchNumber:
        return new BatchNumberEditor(keyLabel(key.key),
            key.key == key::batchDevices ? BatchNumberEditor::Offers::AllDevices
                                         : BatchNumberEditor::Offers::Solution,
            parent);
    }
    auto* editor = new TextEditor(key.value.editor, parent);
    if (!key.hint.empty())
        editor->edit()->setPlaceholderText(QString::fromStdString(hintOf(key)));
    editor->setUnset(QString::fromStdString(key.unset));
    return editor;
}

} // namespace

// The rows are made from the table of keys alone, so that a new key needs no change here: its row
// there states its section, its editor, whether it is advanced and when it is hidden.
FormRows::FormRows(QWidget* form, QVBoxLayout* layout, const Blocks& below)
    : QObject(form)
    , m_form(form)
{
    for (const KeySection section :
        { KeySection::Name, KeySection::DataAndModel, KeySection::Normalisation, KeySection::Batch,
            KeySection::Optimizer, KeySection::Schedule, KeySection::Run })
        addSection(section, titleOf(section), layout, below);
}

// The advanced part is last, wherever its keys are in the table.
void FormRows::addSection(
    KeySection section, const QString& title, QVBoxLayout* layout, const Blocks& below)
{
    if (!title.isEmpty()) {
        layout->addSpacing(8);
        layout->addWidget(makeLabel("section", title, m_form));
    }
    Fold* fold = nullptr;
    for (const KeyInfo& key : experimentKeys()) {
        if (key.section != section)
            continue;
        FormRow* const row = addRow(key);
        if (key.isAdvanced) {
            fold = fold != nullptr ? fold : &addFold(title, key.key);
            fold->part->addRow(row);
            fold->keys.push_back(key.key);
        } else {
            layout->addWidget(row);
        }
        if (const auto block = below.find(key.key); block != below.end())
            layout->addWidget(block->second);
    }
    if (fold != nullptr)
        layout->addWidget(fold->part);
}

FormRow* FormRows::addRow(const KeyInfo& key)
{
    const QString label = keyLabel(key.key);
    SettingEditor* const editor = makeEditor(key, m_form);
    auto* row = new FormRow(label, editor, keyHelp(key), m_form);
    m_rows[key.key] = row;
    connect(row, &FormRow::explanationRequested, this,
        [this, label] { Q_EMIT explanationRequested(label); });
    const std::string& id = key.key;
    connect(editor, &SettingEditor::edited, this, [this, id] { Q_EMIT edited(id, false); });
    connect(editor, &SettingEditor::typed, this, [this, id] { Q_EMIT edited(id, true); });
    if (auto* number = qobject_cast<BatchNumberEditor*>(editor))
        connect(number, &BatchNumberEditor::solveToggled, this,
            [this, id] { Q_EMIT solveToggled(id); });
    for (QLineEdit* edit : editor->findChildren<QLineEdit*>())
        edit->installEventFilter(m_form); // for undo
    for (QComboBox* box : editor->findChildren<QComboBox*>())
        if (box->isEditable())
            box->installEventFilter(m_form); // its keys never reach the filters of its line edit
    return row;
}

FormRows::Fold& FormRows::addFold(const QString& title, const std::string& firstKey)
{
    m_folds.push_back({ new FoldedPart(title, m_form),
        QString::fromStdString(firstKey.substr(0, firstKey.find('.'))), {}, false, {} });
    // Its index, because the vector moves its folds as it grows.
    const std::size_t fold = m_folds.size() - 1;
    connect(m_folds.back().part, &FoldedPart::toggled, this,
        [this, fold](bool open) { m_folds[fold].wanted = open; });
    return m_folds.back();
}

FormRow* FormRows::row(const std::string& key) const
{
    const auto found = m_rows.find(key);
    return found != m_rows.end() ? found->second : nullptr;
}

FoldedPart* FormRows::foldOf(const std::string& key) const
{
    for (const Fold& fold : m_folds)
        if (std::ranges::find(fold.keys, key) != fold.keys.end())
            return fold.part;
    return nullptr;
}

void FormRows::setTexts(const SettingTexts& texts)
{
    for (const auto& [key, text] : texts)
        // Setting a text moves the cursor, even in the field that is being typed in.
        if (editor(key)->text() != text)
            editor(key)->setText(text);
}

void FormRows::showSolutions(const std::optional<BatchPlan>& plan)
{
    // Also those that are not solved: showSolution does not change what was typed.
    for (const std::string& key : batchNumberKeys())
        static_cast<BatchNumberEditor*>(editor(key))
            ->showSolution(plan ? std::optional(batchNumber(*plan, key)) : std::nullopt);
}

void FormRows::showRelevant(const Experiment& experiment)
{
    for (const KeyInfo& key : experimentKeys()) {
        // Always shown.
        if (key.conditions.empty())
            continue;
        const KeyCondition* unmet = unmetCondition(key, experiment);
        const auto becomes = unmet != nullptr ? unmet->row : KeyCondition::Row::Shown;
        row(key.key)->setVisible(becomes != KeyCondition::Row::Hidden);
        row(key.key)->setEnabled(becomes != KeyCondition::Row::Greyed);
    }
}

void FormRows::showFindings(const Findings& findings)
{
    for (const auto& [key, row] : m_rows) {
        const Finding* finding = findingFor(findings, key);
        row->showFinding(
            finding, finding != nullptr ? withLabels(finding->message.text()) : QString());
    }
}

void FormRows::showFolds(const Experiment& experiment, const Findings& findings, Folds folds)
{
    // Never changes, and this runs with every check.
    static const Experiment defaults;
    for (Fold& fold : m_folds) {
        std::set<std::string> reasons;
        int changed = 0;
        int problems = 0;
        for (const std::string& key : fold.keys) {
            // Only what the user can see and change there is counted.
            if (fieldLabel(key, experiment).isEmpty()) // nothing reads it now
                continue;
            const Finding* finding = findingFor(findings, key);
            const bool isWrong = finding != nullptr && finding->severity != Finding::Severity::Note;
            const bool isChanged = settingOf(experiment, key) != settingOf(defaults, key);
            problems += isWrong ? 1 : 0;
            changed += isChanged ? 1 : 0;
            if (isWrong || isChanged)
                reasons.insert(key);
        }
        fold.part->setCounts(changed, problems);
        fold.part->setVisible(std::ranges::any_of(
            fold.keys, [this](const std::string& key) { return !row(key)->isHidden(); }));
        if (folds == Folds::Stay)
            continue;
        // Opened for a new reason only: a part that the user folded over an old one stays folded.
        if (!std::ranges::includes(fold.reasons, reasons))
            fold.part->setOpen(true);
        fold.reasons = std::move(reasons);
    }
}

void FormRows::forgetFolds()
{
    for (Fold& fold : m_folds) {
        fold.part->setOpen(fold.wanted);
        fold.reasons.clear();
    }
}

QStringList FormRows::openParts() const
{
    QStringList parts;
    for (const Fold& fold : m_folds)
        if (fold.wanted)
            parts << fold.id;
    return parts;
}

void FormRows::setOpenParts(const QStringList& parts)
{
    for (Fold& fold : m_folds) {
        fold.wanted = parts.contains(fold.id);
        if (fold.wanted)
            fold.part->setOpen(true);
    }
}

} // namespace accrue
