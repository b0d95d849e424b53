// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/experiment_draft.h"
#include "ui/train/data_block.h"
#include "ui/train/form_rows.h"
#include "ui/train/plan_block.h"

#include <QWidget>

#include <string>

class QVBoxLayout;

namespace accrue {

// The view of a draft that edits it: a field for each key (form_rows.h), with its data set, plan
// and forecast among them. GUI thread.
//
// Nothing in it moves during typing: rows appear after a choice, never after a letter, and space
// for what is shown about the settings is reserved.
class ExperimentForm : public QWidget {
    Q_OBJECT
public:
    // `draft` is borrowed and must outlive this.
    explicit ExperimentForm(ExperimentDraft& draft, QWidget* parent = nullptr);
    ~ExperimentForm() override;

    void showField(const std::string& key); // puts the keyboard there
    DataDownloadRow& dataDownload() const { return m_data->downloadRow(); }
    ForecastBar& forecast() const { return m_plan->forecast(); }
    FormRows& rows() const { return *m_rows; }
    FormRow* row(const std::string& key) const { return m_rows->row(key); }
    SettingEditor* editor(const std::string& key) const { return m_rows->editor(key); }
    FoldedPart* foldOf(const std::string& key) const { return m_rows->foldOf(key); }

Q_SIGNALS:
    void fieldShown(QWidget* row); // it received the focus: scroll to it

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectParts();
    void orderTabs();
    void takeEdit(const std::string& key, bool typed);
    void toggleSolved(const std::string& key);
    void showReplaced();
    void showDevices();
    void showCheck();
    void showFolds(FormRows::Folds folds);
    void showFieldMenu(QLineEdit& edit, const QPoint& at);

    ExperimentDraft& m_draft;
    QVBoxLayout* m_layout;
    DataBlock* m_data;
    PlanBlock* m_plan;
    FormRows* m_rows;
};

} // namespace accrue
