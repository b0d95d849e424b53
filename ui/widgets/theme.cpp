// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/theme.h"

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

#include <iterator>

// Outside of every namespace, as Qt's macro requires: a static library's resources are linked only
// if something names them.
static void linkResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace accrue {

namespace {

constexpr int kFontPixels = 13;

Theme* g_instance = nullptr;

// The colours of both themes beside each other, each with its word in resources/style.qss.
struct ColorRow {
    const char* word; // what the style sheet calls it: @window@
    QColor ThemeColors::*color;
    QRgb light;
    QRgb dark;
};

constexpr ColorRow kColors[] = {
    { "window", &ThemeColors::window, 0xf3f5f8, 0x15181d },
    { "sidebar", &ThemeColors::sidebar, 0xebeef3, 0x111418 },
    { "base", &ThemeColors::base, 0xffffff, 0x1b1f26 },
    { "raised", &ThemeColors::raised, 0xfbfcfd, 0x1a1e24 },
    { "button", &ThemeColors::button, 0xffffff, 0x252a33 },
    { "hover", &ThemeColors::hover, 0xe6eaf0, 0x2a303a },
    { "selection", &ThemeColors::selection, 0xd8e5fa, 0x263b5e },
    { "border", &ThemeColors::border, 0xd9dee6, 0x2e3540 },
    { "control", &ThemeColors::control, 0xc0c8d3, 0x444d5b },
    { "track", &ThemeColors::track, 0xdde2ea, 0x303742 },
    { "text", &ThemeColors::text, 0x1b222d, 0xe3e8ef },
    { "muted", &ThemeColors::muted, 0x566170, 0x9aa6b6 },
    { "disabled", &ThemeColors::disabled, 0x8c95a3, 0x6d7887 },
    { "accent", &ThemeColors::accent, 0x1e57b8, 0x7fb2ff },
    { "accentFill", &ThemeColors::accentFill, 0x2360c8, 0x2d68cc },
    { "accentHover", &ThemeColors::accentHover, 0x1b50aa, 0x3672da },
    { "error", &ThemeColors::error, 0xb3261e, 0xff8b80 },
    { "warning", &ThemeColors::warning, 0x8a5600, 0xf2b955 },
    { "good", &ThemeColors::good, 0x177446, 0x63d29b },
};
static_assert(sizeof(ThemeColors) == std::size(kColors) * sizeof(QColor), "a row for each colour");

ThemeColors filledColors(QRgb ColorRow::*ground)
{
    ThemeColors colors;
    for (const ColorRow& row : kColors)
        colors.*row.color = QColor(row.*ground);
    return colors;
}

const ThemeColors& colorsOn(bool dark)
{
    static const ThemeColors light = filledColors(&ColorRow::light);
    static const ThemeColors onDark = filledColors(&ColorRow::dark);
    return dark ? onDark : light;
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
    for (const ColorRow& row : kColors)
        sheet.replace(QLatin1Char('@') + QLatin1String(row.word) + QLatin1Char('@'),
            (colors.*row.color).name());
    return sheet;
}

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");

// The palette tells light from dark only once, at the start. The desktop portal also reports when
// the user changes it.
// The portal's answer is a number, in one or two variants: 1 prefers dark.
bool prefersDark(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt() == 1;
}

// Without an address Qt would try to start a bus, which takes long and does not help.
bool hasSessionBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")
        || QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

} // namespace

Theme::Theme()
{
    linkResources();
    g_instance = this;
    // Read before a palette of ours is set: a dark desktop has light text.
    const QPalette desktop = QApplication::palette();
    m_systemDark = desktop.color(QPalette::WindowText).lightness()
        > desktop.color(QPalette::Window).lightness();
    // Once: a style sheet that is set over a new style or font measures the text again.
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
    return colorsOn(m_dark);
}

const ThemeColors& themeColors()
{
    return g_instance != nullptr ? g_instance->colors() : colorsOn(false);
}

void Theme::apply(ThemeChoice choice)
{
    m_choice = choice;
    m_dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_systemDark);
    QApplication::setPalette(paletteOf(colors()));
    qApp->setStyleSheet(styleSheetOf(colors()));
    Q_EMIT themeChanged();
}

// A tooltip may contain a run's name or a path: a "<b>" in it is text.
bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
        static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
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
    QDBusMessage question = QDBusMessage::createMethodCall(
        kPortal, kPortalPath, kPortalSettings, QStringLiteral("Read"));
    question << kAppearance << kColorScheme;
    // Asynchronous, so that a portal that does not answer does not delay the window.
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
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
    // The answer to Read may equal what the palette showed, and a new style sheet is expensive.
    if (dark == m_systemDark)
        return;
    m_systemDark = dark;
    if (m_choice == ThemeChoice::System)
        apply(m_choice);
}

} // namespace accrue
