// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/palette_model.h"
#include "ui/choices/search_panel.h"

class QLabel;

namespace accrue {

// Finds and executes anything by a few typed letters, and closes with the choice.
// Enter does nothing on a disabled entry: its line states what it needs.
class CommandPalette : public SearchPanel {
    Q_OBJECT
public:
    // `collect` is called each time it opens. `window` is its parent.
    CommandPalette(std::function<std::vector<PaletteEntry>()> collect, QWidget* window);

    void toggle();
    void open();

protected:
    void search(const QString& text) override;
    void choose() override;
    void place() override;
    bool tabMoves() const override { return true; }

private:
    CommandPalette(
        std::function<std::vector<PaletteEntry>()> collect, PaletteModel& model, QWidget* window);

    std::function<std::vector<PaletteEntry>()> m_collect;
    PaletteModel& m_model; // a child
    QLabel* m_nothing;
};

} // namespace accrue
