// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/language.h"
#include "ui/run/backend.h"
#include "ui/widgets/theme.h"

#include <QObject>
#include <QTranslator>

#include <filesystem>
#include <memory>
#include <optional>

class QSettings;

namespace accrue {

class MainWindow;

// The first language: that of ACCRUE_LANG if it is set, otherwise the one chosen last, otherwise
// that of the system.
const Language& rememberedLanguage(const QSettings& settings);
void rememberLanguage(QSettings& settings, const Language& language);
// Sets the remembered language, and translates tr() into the language that is set for as long as
// the translator lives. After the application is made, and before its first text.
std::unique_ptr<QTranslator> installLanguage();

// The window in the chosen language; installLanguage() sets the first one. Widgets retain the texts
// that they were made with, so that a change of the language replaces the window by a new one: what
// runs belongs to the backend and continues, the stored state is restored, and the window's
// messages are handed over, as is the run that was lost with a device. GUI thread.
class WindowHost : public QObject {
    Q_OBJECT
public:
    // Borrows both; they outlive this. `dataDirectory` as for MainWindow.
    WindowHost(
        Backend& backend, Theme& theme, std::optional<std::filesystem::path> dataDirectory = {});
    ~WindowHost() override;

    MainWindow& window() const { return *m_window; } // until the language changes

private:
    void make();
    void changeLanguage(const Language& language);

    Backend& m_backend;
    Theme& m_theme;
    std::optional<std::filesystem::path> m_dataDirectory;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace accrue
