// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <QWidget>

class QAction;
class QToolButton;

namespace accrue {

class ChoiceList;
class ExperimentDraft;
class FormComboBox;

// Loads and saves drafts: the shipped recipes, the user's own, files, the clipboard.
class RecipeBar : public QWidget {
    Q_OBJECT
public:
    // `draft` is borrowed and must outlive this.
    explicit RecipeBar(ExperimentDraft& draft, QWidget* parent = nullptr);

    void chooseFirstRun();
    // Reads a file, or a recipe by its name, into the draft. If it cannot be read, nothing changes.
    // Its findings are reported by `reported`.
    void openRecipe(const QString& nameOrPath);
    bool saveTo(const QString& file); // replaces it; false: `reported` reports why it was not saved
    // Shows the draft as that recipe if it equals it.
    void showIfUnchanged(const QString& nameOrPath);
    void reload(); // the list of recipes

    QAction* openAction() const { return m_open; }
    QAction* saveAction() const { return m_save; }
    QAction* copyAction() const { return m_copy; }
    QAction* showAction() const { return m_show; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void reported(const QString& text, accrue::RunMessage::Severity severity);

private:
    void makeMenu();
    void listShipped(bool published);
    void listOwn();
    void showOrigin();
    void chooseFile();
    void chooseTarget();
    void copyCommandLine();
    void showToml();

    ExperimentDraft& m_draft;
    FormComboBox* m_box;
    ChoiceList* m_choices; // of the box
    QToolButton* m_menu;
    QAction* m_open;
    QAction* m_save;
    QAction* m_copy;
    QAction* m_show;
};

} // namespace accrue
