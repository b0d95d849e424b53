// SPDX-License-Identifier: Apache-2.0
#include "ui/train/recipe_bar.h"

#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "ui/actions/make_action.h"
#include "ui/draft/experiment_draft.h"
#include "ui/draft/train_command.h"
#include "ui/widgets/choice_list.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/text_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>
#include <exception>
#include <string_view>

namespace accrue {

namespace {

QString userFolder()
{
    return QString::fromStdString(userRecipeDirectory().string());
}

DraftOrigin originOf(const QString& nameOrPath)
{
    return { QFileInfo(nameOrPath).completeBaseName(), nameOrPath };
}

RunMessage::Severity severityOf(const Finding& finding)
{
    if (finding.severity == Finding::Severity::Error)
        return RunMessage::Severity::Error;
    return finding.severity == Finding::Severity::Warning ? RunMessage::Severity::Warning
                                                          : RunMessage::Severity::Information;
}

// A file is read by people, too: its findings name the line.
QString textOf(const Finding& finding)
{
    const QString text = QString::fromStdString(finding.message.text());
    return finding.line > 0 ? RecipeBar::tr("Line %1: %2").arg(finding.line).arg(text) : text;
}

QString wordsOf(const Experiment& experiment, std::string_view key)
{
    return QString::fromStdString(titleOf(experiment, key));
}

// "B 128 = 32 × 4", of the first epoch.
QString batchOf(const BatchPlan& plan)
{
    const QString text =
        QStringLiteral("B %1 = %2 × %3").arg(plan.effective).arg(plan.micro).arg(plan.steps);
    return plan.devices > 1 ? text + QStringLiteral(" × %1").arg(plan.devices) : text;
}

QString trainedFor(const RunSettings& run)
{
    if (run.limitSteps > 0)
        return RecipeBar::tr("%1 steps").arg(run.limitSteps);
    return run.epochs == 1 ? RecipeBar::tr("1 epoch") : RecipeBar::tr("%1 epochs").arg(run.epochs);
}

// What a recipe trains, or why it cannot be trained.
QString detailOf(const Recipe& recipe)
{
    const auto error =
        std::ranges::find(recipe.findings, Finding::Severity::Error, &Finding::severity);
    if (error != recipe.findings.end())
        return textOf(*error);
    const Experiment& experiment = recipe.experiment;
    QStringList parts { wordsOf(experiment, key::dataName), wordsOf(experiment, key::modelName) };
    if (const auto plan = solveBatch(experiment).plan)
        parts << batchOf(*plan);
    parts << trainedFor(experiment.run);
    return parts.join(RecipeBar::tr(" · "));
}

} // namespace

RecipeBar::RecipeBar(ExperimentDraft& draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_box(new FormComboBox(this))
    , m_choices(new ChoiceList(*m_box))
    , m_menu(makeFramedButton(QLatin1String("more"), this))
    , m_open(makeAction(*this, { "open", tr("Open recipe…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O },
          [this] { chooseFile(); }))
    , m_save(makeAction(*this, { "save", tr("Save recipe as…"), Qt::CTRL | Qt::Key_S },
          [this] { chooseTarget(); }))
    , m_copy(makeAction(*this,
          { "terminal", tr("Copy as command line"), Qt::CTRL | Qt::SHIFT | Qt::Key_C },
          [this] { copyCommandLine(); }))
    , m_show(makeAction(
          *this, { "text", tr("Show as TOML"), Qt::CTRL | Qt::Key_T }, [this] { showToml(); }))
{
    auto* label = new QLabel(tr("Recipe"), this);
    label->setFixedWidth(112);
    label->setBuddy(m_box);
    m_box->setAccessibleName(tr("Recipe"));
    makeRow(this, { label, m_box, m_menu })->setStretchFactor(m_box, 1);
    makeMenu();
    connect(m_box, &QComboBox::activated, this,
        [this](int index) { openRecipe(m_box->itemData(index).toString()); });
    connect(&m_draft, &ExperimentDraft::originChanged, this, &RecipeBar::showOrigin);
    // FormComboBox accepts the wheel while it has the focus; this one never does.
    m_box->installEventFilter(this);
    reload();
}

void RecipeBar::makeMenu()
{
    auto* menu = new QMenu(m_menu);
    menu->addActions({ m_open, m_save, m_copy, m_show });
    m_menu->setMenu(menu);
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setToolTip(tr("Open, save, copy or show the recipe"));
    m_menu->setAccessibleName(m_menu->toolTip());
}

// The data of each entry is what openRecipe accepts: the name of a shipped recipe, or the path of a
// file.
void RecipeBar::reload()
{
    m_box->clear();
    m_choices->addHeading(tr("Start here"));
    listShipped(/*published=*/false);
    m_choices->addHeading(tr("Published systems"));
    listShipped(/*published=*/true);
    listOwn();
    showOrigin();
}

void RecipeBar::listShipped(bool published)
{
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        if (recipe.isPublished != published)
            continue;
        const QString name = QString::fromStdString(recipe.name);
        const Recipe read = parseRecipe(recipe.toml, recipe.name);
        m_choices->addChoice(name, name, detailOf(read));
        m_box->setItemData(m_box->count() - 1,
            QString::fromStdString(summaryText(recipe.name, read)), Qt::ToolTipRole);
    }
}

void RecipeBar::listOwn()
{
    const QFileInfoList files =
        QDir(userFolder()).entryInfoList({ QStringLiteral("*.toml") }, QDir::Files, QDir::Name);
    if (!files.isEmpty())
        m_choices->addHeading(tr("My recipes"));
    for (const QFileInfo& file : files)
        m_choices->addChoice(file.completeBaseName(), file.absoluteFilePath(),
            detailOf(readRecipe(file.absoluteFilePath().toStdString())));
}

void RecipeBar::chooseFirstRun()
{
    openRecipe(QString::fromUtf8(kFirstRunRecipe.data(), kFirstRunRecipe.size()));
}

// A recipe of the list is selected there. Anything else, a file elsewhere or the settings of a run,
// is named by the placeholder.
void RecipeBar::showOrigin()
{
    const DraftOrigin& origin = m_draft.origin();
    m_box->setCurrentIndex(origin.recipe.isEmpty() ? -1 : m_box->findData(origin.recipe));
    m_box->setPlaceholderText(origin.title.isEmpty() ? tr("edited")
            : origin.edited                          ? tr("%1, edited").arg(origin.title)
                                                     : origin.title);
}

void RecipeBar::openRecipe(const QString& nameOrPath)
{
    const Recipe recipe = findRecipe(nameOrPath.toStdString());
    // A recipe that is readable but has errors is accepted: the checks name them, and the form is
    // where they are corrected.
    if (!recipe.readable) {
        showOrigin(); // the box may show the one that was chosen
        Q_EMIT reported(textOf(recipe.findings.front()), RunMessage::Severity::Error);
        return;
    }
    // Replaced before the findings are reported, which are about what the form shows then.
    const DraftOrigin origin = originOf(nameOrPath);
    m_draft.replace(recipe.experiment, tr("recipe %1").arg(origin.title), origin);
    for (const Finding& finding : recipe.findings)
        Q_EMIT reported(textOf(finding), severityOf(finding));
}

void RecipeBar::showIfUnchanged(const QString& nameOrPath)
{
    if (nameOrPath.isEmpty())
        return;
    const Recipe recipe = findRecipe(nameOrPath.toStdString());
    // Compared, because the file may have changed since the program was last open.
    if (recipe.readable && settingsOf(recipe.experiment) == settingsOf(m_draft.experiment()))
        m_draft.setOrigin(originOf(nameOrPath));
}

bool RecipeBar::saveTo(const QString& file)
{
    try {
        saveRecipe(m_draft.experiment(), file.toStdString());
    } catch (const std::exception& error) {
        Q_EMIT reported(tr("The recipe could not be saved: %1")
                            .arg(QString::fromStdString(messageOf(error).text())),
            RunMessage::Severity::Error);
        return false;
    }
    // The list has the file only after reload(), which shows the origin once more.
    m_draft.setOrigin(originOf(file));
    reload();
    Q_EMIT reported(tr("The recipe was saved as %1.").arg(file), RunMessage::Severity::Information);
    return true;
}

// Turning the wheel would replace the form.
bool RecipeBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_box || event->type() != QEvent::Wheel)
        return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

void RecipeBar::chooseFile()
{
    askOpen(*this, tr("Open recipe"), userFolder(), tr("Recipes (*.toml);;All files (*)"),
        [this](const QString& file) { openRecipe(file); });
}

void RecipeBar::chooseTarget()
{
    // On first use the folder does not exist, and the dialog could not open in it.
    QDir().mkpath(userFolder());
    QString name = QString::fromStdString(m_draft.experiment().name);
    if (name.isEmpty())
        name = tr("recipe");
    askSave(*this, tr("Save recipe as"),
        QDir(userFolder()).filePath(name + QStringLiteral(".toml")), tr("Recipes (*.toml)"),
        [this](const QString& file) { saveTo(file); });
}

void RecipeBar::copyCommandLine()
{
    constexpr int kShown = 72; // characters
    const QString line = QString::fromStdString(
        shellText(trainCommandOf(m_draft.experiment(), m_draft.check().asked)));
    QGuiApplication::clipboard()->setText(line);
    NoticeSlot::of(*this).tell(
        tr("Command line copied: %1")
            .arg(line.size() > kShown ? line.left(kShown) + QChar(0x2026) : line));
    Q_EMIT reported(
        tr("Copied the command line that trains this recipe."), RunMessage::Severity::Information);
}

void RecipeBar::showToml()
{
    auto* text =
        new QPlainTextEdit(QString::fromStdString(writeRecipe(m_draft.experiment())), this);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    QPushButton* copy = showTextDialog(*window(), tr("Recipe as TOML"), { 520, 480 }, text)
                            ->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, text,
        [text] { QGuiApplication::clipboard()->setText(text->toPlainText()); });
}

} // namespace accrue
