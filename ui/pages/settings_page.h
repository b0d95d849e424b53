// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/theme.h"

#include <QWidget>

#include <filesystem>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace accrue {

class ActionRegistry;
class ShortcutTable;

// Theme, run log, data folder, shortcuts. What is shared with the command line goes to
// settings.toml.
class SettingsPage : public QWidget {
    Q_OBJECT
public:
    // `registry` is borrowed and outlives this; all its actions have been added.
    explicit SettingsPage(ActionRegistry& registry, QWidget* parent = nullptr);

    void showTheme(ThemeChoice choice);
    // `open` opens another one; while it is disabled, so is its button.
    void showRunLog(const std::filesystem::path& file, bool isDefault, const QAction* open);
    void showDataDirectory(const std::filesystem::path& folder);
    void showEngine(const QString& text);
    ShortcutTable& shortcuts() const { return *m_shortcuts; }

Q_SIGNALS:
    void themeChosen(accrue::ThemeChoice choice);
    void runLogRequested(); // another one
    void runLogKept(); // as the default of window and command line
    void dataDirectoryChosen(const QString& folder); // empty: none of the user's own

private:
    QWidget* makeColumn();
    QWidget* row(const QString& label, QWidget* field, const QString& help);
    void connectFields(QPushButton* chooseData);
    void chooseFolder();

    QComboBox* m_theme;
    QLineEdit* m_log;
    QPushButton* m_changeLog;
    QPushButton* m_keepLog;
    QLineEdit* m_data;
    QLabel* m_engine;
    ShortcutTable* m_shortcuts;
};

} // namespace accrue
