// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_host.h"

#include "ui/models/message_model.h"
#include "ui/window/device_loss.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QTimer>

#include <utility>

// A new window replaces the old one through the settings file: the old one stores its state as at
// its end, the new one restores it as at a start. Only what is in no log is handed over: messages
// of the window itself, and which run was lost with its device.

namespace accrue {

namespace {

const QString kLanguageKey = QStringLiteral("window/language");

// What tr() returns, from the rows "tr:English text" of resources/translations: one file holds the
// texts of the engine, of the command line and of the window. English if a row is missing.
class WindowTranslator : public QTranslator {
public:
    // Contexts are not needed: if one English word needs two translations, the disambiguation of
    // tr() is part of the row's code.
    QString translate(const char* /*context*/, const char* source, const char* disambiguation,
        int /*n*/) const override
    {
        std::string code = std::string("tr:") + source;
        if (disambiguation != nullptr && *disambiguation != '\0')
            code += std::string("|") + disambiguation;
        const std::string* text = findTranslation(accrue::language(), code);
        return text != nullptr ? QString::fromStdString(*text) : QString();
    }
    // An empty translator causes no event of a changed language in Qt.
    bool isEmpty() const override { return false; }
};

} // namespace

const Language& rememberedLanguage(const QSettings& settings)
{
    const QString chosen = settings.value(kLanguageKey).toString();
    const Language* known = findLanguage(chosen.toStdString());
    return known != nullptr && !qEnvironmentVariableIsSet("ACCRUE_LANG") ? *known
                                                                         : languageOfEnvironment();
}

void rememberLanguage(QSettings& settings, const Language& language)
{
    settings.setValue(kLanguageKey, QString::fromUtf8(QByteArrayView(language.id)));
}

std::unique_ptr<QTranslator> installLanguage()
{
    setLanguage(rememberedLanguage(QSettings(windowMemoryFile(), QSettings::IniFormat)));
    auto translator = std::make_unique<WindowTranslator>();
    QApplication::installTranslator(translator.get());
    return translator;
}

WindowHost::WindowHost(
    Backend& backend, Theme& theme, std::optional<std::filesystem::path> dataDirectory)
    : m_backend(backend)
    , m_theme(theme)
    , m_dataDirectory(std::move(dataDirectory))
{
    make();
}

WindowHost::~WindowHost() = default;

// Deferred: the window that emits the signal is deleted.
void WindowHost::make()
{
    m_window = std::make_unique<MainWindow>(m_backend, m_theme, m_dataDirectory);
    connect(m_window.get(), &MainWindow::languageChosen, this, [this](const Language& language) {
        QTimer::singleShot(0, this, [this, &language] { changeLanguage(language); });
    });
}

// The old window is deleted first, because both would read and write the same settings. The program
// must not end meanwhile because it has no window.
void WindowHost::changeLanguage(const Language& language)
{
    QApplication::setQuitOnLastWindowClosed(false);
    m_window->rememberState();
    // Copied before the window that holds them is deleted.
    const std::vector<OwnMessage> messages = m_window->messages().own();
    const std::optional<RunId> lost = m_window->deviceLoss().run();
    m_window.reset();
    // Widgets that are made under a style sheet are styled several times; the new window applies
    // it.
    qApp->setStyleSheet({});
    QSettings settings(windowMemoryFile(), QSettings::IniFormat);
    rememberLanguage(settings, language);
    setLanguage(language);
    make();
    m_window->messages().addOwn(messages);
    m_window->deviceLoss().setRun(lost);
    // The log may be idle, and the new window has seen nothing of it.
    m_backend.follower.refresh();
    m_window->show();
    QApplication::setQuitOnLastWindowClosed(true);
}

} // namespace accrue
