// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/recipe.h"

#include <QWidget>

#include <functional>

class QAction;
class QToolButton;

namespace accrue {

class FormComboBox;

// Where an experiment comes from and goes to: the shipped recipes, the user's own, files, the
// clipboard.
class RecipeBar : public QWidget {
    Q_OBJECT
public:
    explicit RecipeBar(QWidget* parent = nullptr);

    // What Save, Copy and Show take.
    void setSource(std::function<Experiment()> experiment);
    void chooseFirstRun();
    // The form is no longer what the recipe, or the run whose settings it holds, says: "first-run,
    // edited".
    void showAsEdited();
    // The form holds what is called so and is no recipe: the settings of a run.
    void showOrigin(const QString& title);
    const QString& origin() const { return m_origin; }
    void setOrigin(const QString& title); // of a form that was edited since
    void showRecipe(const QString& nameOrPath); // the form is what it says; empty: edited
    QString shown() const { return m_shown; } // a recipe's name or path; empty: edited
    // Shows that recipe's name where the form is what it says, and changes nothing otherwise.
    void showIfUnchanged(const QString& nameOrPath);
    void reload(); // the list of recipes

    QAction* openAction() const { return m_open; }
    QAction* saveAction() const { return m_save; }
    QAction* copyAction() const { return m_copy; }
    QAction* showAction() const { return m_show; }
    // Reads `file` or a recipe's name and tells it by recipeChosen, findings included; what cannot
    // be read at all is told by failed and changes nothing.
    void openRecipe(const QString& nameOrPath);
    bool saveTo(const QString& file); // replaces it; false: it was told by failed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void recipeChosen(const accrue::Recipe& recipe, const QString& nameOrPath);
    void recipeShown(const QString& nameOrPath); // as the one that the form is
    void saved(const QString& file);
    void copied();
    void failed(const QString& problem);

private:
    void chooseFile();
    void chooseTarget();
    void copyCommandLine();
    void showToml();

    FormComboBox* m_box;
    QToolButton* m_menu;
    QAction* m_open;
    QAction* m_save;
    QAction* m_copy;
    QAction* m_show;
    std::function<Experiment()> m_experiment;
    QString m_shown;
    QString m_origin; // what was shown last, as a person reads it
};

} // namespace accrue
