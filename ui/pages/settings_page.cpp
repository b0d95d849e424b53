// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_page.h"

#include "ui/pages/file_dialogs.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/shortcut_table.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace accrue {

namespace {

constexpr int kColumnWidth = 960;
constexpr int kLabelWidth = 136;

QWidget* beside(QWidget* field, QWidget* button)
{
    auto* both = new QWidget;
    auto* layout = new QHBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(field, 1);
    if (button != nullptr)
        layout->addWidget(button);
    else
        layout->addStretch(2);
    return both;
}

} // namespace

SettingsPage::SettingsPage(ActionRegistry& registry, QWidget* parent)
    : QWidget(parent)
    , m_theme(new FormComboBox(this))
    , m_log(new QLineEdit(this))
    , m_changeLog(new QPushButton(tr("Open another…"), this))
    , m_keepLog(new QPushButton(tr("Make it the default"), this))
    , m_data(new QLineEdit(this))
    , m_engine(new QLabel(this))
    , m_shortcuts(new ShortcutTable(registry, this))
{
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(24, 24, 24, 24);
    outer->addWidget(makeColumn(), 100);
    outer->addStretch(1);
}

QWidget* SettingsPage::makeColumn()
{
    auto* column = new QWidget(this);
    column->setMaximumWidth(kColumnWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    auto* title = new QLabel(tr("Settings"), this);
    title->setProperty("role", QStringLiteral("title"));
    layout->addWidget(title);

    m_theme->addItem(tr("As the system"), static_cast<int>(ThemeChoice::System));
    m_theme->addItem(tr("Light"), static_cast<int>(ThemeChoice::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(ThemeChoice::Dark));
    m_theme->setMaximumWidth(200);
    m_log->setReadOnly(true);
    m_data->setPlaceholderText(tr("none of your own"));
    m_engine->setTextFormat(Qt::PlainText);
    m_engine->setWordWrap(true);
    m_engine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* chooseData = new QPushButton(tr("Choose…"), this);
    layout->addWidget(row(tr("Theme"), beside(m_theme, nullptr), {}));
    layout->addWidget(row(tr("Run log"), beside(beside(m_log, m_changeLog), m_keepLog),
        tr("Every run is kept in this one file. The command line uses the default one, too.")));
    layout->addWidget(row(tr("Data folder"), beside(m_data, chooseData),
        tr("Searched for data sets: after $ACCRUE_DATA_DIR, before the folder of the program's "
           "own data. A data set may lie in it or in a subfolder.")));
    layout->addWidget(row(tr("Engine"), m_engine, {}));
    layout->addWidget(row(tr("Shortcuts"), m_shortcuts, {}), 1);
    connectFields(chooseData);
    return column;
}

void SettingsPage::connectFields(QPushButton* chooseData)
{
    m_theme->setAccessibleName(tr("Theme"));
    m_log->setAccessibleName(tr("Run log"));
    m_data->setAccessibleName(tr("Data folder"));
    connect(m_theme, &QComboBox::activated, this,
        [this] { Q_EMIT themeChosen(static_cast<ThemeChoice>(m_theme->currentData().toInt())); });
    connect(m_changeLog, &QPushButton::clicked, this, &SettingsPage::runLogRequested);
    connect(m_keepLog, &QPushButton::clicked, this, &SettingsPage::runLogKept);
    connect(chooseData, &QPushButton::clicked, this, &SettingsPage::chooseFolder);
    connect(m_data, &QLineEdit::editingFinished, this, [this] {
        if (m_data->isModified())
            Q_EMIT dataDirectoryChosen(m_data->text().trimmed());
        m_data->setModified(false);
    });
}

QWidget* SettingsPage::row(const QString& label, QWidget* field, const QString& help)
{
    auto* widget = new QWidget(this);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->setSpacing(16);
    auto* words = new QLabel(label, widget);
    words->setFixedWidth(kLabelWidth);
    line->addWidget(words, 0, Qt::AlignTop);
    words->setMinimumHeight(28);
    line->addWidget(field, 1);
    layout->addLayout(line);
    if (help.isEmpty())
        return widget;
    auto* below = new QLabel(help, widget);
    below->setProperty("role", QStringLiteral("muted"));
    below->setWordWrap(true);
    auto* indented = new QHBoxLayout; // a label's own margins are the style sheet's
    indented->addSpacing(kLabelWidth + 16);
    indented->addWidget(below);
    layout->addLayout(indented);
    return widget;
}

void SettingsPage::showTheme(ThemeChoice choice)
{
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(choice)));
}

void SettingsPage::showRunLog(
    const std::filesystem::path& file, bool isDefault, const QAction* open)
{
    m_keepLog->setVisible(!isDefault);
    m_log->setText(QString::fromStdString(file.string()));
    m_changeLog->setEnabled(open->isEnabled());
    m_changeLog->setToolTip(open->isEnabled()
            ? open->toolTip()
            : tr("A run is being written into this log; stop it first."));
}

void SettingsPage::showDataDirectory(const std::filesystem::path& folder)
{
    m_data->setText(QString::fromStdString(folder.string()));
}

void SettingsPage::showEngine(const QString& text)
{
    m_engine->setText(text);
}

void SettingsPage::chooseFolder()
{
    askFolder(*this, tr("Folder with data sets"), m_data->text(), [this](const QString& folder) {
        m_data->setText(folder);
        Q_EMIT dataDirectoryChosen(folder);
    });
}

} // namespace accrue
