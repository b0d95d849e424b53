// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings_page.h"

#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "ui/actions/shortcut_table.h"
#include "ui/run/backend.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/window/interface_size.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QGridLayout>
#include <QPushButton>
#include <QSettings>

#include <algorithm>
#include <exception>

// Everything here takes effect at once: there is no Apply. Settings shared with the command line
// are in settings.toml, the others in the window's own file.

namespace accrue {

namespace {

constexpr int kColumnWidth = 960;
constexpr int kLabelWidth = 136;
constexpr int kRowHeight = 28;
constexpr int kChoiceWidth = 200;
const QString kThemeKey = QStringLiteral("window/theme");

QWidget* beside(QWidget* field, QWidget* button)
{
    auto* both = new QWidget;
    auto* layout = makeRow(both);
    layout->addWidget(field, 1);
    if (button != nullptr)
        layout->addWidget(button);
    else
        layout->addStretch(2);
    return both;
}

} // namespace

SettingsPage::SettingsPage(Backend& backend, Theme& theme, ActionRegistry& registry,
    const WindowActions& actions, QSettings& remembered, QWidget* parent)
    : Page({ "settings", "settings", tr("Settings"), Qt::CTRL | Qt::Key_Comma }, parent)
    , m_backend(backend)
    , m_theme(theme)
    , m_actions(actions)
    , m_remembered(remembered)
    , m_themes(new FormComboBox(this))
    , m_languages(new FormComboBox(this))
    , m_sizes(new FormComboBox(this))
    , m_log(new QLineEdit(this))
    , m_openLog(new QPushButton(tr("Open another…"), this))
    , m_keepLog(new QPushButton(tr("Make default"), this))
    , m_data(new QLineEdit(this))
    , m_chooseData(new QPushButton(tr("Choose…"), this))
    , m_engine(new QLabel(this))
    , m_shortcuts(new ShortcutTable(registry, this))
{
    fillFields();
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(24, 24, 24, 24);
    outer->addWidget(makeForm(), 100); // all of the width that it may have
    outer->addStretch(1);
    connectFields();
    connectBackend();
    m_data->setText(QString::fromStdString(readUserSettings().dataDirectory.string()));
    showLanguage();
    showEngine();
}

void SettingsPage::listActions()
{
    m_shortcuts->reload();
    showRunLog(); // whose button has the tooltip of its action, with the user's shortcut
}

// ---- building --------------------------------------------------------------------------------

void SettingsPage::fillFields()
{
    m_themes->addItems({ tr("System"), tr("Light"), tr("Dark") });
    m_themes->setMaximumWidth(kChoiceWidth);
    m_themes->setAccessibleName(tr("Theme"));
    // Each language by its own name, which its speakers can read.
    for (const Language& language : languages())
        m_languages->addItem(QString::fromUtf8(QByteArrayView(language.name)));
    m_languages->setMaximumWidth(kChoiceWidth);
    m_languages->setAccessibleName(tr("Language"));
    for (const int size : interfaceSizes())
        m_sizes->addItem(tr("%1 %").arg(size), size);
    m_sizes->setCurrentIndex(m_sizes->findData(interfaceSize(m_remembered)));
    m_sizes->setMaximumWidth(kChoiceWidth);
    m_sizes->setAccessibleName(tr("Size"));
    m_log->setReadOnly(true);
    m_log->setAccessibleName(tr("Run log"));
    m_data->setPlaceholderText(tr("none"));
    m_data->setAccessibleName(tr("Data folder"));
    m_engine->setObjectName(QStringLiteral("engine"));
    setUpSentences(*m_engine); // a driver may use any name for its device
}

QWidget* SettingsPage::makeForm()
{
    auto* column = new QWidget(this);
    column->setMaximumWidth(kColumnWidth);
    auto* layout = makeColumn(column,
        { makeLabel("title", tr("Settings"), this), row(tr("Theme"), beside(m_themes, nullptr)),
            row(tr("Language"), beside(m_languages, nullptr)),
            row(tr("Size"), beside(m_sizes, nullptr),
                tr("Of text and controls; used when Accrue is started the next time.")) },
        {}, 16);
    layout->addWidget(row(tr("Run log"), beside(beside(m_log, m_openLog), m_keepLog),
        tr("One file stores every run. The command line uses the same default.")));
    layout->addWidget(row(tr("Data folder"), beside(m_data, m_chooseData),
        tr("Search order: $ACCRUE_DATA_DIR, this folder, the program's own data folder. Data "
           "sets may be in a folder itself or in subfolders.")));
    layout->addWidget(row(tr("Engine"), m_engine));
    layout->addWidget(row(tr("Shortcuts"), m_shortcuts), 1);
    return column;
}

QWidget* SettingsPage::row(const QString& label, QWidget* field, const QString& help)
{
    auto* widget = new QWidget(this);
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(16);
    auto* words = new QLabel(label, widget);
    words->setFixedWidth(kLabelWidth);
    words->setMinimumHeight(kRowHeight);
    // Aligned with the first line of the shortcuts, which are high
    grid->addWidget(words, 0, 0, Qt::AlignTop);
    grid->addWidget(field, 0, 1);
    if (help.isEmpty())
        return widget;
    QLabel* below = makeLabel("muted", help, widget);
    below->setWordWrap(true);
    grid->addWidget(below, 1, 1);
    return widget;
}

void SettingsPage::connectFields()
{
    for (std::size_t i = 0; i < m_actions.themes().size(); ++i)
        connect(m_actions.themes()[i], &QAction::triggered, this,
            [this, choice = static_cast<ThemeChoice>(i)] { setTheme(choice); });
    connect(m_themes, &QComboBox::activated, this,
        [this](int index) { setTheme(static_cast<ThemeChoice>(index)); });
    connect(m_languages, &QComboBox::activated, this,
        [this](int index) { Q_EMIT languageChosen(languages()[static_cast<std::size_t>(index)]); });
    connect(m_sizes, &QComboBox::activated, this,
        [this] { rememberInterfaceSize(m_remembered, m_sizes->currentData().toInt()); });
    connect(m_openLog, &QPushButton::clicked, m_actions.openLog(), &QAction::trigger);
    connect(m_keepLog, &QPushButton::clicked, this, [this] {
        change([this](UserSettings& settings) { settings.runLog = m_backend.log.file(); });
        showRunLog();
    });
    connect(m_chooseData, &QPushButton::clicked, this, &SettingsPage::chooseFolder);
    connect(m_data, &QLineEdit::editingFinished, this, [this] {
        if (m_data->isModified()) // not if the focus only passed through
            setDataDirectory(m_data->text().trimmed());
        // QLineEdit resets the flag only when a text is set by the program.
        m_data->setModified(false);
    });
}

void SettingsPage::connectBackend()
{
    const EngineHost& engine = m_backend.engine;
    connect(&engine, &EngineHost::engineLoaded, this, &SettingsPage::showEngine);
    connect(&engine, &EngineHost::engineMissed, this, &SettingsPage::showEngine);
    connect(&engine, &EngineHost::deviceLost, this, &SettingsPage::showEngine);
    connect(&m_backend.controller, &RunController::stateChanged, this, &SettingsPage::showRunLog);
}

// ---- theme and language ----------------------------------------------------------------------

// A later version or a person may have written another number: the nearest valid one is used.
void SettingsPage::applyTheme()
{
    const int last = static_cast<int>(ThemeChoice::Dark);
    setTheme(static_cast<ThemeChoice>(std::clamp(m_remembered.value(kThemeKey).toInt(), 0, last)));
}

// Called by the field, by the menu and at the start: field and menu both show the theme.
void SettingsPage::setTheme(ThemeChoice choice)
{
    const int index = static_cast<int>(choice);
    m_theme.apply(choice);
    // Neither emits a signal of the user (activated, triggered), so that this is not called again.
    m_themes->setCurrentIndex(index);
    m_actions.themes()[static_cast<std::size_t>(index)]->setChecked(true);
    m_remembered.setValue(kThemeKey, index);
}

void SettingsPage::showLanguage()
{
    m_languages->setCurrentIndex(static_cast<int>(&language() - languages().data()));
}

// ---- files and engine ------------------------------------------------------------------------

void SettingsPage::showRunLog()
{
    const std::filesystem::path& log = m_backend.log.file();
    QAction* const open = m_actions.openLog();
    const bool can = !m_backend.controller.isActive();
    open->setEnabled(can);
    // The log that is the default already need not be made the default.
    m_keepLog->setVisible(log != defaultRunLog());
    m_log->setText(QString::fromStdString(log.string()));
    m_openLog->setEnabled(can);
    m_openLog->setToolTip(
        can ? open->toolTip() : tr("A run in this log is in progress. Stop it first."));
}

void SettingsPage::showEngine()
{
    const EngineHost& engine = m_backend.engine;
    QString words = tr("loading");
    if (engine.state() == EngineHost::State::Missing)
        words = engine.problem();
    if (engine.state() == EngineHost::State::Ready) {
        words = tr("torch %1").arg(QString::fromStdString(engine.versions().torch));
        for (const DeviceInfo& device : engine.devices())
            words +=
                tr("\n%1: %2, %3")
                    .arg(QString::fromStdString(device.id), QString::fromStdString(device.name),
                        device.lost ? tr("failed; restart Accrue to use it again")
                                    : QString::fromStdString(device.detail.text()));
    }
    m_engine->setText(words);
}

void SettingsPage::chooseFolder()
{
    askFolder(*this, tr("Folder with data sets"), m_data->text(), [this](const QString& folder) {
        m_data->setText(folder);
        setDataDirectory(folder);
    });
}

void SettingsPage::setDataDirectory(const QString& folder)
{
    change([&](UserSettings& settings) { settings.dataDirectory = folder.toStdString(); });
    Q_EMIT dataDirectoriesChanged();
}

// Read again each time: the command line, or another window, may have changed the other setting.
void SettingsPage::change(const std::function<void(UserSettings&)>& change)
{
    UserSettings settings = readUserSettings();
    change(settings);
    try {
        writeUserSettings(settings);
    } catch (const std::exception& error) {
        Q_EMIT reported(tr("The setting could not be saved: %1")
                            .arg(QString::fromStdString(messageOf(error).text())),
            RunMessage::Severity::Error);
    }
}

} // namespace accrue
