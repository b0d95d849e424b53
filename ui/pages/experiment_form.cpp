// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/experiment_form.h"

#include "engine/door/named_device.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/models.h"
#include "engine/experiment/recipe.h"
#include "ui/pages/batch_bar.h"
#include "ui/pages/data_fetch_row.h"
#include "ui/pages/folded_part.h"
#include "ui/pages/forecast_bar.h"
#include "ui/pages/icons.h"
#include "ui/pages/plan_dialog.h"

#include <QGuiApplication>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrue {

namespace {

constexpr std::chrono::milliseconds kTypingPause { 600 }; // after which a wrong value is shown
constexpr int kDataBlockHeight = 40; // two lines of words, or a button
constexpr int kPicturesBlockHeight = 58; // three: folders have more to tell

const KeyInfo* infoOf(const std::string& key)
{
    const std::vector<KeyInfo>& keys = experimentKeys();
    const auto found = std::find_if(
        keys.begin(), keys.end(), [&](const KeyInfo& info) { return info.key == key; });
    return found != keys.end() ? &*found : nullptr;
}

QString helpOf(const std::string& key)
{
    const KeyInfo* info = infoOf(key);
    if (info == nullptr)
        return {};
    return ExperimentForm::tr("%1\n%2: %3; default %4")
        .arg(QString::fromStdString(info->help), QString::fromStdString(key),
            QString::fromStdString(info->allowed), QString::fromStdString(info->fallback));
}

// The command line reads these as they are, too, but a name "true" or a path with "=" is text here.
std::string* textMember(Experiment& experiment, const std::string& key)
{
    if (key == "name")
        return &experiment.name;
    if (key == "data.path")
        return &experiment.data.path;
    if (key == "model.init_from")
        return &experiment.model.initFrom;
    if (key == "run.device")
        return &experiment.run.device;
    if (key == "trace.parameters")
        return &experiment.trace.parameters;
    return nullptr;
}

// Solved together where b is to be the largest that fits memory.budget.
bool followsBudget(const std::string& key)
{
    return key == "batch.micro" || key == "batch.steps";
}

void takeBatchNumbers(const BatchSettings& from, BatchSettings& to)
{
    to.effective = from.effective;
    to.micro = from.micro;
    to.steps = from.steps;
    to.devices = from.devices;
}

} // namespace

ExperimentForm::ExperimentForm(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_batchBar(new BatchBar(this))
    , m_batchWords(new ElidedLabel(this))
    , m_forecast(new ForecastBar(this))
    , m_dataWords(new QLabel(this))
    , m_dataFetch(new DataFetchRow(this))
    , m_history(new FormHistory(
          [this](const FormHistory::State& state, const std::string& key) { restore(state, key); },
          this))
{
    m_typingPause.setInterval(kTypingPause);
    m_typingPause.setSingleShot(true);
    connect(&m_typingPause, &QTimer::timeout, this, [this] {
        if (QGuiApplication::mouseButtons() == Qt::NoButton)
            showCheck();
        else // a click is on its way
            m_typingPause.start();
    });
    m_layout->setContentsMargins(16, 12, 6, 16); // the scroll bar is 10 wide
    m_layout->setSpacing(8);
    addRow("name", tr("Name"), new TextEditor(TextEditor::Kind::Words, this));
    addDataRows();
    addBatchRows();
    addOptimizerRows();
    addRunRows();
    endSection();
    addHints();
    orderTabs();
    m_layout->addStretch(1);
    setExperiment({});
}

// Its fields go after its members, and one that loses the keyboard then may tell of an edit.
ExperimentForm::~ExperimentForm()
{
    for (const auto& entry : m_rows)
        entry.second->editor()->disconnect(this);
}

void ExperimentForm::addSection(const QString& title)
{
    endSection();
    m_section = title;
    m_layout->addSpacing(8);
    m_layout->addWidget(makeSectionLabel(title, this));
}

// Its advanced part stands last, wherever its rows were added.
void ExperimentForm::endSection()
{
    if (std::exchange(m_foldTakesRows, false))
        m_layout->addWidget(m_folds.back().part);
}

void ExperimentForm::addRow(
    const std::string& key, const QString& label, SettingEditor* editor, Part part)
{
    auto* row = new FormRow(label, editor, helpOf(key), this);
    if (part == Part::Advanced)
        addToFold(key, row);
    else
        m_layout->addWidget(row);
    m_rows[key] = row;
    connect(row, &FormRow::explanationRequested, this,
        [this, label] { Q_EMIT explanationRequested(label); });
    connect(editor, &SettingEditor::edited, this, [this, key] { takeEdit(key, false); });
    connect(editor, &SettingEditor::typed, this, [this, key] { takeEdit(key, true); });
    for (QLineEdit* edit : editor->findChildren<QLineEdit*>())
        edit->installEventFilter(this); // for undo
    for (QComboBox* box : editor->findChildren<QComboBox*>())
        if (box->isEditable())
            box->installEventFilter(this); // its keys never reach the filters of its line edit
}

void ExperimentForm::addToFold(const std::string& key, FormRow* row)
{
    if (!std::exchange(m_foldTakesRows, true)) {
        m_folds.push_back({ new FoldedPart(m_section, this),
            QString::fromStdString(key.substr(0, key.find('.'))), {}, false, {} });
        const std::size_t fold = m_folds.size() - 1;
        connect(m_folds.back().part, &FoldedPart::toggled, this,
            [this, fold](bool open) { m_folds[fold].wanted = open; });
    }
    m_folds.back().part->addRow(row);
    m_folds.back().keys.push_back(key);
}

// Rows are made in another order than they stand in.
void ExperimentForm::orderTabs()
{
    QWidget* last = nullptr;
    const auto append = [&](QWidget* field) {
        const bool takesTab = (field->focusPolicy() & Qt::TabFocus) != 0
            && field->focusProxy() == nullptr && field->window() == window();
        if (!takesTab)
            return;
        if (last != nullptr)
            setTabOrder(last, field);
        last = field;
    };
    for (int i = 0; i < m_layout->count(); ++i) {
        QWidget* shown = m_layout->itemAt(i)->widget();
        if (shown == nullptr)
            continue;
        append(shown);
        for (QWidget* field : shown->findChildren<QWidget*>())
            append(field);
    }
}

void ExperimentForm::addCount(const std::string& key, const QString& label, Part part)
{
    addRow(key, label, new TextEditor(TextEditor::Kind::Count, this), part);
}

void ExperimentForm::addNumber(const std::string& key, const QString& label, Part part)
{
    addRow(key, label, new TextEditor(TextEditor::Kind::Number, this), part);
}

void ExperimentForm::addChoice(
    const std::string& key, const QString& label, const ChoiceEditor::Choices& choices, Part part)
{
    addRow(key, label, new ChoiceEditor(choices, false, this), part);
}

void ExperimentForm::addBatchNumber(const std::string& key, const QString& label)
{
    auto* editor = new BatchNumberEditor(label, this);
    addRow(key, label, editor);
    m_batchEditors[key] = editor;
    connect(editor, &BatchNumberEditor::solveToggled, this, [this, key] { solveFor(key); });
}

void ExperimentForm::addDataRows()
{
    const auto word = [](const char* text) { return QString::fromLatin1(text); };
    addSection(tr("Data and model"));
    addChoice("data.name", tr("Data"),
        { { word("digits"), tr("Digits, built in") }, { word("mnist"), tr("MNIST") },
            { word("fashion-mnist"), tr("Fashion-MNIST") }, { word("cifar10"), tr("CIFAR-10") },
            { word("cifar100"), tr("CIFAR-100") }, { word("idx"), tr("IDX files") },
            { word("images"), tr("Folders of pictures") } });
    m_layout->addWidget(makeDataBlock());
    addRow("data.path", tr("Folder"), new TextEditor(TextEditor::Kind::Folder, this));
    addCount("data.image_size", tr("Picture size"));
    addChoice("data.fit", tr("Fit"),
        { { word("stretch"), tr("Stretch") }, { word("crop"), tr("Crop") },
            { word("letterbox"), tr("Letterbox") } });
    addChoice("data.unreadable", tr("Unreadable pictures"),
        { { word("refuse"), tr("Refuse the set") }, { word("skip"), tr("Skip them") } });
    addCount("data.test", tr("Test split"));
    addCount("data.validation", tr("Validation split"));
    addRow("data.shuffle", tr("Order"), new SwitchEditor(tr("Shuffle each epoch"), this),
        Part::Advanced);
    addRow("data.normalize", tr("Normalise by"),
        new ChoiceEditor({ { word("auto"), tr("Published constants, else measured") },
                             { word("published"), tr("Published constants") },
                             { word("measured"), tr("Measured on the training set") } },
            true, this),
        Part::Advanced);
    addRow("data.augment", tr("Augment"), new TextEditor(TextEditor::Kind::Words, this));
    ChoiceEditor::Choices models;
    models.reserve(modelTable().size());
    for (const ModelInfo& model : modelTable())
        models.emplace_back(word(model.word), word(model.title)); // proper names
    addChoice("model.name", tr("Model"), models);
    addRow("model.widths", tr("Hidden widths"), new TextEditor(TextEditor::Kind::Words, this));
    addChoice("model.stem", tr("Stem"),
        { { word("imagenet"), tr("ImageNet: 7 × 7, max-pool") },
            { word("cifar"), tr("CIFAR: 3 × 3") } });
    addChoice("model.init", tr("Initial weights"),
        { { word("torch"), tr("As torch") }, { word("normal"), tr("Normal") } }, Part::Advanced);
    addNumber("model.init_sigma", tr("σ of the weights"), Part::Advanced);
    addRow("model.init_from", tr("Weights from file"),
        new TextEditor(TextEditor::Kind::Words, this), Part::Advanced);
    addSection(tr("Normalisation"));
    addChoice("model.norm", tr("Norm layers"),
        { { word("none"), tr("None") }, { word("batch"), tr("BatchNorm") },
            { word("group"), tr("GroupNorm") }, { word("layer"), tr("LayerNorm") },
            { word("instance"), tr("InstanceNorm") } });
    addCount("model.groups", tr("Groups"));
    addRow("model.batchnorm_momentum", tr("BatchNorm momentum"),
        new ChoiceEditor({ { word("0.1"), tr("0.1 per micro-batch, as in torch") },
                             { word("corrected"), tr("Corrected: 0.1 per window") } },
            true, this));
    addRow("model.batchnorm_window", tr("Statistics' reach"),
        new SwitchEditor(tr("A whole window"), this));
    addRow("model.batchnorm_precise", tr("Statistics anew"),
        new SwitchEditor(tr("Before evaluation"), this));
}

// What is known of the data set, or the button that fetches it: one at a time, in the same room.
QWidget* ExperimentForm::makeDataBlock()
{
    QWidget* const block = m_dataBlock = new QWidget(this);
    auto* layout = new QVBoxLayout(block);
    layout->setContentsMargins(0, 0, 0, 0);
    m_dataWords->setObjectName(QStringLiteral("dataWords"));
    m_dataWords->setTextFormat(Qt::PlainText);
    m_dataWords->setWordWrap(true);
    m_dataWords->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_dataWords->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_dataWords, 1);
    layout->addWidget(m_dataFetch, 0, Qt::AlignTop);
    return block;
}

void ExperimentForm::addBatchRows()
{
    const auto word = [](const char* text) { return QString::fromLatin1(text); };
    addSection(tr("Batch"));
    addBatchNumber("batch.effective", tr("Effective batch B"));
    addBatchNumber("batch.micro", tr("Micro-batch b"));
    addBatchNumber("batch.steps", tr("Accumulation steps N"));
    addBatchNumber("batch.devices", tr("Devices W"));
    m_layout->addWidget(m_batchBar);
    m_batchWords->setProperty("role", QStringLiteral("muted"));
    m_layout->addWidget(m_batchWords);
    m_layout->addWidget(m_forecast);
    connect(m_forecast, &ForecastBar::measureRequested, this, &ExperimentForm::measureRequested);
    auto* plan = new QToolButton(this);
    plan->setText(tr("About this plan…"));
    plan->setProperty("disclosure", true);
    plan->setToolTip(tr("How the numbers were solved, what an epoch is, and what the learning rate "
                        "and the norm layers make of them"));
    connect(plan, &QToolButton::clicked, this, &ExperimentForm::openPlan);
    m_layout->addWidget(plan, 0, Qt::AlignLeft);
    addChoice("batch.reduction", tr("Gradient reduction"),
        { { word("mean"), tr("Mean over the effective batch") },
            { word("sum"), tr("Sum of micro-batch means") } },
        Part::Advanced);
    addChoice("batch.tail", tr("Last partial batch"),
        { { word("flush"), tr("Use it (flush)") }, { word("drop"), tr("Drop it") },
            { word("carry"), tr("Carry over") } },
        Part::Advanced);
    addRow("batch.schedule", tr("Steps by epoch"), new TextEditor(TextEditor::Kind::Words, this),
        Part::Advanced);
}

void ExperimentForm::addOptimizerRows()
{
    const auto word = [](const char* text) { return QString::fromLatin1(text); };
    addSection(tr("Optimizer"));
    addChoice("optimizer.name", tr("Optimizer"),
        { { word("sgd"), tr("SGD") }, { word("adam"), tr("Adam") },
            { word("adamw"), tr("AdamW") } });
    addNumber("optimizer.lr", tr("Learning rate"));
    addNumber("optimizer.momentum", tr("Momentum"));
    addRow("optimizer.nesterov", tr("Momentum kind"), new SwitchEditor(tr("Nesterov"), this),
        Part::Advanced);
    addNumber("optimizer.dampening", tr("Dampening"), Part::Advanced);
    addNumber("optimizer.beta1", tr("β₁"), Part::Advanced);
    addNumber("optimizer.beta2", tr("β₂"), Part::Advanced);
    addNumber("optimizer.eps", tr("ε"), Part::Advanced);
    addNumber("optimizer.weight_decay", tr("Weight decay"));
    addRow("optimizer.decay_norm_and_bias", tr("Decay of"),
        new SwitchEditor(tr("Norms and biases too"), this), Part::Advanced);
    addNumber("optimizer.clip_norm", tr("Largest norm"), Part::Advanced);
    addNumber("optimizer.clip_value", tr("Largest element"), Part::Advanced);
    addNumber("optimizer.ema", tr("Average's decay"), Part::Advanced);
    addChoice("optimizer.lr_rule", tr("Scale learning rate with N"),
        { { word("none"), tr("No") }, { word("linear"), tr("Linear") },
            { word("sqrt"), tr("Square root") } },
        Part::Advanced);
    addSection(tr("Schedule"));
    addChoice("schedule.name", tr("Rate over time"),
        { { word("constant"), tr("Constant") }, { word("cosine"), tr("Cosine") },
            { word("linear"), tr("Linear") }, { word("step"), tr("Step") },
            { word("multistep"), tr("Multi-step") }, { word("onecycle"), tr("One cycle") } });
    addRow("schedule.every", tr("Falls every"), new SpanEditor(this));
    addRow("schedule.milestones", tr("Falls after"), new TextEditor(TextEditor::Kind::Words, this));
    addNumber("schedule.gamma", tr("Factor of a fall"));
    addNumber("schedule.peak_share", tr("Share before the peak"));
    addNumber("schedule.final_factor", tr("Final factor"));
    addCount("schedule.warmup_steps", tr("Warm-up steps"));
    addCount("schedule.warmup_epochs", tr("Warm-up epochs"));
}

void ExperimentForm::addRunRows()
{
    const auto word = [](const char* text) { return QString::fromLatin1(text); };
    addSection(tr("Run"));
    addCount("run.epochs", tr("Epochs"));
    addCount("run.limit_steps", tr("Step limit"));
    addCount("run.seed", tr("Seed"));
    addRow("run.device", tr("Device"),
        new ChoiceEditor({ { word("auto"), tr("The first CUDA device, otherwise the CPU") },
                             { word("cpu"), tr("CPU") } },
            true, this));
    addRow("run.threads", tr("Threads"),
        new ChoiceEditor({ { word("auto"), tr("Chosen before the run") }, { word("1"), {} },
                             { word("2"), {} }, { word("4"), {} } },
            true, this),
        Part::Advanced);
    addChoice("run.precision", tr("Precision"),
        { { word("float32"), tr("float32") }, { word("float64"), tr("float64") },
            { word("bfloat16"), tr("bfloat16") }, { word("float16"), tr("float16 (CUDA)") } });
    addRow("run.deterministic", tr("Deterministic"),
        new SwitchEditor(tr("Same bits each time"), this), Part::Advanced);
    addRow("run.tf32", tr("TF32"), new SwitchEditor(tr("Faster float32 on CUDA"), this),
        Part::Advanced);
    addChoice("run.memory_format", tr("Memory order"),
        { { word("auto"), tr("auto") }, { word("contiguous"), tr("contiguous") },
            { word("channels_last"), tr("channels last") } },
        Part::Advanced);
    addRow("run.evaluate_every", tr("Evaluate every"), new SpanEditor(this));
    addCount("run.evaluation_batch", tr("Evaluation batch"), Part::Advanced);
    addChoice("run.not_finite", tr("If not finite"),
        { { word("end"), tr("End the run as diverged") }, { word("skip"), tr("Skip the window") } },
        Part::Advanced);
    addRow("checkpoint.every", tr("Save every"), new SpanEditor(this));
    addCount("checkpoint.keep", tr("Saves kept"), Part::Advanced);
    addRow("checkpoint.best", tr("Best"), new SwitchEditor(tr("Keep the best, too"), this),
        Part::Advanced);
    addChoice("memory.metering", tr("Memory is measured"),
        { { word("off"), tr("Peak only") }, { word("window"), tr("A window's phases") },
            { word("full"), tr("Every micro-batch") } },
        Part::Advanced);
    addRow("memory.budget", tr("Memory budget"), new TextEditor(TextEditor::Kind::Words, this),
        Part::Advanced);
    addRow("trace.parameters", tr("Trace parameter"), new TextEditor(TextEditor::Kind::Words, this),
        Part::Advanced);
}

// How text is written that has more than one form.
void ExperimentForm::addHints()
{
    const auto hint = [this](const char* key, const QString& text, const char* unset = "") {
        auto* field = static_cast<TextEditor*>(editor(key));
        field->edit()->setPlaceholderText(text);
        field->setUnset(QString::fromLatin1(unset));
    };
    hint("data.image_size", tr("auto; such as 64 or 64, 96"), "auto");
    hint("data.augment", tr("none; such as crop:4, flip"));
    hint("model.widths", tr("such as 512, 256"));
    hint("model.init_from", tr("none; a .safetensors file"));
    hint("batch.schedule", tr("none; such as 1 from epoch 0, 4 from epoch 2"));
    hint("schedule.milestones", tr("such as 30 epochs, 60 epochs"));
    hint("memory.budget", tr("none; such as 4GiB"), "none");
}

FormRow* ExperimentForm::row(const std::string& key) const
{
    const auto found = m_rows.find(key);
    return found != m_rows.end() ? found->second : nullptr;
}

SettingEditor* ExperimentForm::editor(const std::string& key) const
{
    FormRow* const found = row(key);
    return found != nullptr ? found->editor() : nullptr;
}

FoldedPart* ExperimentForm::foldOf(const std::string& key) const
{
    for (const Fold& fold : m_folds)
        if (std::find(fold.keys.begin(), fold.keys.end(), key) != fold.keys.end())
            return fold.part;
    return nullptr;
}

// Into the fields; they are not read yet.
void ExperimentForm::showExperiment(const Experiment& experiment)
{
    for (const auto& [key, value] : settingsOf(experiment))
        if (m_rows.count(key) > 0 && m_batchEditors.count(key) == 0)
            editor(key)->setText(QString::fromStdString(settingText(value)));
    for (const char* key :
        { "name", "data.path", "model.init_from", "run.device", "trace.parameters" }) {
        Experiment copy = experiment;
        editor(key)->setText(QString::fromStdString(*textMember(copy, key)));
    }
    showBatch(experiment);
    m_base = experiment;
    m_begun = experiment;
    m_batchEdited = false;
    for (Fold& fold : m_folds) {
        fold.part->setOpen(fold.wanted);
        fold.reasons.clear(); // whatever it holds is new
    }
}

// A number that the recipe leaves to be solved is shown as the solved one, whatever words it uses.
void ExperimentForm::showBatch(const Experiment& experiment)
{
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    struct Shown {
        const char* key;
        BatchNumber asked;
        BatchPlan::Solved which;
        std::int64_t solved;
        const char* fallback;
    };
    const BatchPlan values = plan.value_or(BatchPlan {});
    const BatchSettings& batch = experiment.batch;
    const Shown all[] = {
        { "batch.effective", batch.effective, BatchPlan::Solved::Effective, values.effective,
            "auto" },
        { "batch.micro", batch.micro, BatchPlan::Solved::Micro, values.micro, "32" },
        { "batch.steps", batch.steps, BatchPlan::Solved::Steps, values.steps, "4" },
        { "batch.devices", batch.devices, BatchPlan::Solved::Devices, values.devices, "1" },
    };
    const bool follows = microFollowsBudget(experiment);
    for (const Shown& shown : all) {
        QString text = QString::fromLatin1(shown.fallback);
        if (shown.asked.isGiven())
            text = QString::number(shown.asked.value);
        else if (shown.asked.kind == BatchNumber::Kind::Auto)
            text = QStringLiteral("auto");
        if (plan && !shown.asked.isGiven())
            text = plan->solved == shown.which || (follows && followsBudget(shown.key))
                ? QStringLiteral("auto")
                : QString::number(shown.solved);
        m_batchEditors.at(shown.key)->setText(text);
    }
}

// `=` makes a number the solved one and lets go of the one that was; on the solved one it gives it
// back to the keyboard. With a memory budget b and N can be solved both: b is then what fits it.
void ExperimentForm::solveFor(const std::string& key)
{
    BatchNumberEditor* const pressed = m_batchEditors.at(key);
    const bool solve = !pressed->isSolved();
    const bool pair = m_experiment.memory.budget && followsBudget(key);
    for (const auto& [other, editor] : m_batchEditors)
        if (!pair || !followsBudget(other))
            editor->setSolved(false);
    pressed->setSolved(solve);
    takeEdit(key, false);
    if (!solve)
        pressed->edit()->setFocus();
}

void ExperimentForm::readFields()
{
    m_experiment = m_base; // a key without a row stays as the recipe said it
    m_typed.clear();
    for (const auto& [key, row] : m_rows) {
        const std::string text = row->editor()->text().toStdString();
        if (std::string* member = textMember(m_experiment, key)) {
            *member = text;
            continue;
        }
        std::string assignment = key;
        assignment += '=';
        assignment += text;
        for (Finding& finding : applySetting(m_experiment, assignment)) {
            finding.key = key;
            m_typed.push_back(std::move(finding));
        }
    }
    if (!m_batchEdited)
        takeBatchNumbers(m_base.batch, m_experiment.batch);
}

void ExperimentForm::setDataStatus(const std::optional<DataSetStatus>& status)
{
    m_surroundings.data = status;
    checkFields();
}

void ExperimentForm::lookForLaw()
{
    m_law.forget();
    checkFields();
}

void ExperimentForm::takeLaw(const Experiment& measured, const MemoryFit& fit, bool stored)
{
    m_law.take(measured, lawPlaceOf(measured), fit, stored);
    checkFields();
}

void ExperimentForm::setDevices(
    const std::vector<DeviceInfo>& devices, const std::string& torchVersion)
{
    m_surroundings.devices = devices;
    m_torchVersion = torchVersion;
    ChoiceEditor::Choices choices { { QStringLiteral("auto"),
        tr("The first CUDA device, otherwise the CPU") } };
    for (const DeviceInfo& device : devices)
        choices.emplace_back(QString::fromStdString(device.id),
            QString::fromStdString(device.name + ", " + device.detail));
    static_cast<ChoiceEditor*>(editor("run.device"))->setChoices(choices);
    checkFields();
}

LawPlace ExperimentForm::lawPlaceOf(const Experiment& experiment) const
{
    return lawPlace(experiment.run.device, m_surroundings.devices, m_torchVersion);
}

void ExperimentForm::checkFields()
{
    updateCheck();
    showCheck();
}

// What is right is shown at once, and so is what was wrong and no longer is.
void ExperimentForm::checkTyped()
{
    updateCheck();
    if (m_check.firstError.isEmpty())
        showCheck();
    else
        m_typingPause.start();
}

void ExperimentForm::showPending()
{
    if (m_typingPause.isActive())
        showCheck();
}

void ExperimentForm::updateCheck()
{
    m_surroundings.law = m_law.of(m_experiment, lawPlaceOf(m_experiment));
    m_check = checkExperiment(m_experiment, m_begun, m_typed, m_surroundings);
}

void ExperimentForm::showCheck()
{
    m_typingPause.stop();
    showPlan();
    showRelevantRows();
    showFindings();
    showFolds(Folds::Stay);
    showDataStatus();
    Q_EMIT checked();
}

// What cannot be computed now stays as it last was, greyed.
void ExperimentForm::showPlan()
{
    const std::optional<BatchPlan>& plan = m_check.plan;
    const auto solution = [&](std::int64_t BatchPlan::*member) {
        return plan ? std::optional<std::int64_t>(plan.value().*member) : std::nullopt;
    };
    m_batchEditors.at("batch.effective")->showSolution(solution(&BatchPlan::effective));
    m_batchEditors.at("batch.micro")->showSolution(solution(&BatchPlan::micro));
    m_batchEditors.at("batch.steps")->showSolution(solution(&BatchPlan::steps));
    m_batchEditors.at("batch.devices")->showSolution(solution(&BatchPlan::devices));
    m_batchBar->setEnabled(plan.has_value());
    m_batchWords->setEnabled(!m_check.epochSentence.isEmpty());
    if (plan) {
        m_batchBar->setSlices(m_check.slices, m_check.tailSlices);
        m_batchBar->setToolTip(m_check.batchSentence);
        m_batchBar->setAccessibleDescription(planSentence(m_check));
    }
    if (!m_check.epochSentence.isEmpty())
        m_batchWords->setFullText(m_check.epochSentence);
    const bool known = plan && !m_surroundings.devices.empty()
        && (m_check.memory || !isWrong(m_check.findings, "memory.budget"));
    m_forecast->setCurrent(known);
    if (known)
        m_forecast->setForecast(m_check.memory);
    if (m_planDialog != nullptr)
        m_planDialog->setParts(m_check.parts);
}

void ExperimentForm::openPlan()
{
    if (m_planDialog == nullptr) {
        m_planDialog = new PlanDialog(window());
        m_planDialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_planDialog->setParts(m_check.parts);
    m_planDialog->show();
    m_planDialog->raise();
}

QString ExperimentForm::inWords(const std::string& message) const
{
    static const QRegularExpression key(QStringLiteral("[a-z]+\\.[a-z_0-9]+"));
    const QString text = QString::fromStdString(message);
    QString words;
    qsizetype end = 0;
    for (auto found = key.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const FormRow* named = row(match.captured().toStdString());
        words += text.mid(end, match.capturedStart() - end)
            + (named != nullptr ? named->title() : match.captured());
        end = match.capturedEnd();
    }
    return words + text.mid(end);
}

// Of what a letter decides a row is greyed, not hidden: the rows below it would move.
void ExperimentForm::setUsed(const std::string& key, bool used)
{
    row(key)->setEnabled(used);
}

void ExperimentForm::showRelevantRows()
{
    const Experiment& experiment = m_experiment;
    const bool sgd = experiment.optimizer.name == OptimizerName::Sgd;
    for (const char* key : { "optimizer.momentum", "optimizer.nesterov", "optimizer.dampening" })
        row(key)->setVisible(sgd);
    for (const char* key : { "optimizer.beta1", "optimizer.beta2", "optimizer.eps" })
        row(key)->setVisible(!sgd);
    setUsed("optimizer.decay_norm_and_bias", experiment.optimizer.weightDecay != 0);
    setUsed("optimizer.lr_rule", !experiment.batch.schedule.empty());
    row("data.path")->setVisible(experiment.data.name != DataName::Digits);
    const bool pictures = experiment.data.name == DataName::Images;
    m_dataBlock->setFixedHeight(pictures ? kPicturesBlockHeight : kDataBlockHeight);
    for (const char* key : { "data.image_size", "data.fit", "data.unreadable" })
        row(key)->setVisible(pictures);
    row("data.test")
        ->setVisible(
            experiment.data.name == DataName::Images || experiment.data.test != HeldOut {});
    row("model.widths")->setVisible(experiment.model.name == ModelName::Mlp);
    row("model.stem")->setVisible(experiment.model.name == ModelName::ResNet18);
    row("model.groups")->setVisible(experiment.model.norm == Norm::Group);
    for (const char* key :
        { "model.batchnorm_momentum", "model.batchnorm_window", "model.batchnorm_precise" })
        row(key)->setVisible(experiment.model.norm == Norm::Batch);
    row("model.init_sigma")->setVisible(experiment.model.init == Initialisation::Normal);
    showRelevantScheduleRows();
}

void ExperimentForm::showRelevantScheduleRows()
{
    using enum ScheduleName;
    const ScheduleName name = m_experiment.schedule.name;
    row("schedule.every")->setVisible(name == Step);
    row("schedule.milestones")->setVisible(name == MultiStep);
    row("schedule.gamma")->setVisible(name == Step || name == MultiStep);
    row("schedule.peak_share")->setVisible(name == OneCycle);
    row("schedule.final_factor")->setVisible(name == Cosine || name == Linear || name == OneCycle);
}

void ExperimentForm::showFindings()
{
    for (const auto& [key, row] : m_rows) {
        const Finding* finding = findingFor(m_check.findings, key);
        row->showFinding(finding, finding != nullptr ? inWords(finding->message) : QString());
    }
}

// Whether the choices use it: rows that they do not use are hidden.
bool ExperimentForm::isUsed(const std::string& key) const
{
    const FormRow* found = row(key);
    const bool shown = !found->isHidden() || !found->testAttribute(Qt::WA_WState_ExplicitShowHide);
    return shown && found->isEnabledTo(this);
}

std::set<std::string> ExperimentForm::changedKeys(const Fold& fold) const
{
    static const Experiment defaults;
    std::set<std::string> changed;
    for (const std::string& key : fold.keys)
        if (isUsed(key) && settingOf(m_experiment, key) != settingOf(defaults, key))
            changed.insert(key);
    return changed;
}

// A part opens for what is new in it only: what the user folded stays so. What a letter brought
// is new later, when something else is done.
void ExperimentForm::showFolds(Folds folds)
{
    for (Fold& fold : m_folds) {
        std::set<std::string> reasons = changedKeys(fold);
        const auto changed = static_cast<int>(reasons.size());
        int problems = 0;
        for (const std::string& key : fold.keys) {
            const Finding* finding = findingFor(m_check.findings, key);
            if (!isUsed(key) || finding == nullptr || finding->severity == Finding::Severity::Note)
                continue;
            reasons.insert(key);
            ++problems;
        }
        fold.part->setCounts(changed, problems);
        fold.part->setVisible(std::any_of(fold.keys.begin(), fold.keys.end(),
            [this](const std::string& key) { return !row(key)->isHidden(); }));
        if (folds == Folds::Stay)
            continue;
        if (!std::includes(
                fold.reasons.begin(), fold.reasons.end(), reasons.begin(), reasons.end()))
            fold.part->setOpen(true);
        fold.reasons = std::move(reasons);
    }
}

QStringList ExperimentForm::openParts() const
{
    QStringList parts;
    for (const Fold& fold : m_folds)
        if (fold.wanted)
            parts << fold.id;
    return parts;
}

void ExperimentForm::setOpenParts(const QStringList& parts)
{
    for (Fold& fold : m_folds) {
        fold.wanted = parts.contains(fold.id);
        if (fold.wanted)
            fold.part->setOpen(true);
    }
}

// What is wrong with the data set is said among the checks.
void ExperimentForm::showDataStatus()
{
    const std::optional<DataSetStatus>& found = m_surroundings.data;
    const bool wrong = found && !found->problem.empty();
    QString text = tr("looking for the data set…");
    if (found)
        text = wrong ? tr("not usable; the checks say why")
                     : QString::fromStdString(
                         found->description + heldOutText(m_experiment.data, partsOf(*found)));
    m_dataWords->setText(text);
    m_dataWords->setToolTip(found
            ? QString::fromStdString(wrong ? found->problem : found->folder.string())
            : QString());
    setStyleProperty(
        m_dataWords, "role", wrong ? QStringLiteral("error") : QStringLiteral("muted"));
    if (found && m_experiment.data.path.empty())
        m_dataFetch->setWanted(
            static_cast<ChoiceEditor*>(editor("data.name"))->box()->currentText(), *found);
    else
        m_dataFetch->setNoneWanted();
    m_dataWords->setVisible(m_dataFetch->isHidden());
}

} // namespace accrue
