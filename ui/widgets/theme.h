// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QObject>

class QDBusVariant;

namespace accrue {

enum class ThemeChoice {
    System, // light or dark as the desktop, also when that changes
    Light,
    Dark,
};

// One accent, neutral greys; text on its ground has a contrast of at least 4.5 to 1.
struct ThemeColors {
    QColor window; // ground of the window
    QColor sidebar;
    QColor base; // ground of charts, tables and fields
    QColor raised; // ground of the form, strips and menus
    QColor button;
    QColor hover;
    QColor selection;
    QColor border; // between areas
    QColor control; // around fields and buttons
    QColor track; // the empty part of a bar
    QColor text;
    QColor muted;
    QColor disabled;
    QColor accent; // text, icons and focus
    QColor accentFill; // filled areas with white text
    QColor accentHover;
    QColor error;
    QColor warning;
    QColor good;
};

// The look of the application: style, palette, style sheet, font. One instance, on the GUI thread.
class Theme : public QObject {
    Q_OBJECT
public:
    Theme();
    ~Theme() override;

    static Theme* instance(); // null outside a program with a window of ours

    void apply(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    bool isDark() const { return m_dark; }
    const ThemeColors& colors() const;

Q_SIGNALS:
    void themeChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void followDesktop();

    ThemeChoice m_choice = ThemeChoice::System;
    bool m_systemDark = false;
    bool m_dark = false;

private Q_SLOTS:
    // The desktop portal's signal; D-Bus connects by name only.
    void takeSetting(const QString& group, const QString& key, const QDBusVariant& value);
};

// The colours in use; those of the light theme without an instance.
const ThemeColors& themeColors();

} // namespace accrue
