// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/key_info.h"
#include "ui/draft/setting_texts.h"
#include "ui/widgets/form_widgets.h"

#include <QObject>
#include <QStringList>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QVBoxLayout;

namespace accrue {

class FoldedPart;

// The rows of a form, one for each key of the table (keys.h), in its sections: each has a
// title, the rows that always show, and an advanced part that is folded at first. GUI thread.
class FormRows : public QObject {
    Q_OBJECT
public:
    // Widgets that are below the row of a key.
    using Blocks = std::map<std::string, QWidget*>;
    // The rows become children of `form`, which also filters the events of their text fields.
    FormRows(QWidget* form, QVBoxLayout* layout, const Blocks& below);

    FormRow* row(const std::string& key) const; // null: no such key
    // Of a key of the table
    SettingEditor* editor(const std::string& key) const { return m_rows.at(key)->editor(); }
    FoldedPart* foldOf(const std::string& key) const; // null: it is in no advanced part

    void setTexts(const SettingTexts& texts);
    // The solved batch numbers; empty: they have no solution.
    void showSolutions(const std::optional<BatchPlan>& plan);
    // Rows of keys that nothing reads are hidden or disabled (KeyCondition).
    void showRelevant(const Experiment& experiment);
    void showFindings(const Findings& findings);

    enum class Folds { MayOpen, Stay };
    // Counts the settings in the advanced parts. A part unfolds for a setting that differs from its
    // default and for one with a problem, if that is new: a part that the user folded remains
    // folded.
    void showFolds(const Experiment& experiment, const Findings& findings, Folds folds);
    void forgetFolds(); // all settings are new; only parts that the user opened are open
    QStringList openParts() const; // that the user opened
    void setOpenParts(const QStringList& parts);

Q_SIGNALS:
    void edited(const std::string& key, bool typed); // by the user; typed: a letter of a text
    void solveToggled(const std::string& key); // `=` of a batch number was pressed
    void explanationRequested(const QString& word); // of a field's label

private:
    struct Fold {
        FoldedPart* part = nullptr;
        QString id; // its key in the settings file: the first word of its first key
        std::vector<std::string> keys;
        bool wanted = false; // the user opened it
        std::set<std::string> reasons; // keys that it unfolded for
    };

    void addSection(
        KeySection section, const QString& title, QVBoxLayout* layout, const Blocks& below);
    FormRow* addRow(const KeyInfo& key);
    Fold& addFold(const QString& title, const std::string& firstKey);

    QWidget* m_form; // borrowed: the owner's parent
    std::map<std::string, FormRow*> m_rows;
    std::vector<Fold> m_folds;
};

} // namespace accrue
