// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/language.h"
#include "ui/actions/page.h"
#include "ui/widgets/theme.h"

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace accrue {

class ActionRegistry;
class ShortcutTable;
class WindowActions;
struct Backend;
struct UserSettings;

// Theme, language, run log, data folder, shortcuts. The theme is remembered with the window; run
// log and data folder are settings that the command line reads, too. GUI thread.
class SettingsPage : public Page {
    Q_OBJECT
public:
    // All are borrowed and outlive this; `remembered` has the theme.
    SettingsPage(Backend& backend, Theme& theme, ActionRegistry& registry,
        const WindowActions& actions, QSettings& remembered, QWidget* parent);

    void listActions(); // once the registry has those of all pages
    void applyTheme(); // the one used last
    void showLanguage(); // that is in use
    void showRunLog(); // and whether another one can be opened now

Q_SIGNALS:
    void languageChosen(const accrue::Language& language);
    void dataDirectoriesChanged();

private:
    void fillFields();
    QWidget* makeForm();
    QWidget* row(const QString& label, QWidget* field, const QString& help = {});
    void connectFields();
    void connectBackend();

    void setTheme(ThemeChoice choice);
    void showEngine();
    void chooseFolder();
    void setDataDirectory(const QString& folder); // empty: no folder of the user's own
    void change(const std::function<void(UserSettings&)>& change);

    Backend& m_backend;
    Theme& m_theme;
    const WindowActions& m_actions;
    QSettings& m_remembered;
    QComboBox* m_themes; // in the order of ThemeChoice
    QComboBox* m_languages;
    QComboBox* m_sizes; // in that of languages()
    QLineEdit* m_log;
    QPushButton* m_openLog; // another one
    QPushButton* m_keepLog; // as the default of window and command line
    QLineEdit* m_data;
    QPushButton* m_chooseData;
    QLabel* m_engine;
    ShortcutTable* m_shortcuts;
};

} // namespace accrue
