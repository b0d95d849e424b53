// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <vector>

class QAction;

namespace accrue {

// The pages, one button each; the last at the bottom.
class Sidebar : public QFrame {
    Q_OBJECT
public:
    // The actions are checkable, in the pages' order, and borrowed.
    explicit Sidebar(const std::vector<QAction*>& pages, QWidget* parent = nullptr);
};

} // namespace accrue
