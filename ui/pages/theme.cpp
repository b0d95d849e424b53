// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFile>
#include <QFont>
#include <QLabel>
#include <QPalette>
#include <QStyleFactory>

#include <utility>

// Outside every namespace, as Qt's macro demands: a static library's resources are linked only
// where something names them.
static void linkResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace accrue {

namespace {

constexpr int kFontPixels = 13;

Theme* g_instance = nullptr;

const ThemeColors& lightColors()
{
    static const ThemeColors colors {
        .window = QColor(0xf3, 0xf5, 0xf8),
        .sidebar = QColor(0xeb, 0xee, 0xf3),
        .base = QColor(0xff, 0xff, 0xff),
        .raised = QColor(0xfb, 0xfc, 0xfd),
        .button = QColor(0xff, 0xff, 0xff),
        .hover = QColor(0xe6, 0xea, 0xf0),
        .selection = QColor(0xd8, 0xe5, 0xfa),
        .border = QColor(0xd9, 0xde, 0xe6),
        .control = QColor(0xc0, 0xc8, 0xd3),
        .track = QColor(0xdd, 0xe2, 0xea),
        .text = QColor(0x1b, 0x22, 0x2d),
        .muted = QColor(0x56, 0x61, 0x70),
        .disabled = QColor(0x8c, 0x95, 0xa3),
        .accent = QColor(0x1e, 0x57, 0xb8),
        .accentFill = QColor(0x23, 0x60, 0xc8),
        .accentHover = QColor(0x1b, 0x50, 0xaa),
        .error = QColor(0xb3, 0x26, 0x1e),
        .warning = QColor(0x8a, 0x56, 0x00),
        .good = QColor(0x17, 0x74, 0x46),
    };
    return colors;
}

const ThemeColors& darkColors()
{
    static const ThemeColors colors {
        .window = QColor(0x15, 0x18, 0x1d),
        .sidebar = QColor(0x11, 0x14, 0x18),
        .base = QColor(0x1b, 0x1f, 0x26),
        .raised = QColor(0x1a, 0x1e, 0x24),
        .button = QColor(0x25, 0x2a, 0x33),
        .hover = QColor(0x2a, 0x30, 0x3a),
        .selection = QColor(0x26, 0x3b, 0x5e),
        .border = QColor(0x2e, 0x35, 0x40),
        .control = QColor(0x44, 0x4d, 0x5b),
        .track = QColor(0x30, 0x37, 0x42),
        .text = QColor(0xe3, 0xe8, 0xef),
        .muted = QColor(0x9a, 0xa6, 0xb6),
        .disabled = QColor(0x6d, 0x78, 0x87),
        .accent = QColor(0x7f, 0xb2, 0xff),
        .accentFill = QColor(0x2d, 0x68, 0xcc),
        .accentHover = QColor(0x36, 0x72, 0xda),
        .error = QColor(0xff, 0x8b, 0x80),
        .warning = QColor(0xf2, 0xb9, 0x55),
        .good = QColor(0x63, 0xd2, 0x9b),
    };
    return colors;
}

QPalette paletteOf(const ThemeColors& colors)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, colors.window);
    palette.setColor(QPalette::ToolTipBase, colors.raised);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::Button, colors.button);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.error);
    palette.setColor(QPalette::Light, colors.raised);
    palette.setColor(QPalette::Midlight, colors.hover);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, colors.control);
    palette.setColor(QPalette::Shadow, colors.border);
    palette.setColor(QPalette::Highlight, colors.accentFill);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    for (const QPalette::ColorRole role :
        { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, colors.disabled);
    return palette;
}

QString styleSheetOf(const ThemeColors& colors)
{
    QFile file(QStringLiteral(":/accrue/style.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> words[] = {
        { "window", colors.window },
        { "sidebar", colors.sidebar },
        { "base", colors.base },
        { "raised", colors.raised },
        { "button", colors.button },
        { "hover", colors.hover },
        { "selection", colors.selection },
        { "border", colors.border },
        { "control", colors.control },
        { "track", colors.track },
        { "text", colors.text },
        { "muted", colors.muted },
        { "disabled", colors.disabled },
        { "accent", colors.accent },
        { "accentFill", colors.accentFill },
        { "accentHover", colors.accentHover },
        { "error", colors.error },
        { "warning", colors.warning },
        { "good", colors.good },
    };
    for (const auto& word : words)
        sheet.replace(
            QLatin1Char('@') + QLatin1String(word.first) + QLatin1Char('@'), word.second.name());
    return sheet;
}

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");

// The portal's answer is a number, in one or two variants: 1 prefers dark.
bool prefersDark(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt() == 1;
}

// Without an address Qt would try to start a bus, which takes long and helps nobody.
bool hasSessionBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")
        || QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
{
    linkResources();
    g_instance = this;
    // Read before a palette of ours is set: a dark desktop has light text.
    const QPalette desktop = QApplication::palette();
    m_systemDark = desktop.color(QPalette::WindowText).lightness()
        > desktop.color(QPalette::Window).lightness();
    // Once: a style sheet that is set over a new style or font measures the text anew.
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QFont font = QApplication::font();
    font.setPixelSize(kFontPixels);
    QApplication::setFont(font);
    followDesktop();
    qApp->installEventFilter(this);
}

Theme::~Theme()
{
    g_instance = nullptr;
}

Theme* Theme::instance()
{
    return g_instance;
}

const ThemeColors& Theme::colors() const
{
    return m_dark ? darkColors() : lightColors();
}

const ThemeColors& themeColors()
{
    return g_instance != nullptr ? g_instance->colors() : lightColors();
}

void Theme::apply(ThemeChoice choice)
{
    m_choice = choice;
    m_dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_systemDark);
    repaint();
}

// A tooltip may hold a run's name or a path: a "<b>" in it is text.
bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
        static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
}

void Theme::repaint()
{
    QApplication::setPalette(paletteOf(colors()));
    qApp->setStyleSheet(styleSheetOf(colors()));
    Q_EMIT themeChanged();
}

void Theme::followDesktop()
{
    if (!hasSessionBus())
        return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortal, kPortalPath, kPortalSettings, QStringLiteral("SettingChanged"), this,
        SLOT(takeSetting(QString, QString, QDBusVariant)));
    askDesktop();
}

void Theme::askDesktop()
{
    QDBusMessage question = QDBusMessage::createMethodCall(
        kPortal, kPortalPath, kPortalSettings, QStringLiteral("Read"));
    question << kAppearance << kColorScheme;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            takeSetting(kAppearance, kColorScheme, reply.value());
        watcher->deleteLater();
    });
}

void Theme::takeSetting(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group != kAppearance || key != kColorScheme)
        return;
    const bool dark = prefersDark(value.variant());
    if (dark == m_systemDark)
        return;
    m_systemDark = dark;
    if (m_choice == ThemeChoice::System)
        apply(m_choice);
}

} // namespace accrue
