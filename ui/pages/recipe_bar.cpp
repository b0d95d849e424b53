// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recipe_bar.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/places.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/run/train_command.h"

#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <exception>

namespace accrue {

namespace {

QString userFolder()
{
    return QString::fromStdString(userRecipeDirectory().string());
}

} // namespace

RecipeBar::RecipeBar(QWidget* parent)
    : QWidget(parent)
    , m_box(new FormComboBox(this))
    , m_menu(new QToolButton(this))
    , m_open(new QAction(themedIcon(QLatin1String("open")), tr("Open recipe…"), this))
    , m_save(new QAction(themedIcon(QLatin1String("save")), tr("Save recipe as…"), this))
    , m_copy(new QAction(themedIcon(QLatin1String("terminal")), tr("Copy as command line"), this))
    , m_show(new QAction(themedIcon(QLatin1String("text")), tr("Show as TOML"), this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* label = new QLabel(tr("Recipe"), this);
    label->setFixedWidth(112);
    label->setBuddy(m_box);
    m_box->setAccessibleName(tr("Recipe"));
    layout->addWidget(label);
    layout->addWidget(m_box, 1);
    layout->addWidget(m_menu);

    auto* menu = new QMenu(m_menu);
    menu->addActions({ m_open, m_save, m_copy, m_show });
    m_menu->setMenu(menu);
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setIcon(themedIcon(QLatin1String("more")));
    m_menu->setProperty("framed", true);
    m_menu->setFixedSize(28, 28);
    m_menu->setToolTip(tr("Open, save, copy or show the recipe"));
    m_menu->setAccessibleName(m_menu->toolTip());

    connect(m_box, &QComboBox::activated, this,
        [this](int index) { openRecipe(m_box->itemData(index).toString()); });
    connect(m_open, &QAction::triggered, this, &RecipeBar::chooseFile);
    connect(m_save, &QAction::triggered, this, &RecipeBar::chooseTarget);
    connect(m_copy, &QAction::triggered, this, &RecipeBar::copyCommandLine);
    connect(m_show, &QAction::triggered, this, &RecipeBar::showToml);
    m_box->setPlaceholderText(tr("edited"));
    m_box->installEventFilter(this);
    reload();
}

void RecipeBar::setSource(std::function<Experiment()> experiment)
{
    m_experiment = std::move(experiment);
}

void RecipeBar::reload()
{
    m_box->clear();
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        const QString name = QString::fromStdString(recipe.name);
        m_box->addItem(name, name);
        const Recipe read = parseRecipe(recipe.toml, recipe.name);
        m_box->setItemData(
            m_box->count() - 1, QString::fromStdString(read.summary), Qt::ToolTipRole);
    }
    const QDir folder(userFolder());
    const QFileInfoList files =
        folder.entryInfoList({ QStringLiteral("*.toml") }, QDir::Files, QDir::Name);
    if (!files.isEmpty())
        m_box->insertSeparator(m_box->count());
    for (const QFileInfo& file : files)
        m_box->addItem(file.completeBaseName(), file.absoluteFilePath());
    m_box->setCurrentIndex(m_box->findData(m_shown));
}

void RecipeBar::chooseFirstRun()
{
    openRecipe(QString::fromUtf8(kFirstRunRecipe.data(), kFirstRunRecipe.size()));
}

void RecipeBar::showAsEdited()
{
    m_box->setCurrentIndex(-1);
    m_box->setPlaceholderText(m_origin.isEmpty() ? tr("edited") : tr("%1, edited").arg(m_origin));
    m_shown.clear();
}

void RecipeBar::showOrigin(const QString& title)
{
    m_origin = title;
    m_box->setCurrentIndex(-1);
    m_box->setPlaceholderText(title);
    m_shown.clear();
}

void RecipeBar::setOrigin(const QString& title)
{
    m_origin = title;
    if (m_shown.isEmpty())
        showAsEdited();
}

void RecipeBar::openRecipe(const QString& nameOrPath)
{
    const Recipe recipe = findRecipe(nameOrPath.toStdString());
    if (!recipe.readable) {
        m_box->setCurrentIndex(m_box->findData(m_shown));
        Q_EMIT failed(QString::fromStdString(recipe.findings.front().message));
        return;
    }
    Q_EMIT recipeChosen(recipe, nameOrPath);
    showRecipe(nameOrPath);
}

void RecipeBar::showIfUnchanged(const QString& nameOrPath)
{
    if (nameOrPath.isEmpty())
        return;
    const Recipe recipe = findRecipe(nameOrPath.toStdString());
    if (recipe.readable && settingsOf(recipe.experiment) == settingsOf(m_experiment()))
        showRecipe(nameOrPath);
}

void RecipeBar::showRecipe(const QString& nameOrPath)
{
    if (nameOrPath.isEmpty()) {
        showAsEdited();
        return;
    }
    m_box->setCurrentIndex(m_box->findData(nameOrPath));
    m_shown = nameOrPath;
    m_origin = QFileInfo(nameOrPath).completeBaseName();
    m_box->setPlaceholderText(m_origin);
    Q_EMIT recipeShown(nameOrPath);
}

bool RecipeBar::saveTo(const QString& file)
{
    try {
        saveRecipe(m_experiment(), file.toStdString());
    } catch (const std::exception& error) {
        Q_EMIT failed(tr("The recipe was not saved: %1").arg(QString::fromUtf8(error.what())));
        return false;
    }
    reload();
    showRecipe(file);
    Q_EMIT saved(file);
    return true;
}

// A turn of the wheel would replace the form.
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
    QDir().mkpath(userFolder());
    QString name = QString::fromStdString(m_experiment().name);
    if (name.isEmpty())
        name = tr("recipe");
    askSave(*this, tr("Save recipe as"),
        QDir(userFolder()).filePath(name + QStringLiteral(".toml")), tr("Recipes (*.toml)"),
        [this](const QString& file) { saveTo(file); });
}

void RecipeBar::copyCommandLine()
{
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(shellText(trainCommandOf(m_experiment()))));
    Q_EMIT copied();
}

void RecipeBar::showToml()
{
    auto* dialog = new QDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("The recipe as TOML"));
    dialog->resize(520, 480);
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QPlainTextEdit(QString::fromStdString(writeRecipe(m_experiment())), dialog);
    text->setReadOnly(true);
    text->setAccessibleName(dialog->windowTitle());
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    connect(copy, &QPushButton::clicked, text,
        [text] { QGuiApplication::clipboard()->setText(text->toPlainText()); });
    dialog->show();
}

} // namespace accrue
