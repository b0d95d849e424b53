// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPointer>
#include <QRect>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace accrue::test {

// Where the fields, buttons, lists and charts of a window or page are, to see which of them move
// while something else happens. What is inside a scroll area is recorded by its place in the
// content, so that scrolling is no move; the content of lists is not recorded. GUI thread.
class SteadyGeometry {
public:
    enum class Of {
        Controls,
        Everything, // also labels, sliders, tabs and whatever scrolls
    };
    // Of those that are visible now and not in one of `except`.
    explicit SteadyGeometry(
        const QWidget& window, Of what = Of::Controls, const QList<const QWidget*>& except = {});

    // Those that are still visible and in another place or of another size: "Start: (16,600 328x30)
    // is now (16,576 328x30)".
    QStringList moved() const;
    std::size_t count() const { return m_places.size(); }

private:
    struct Place {
        QPointer<const QWidget> widget;
        QRect rect;
    };
    std::vector<Place> m_places;
};

} // namespace accrue::test
