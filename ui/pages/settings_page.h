// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/theme.h"

#include <QWidget>

#include <filesystem>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace accrue {

// Theme, run log, data folder. What is shared with the command line goes to settings.toml.
class SettingsPage : public QWidget {
    Q_OBJECT
public:
    explicit SettingsPage(QWidget* parent = nullptr);

    void showTheme(ThemeChoice choice);
    void showRunLog(const std::filesystem::path& file, bool isDefault, bool mayChange);
    void showDataDirectory(const std::filesystem::path& folder);
    void showEngine(const QString& text);

Q_SIGNALS:
    void themeChosen(accrue::ThemeChoice choice);
    void runLogRequested(); // another one
    void runLogKept(); // as the default of window and command line
    void dataDirectoryChosen(const QString& folder); // empty: none of the user's own

private:
    QWidget* row(const QString& label, QWidget* field, const QString& help);
    void chooseFolder();

    QComboBox* m_theme;
    QLineEdit* m_log;
    QPushButton* m_changeLog;
    QPushButton* m_keepLog;
    QLineEdit* m_data;
    QLabel* m_engine;
};

} // namespace accrue
