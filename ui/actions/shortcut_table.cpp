// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_table.h"

#include "ui/actions/action_registry.h"
#include "ui/actions/shortcut_recorder.h"
#include "ui/actions/shortcut_table_model.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kRowHeight = 28;
constexpr int kShortcutWidth = 144; // for the recorder's words

class RecorderDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(
        QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        auto* recorder = new ShortcutRecorder(parent);
        // createEditor is const, but the signals that end the editing are not.
        auto* self = const_cast<RecorderDelegate*>(this);
        connect(recorder, &ShortcutRecorder::recorded, self, [self, recorder] {
            Q_EMIT self->commitData(recorder);
            Q_EMIT self->closeEditor(recorder);
        });
        return recorder;
    }

    void setEditorData(QWidget*, const QModelIndex&) const override { } // it shows what to do

    // The whole cell: the space of its text is too small for a field.
    void updateEditorGeometry(
        QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        editor->setGeometry(option.rect);
    }

    void setModelData(
        QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override
    {
        if (const auto& keys = qobject_cast<ShortcutRecorder*>(editor)->keys())
            model->setData(index, QVariant::fromValue(*keys));
    }

protected:
    // Keys with a modifier are the recorder's, also those with Enter; Tab, Enter and Esc alone end
    // the editing as everywhere.
    bool eventFilter(QObject* editor, QEvent* event) override
    {
        if (event->type() == QEvent::KeyPress
            && static_cast<QKeyEvent*>(event)->modifiers() != Qt::NoModifier)
            return false;
        return QStyledItemDelegate::eventFilter(editor, event);
    }
};

} // namespace

ShortcutTable::ShortcutTable(ActionRegistry& registry, QWidget* parent)
    : QWidget(parent)
    , m_registry(registry)
    , m_model(new ShortcutTableModel(registry, this))
    , m_view(new QTableView(this))
    , m_change(new QPushButton(tr("Change…"), this))
    , m_reset(new QPushButton(tr("Reset"), this))
    , m_resetAll(new QPushButton(tr("Reset all"), this))
{
    buildView();
    m_change->setToolTip(tr("Change the shortcut of this action (Enter)"));
    m_reset->setToolTip(tr("Restore the default shortcut of this action"));
    m_resetAll->setToolTip(tr("Restore the default shortcuts of all actions"));
    QHBoxLayout* buttons = makeRow(nullptr, { m_change, m_reset });
    buttons->addStretch(1);
    buttons->addWidget(m_resetAll);
    QVBoxLayout* layout = makeColumn(this, { m_view });
    layout->setStretch(0, 1);
    layout->addLayout(buttons);
    connect(m_change, &QPushButton::clicked, this, &ShortcutTable::changeSelected);
    connect(m_reset, &QPushButton::clicked, this, [this] { m_model->reset(selectedRow()); });
    connect(m_resetAll, &QPushButton::clicked, &registry, &ActionRegistry::resetAll);
    connect(&registry, &ActionRegistry::shortcutsChanged, this, &ShortcutTable::showButtons);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &ShortcutTable::showButtons);
    // Also selects a row, which the buttons are about.
    reload();
}

void ShortcutTable::reload()
{
    m_model->reload();
    m_view->resizeColumnsToContents();
    m_view->setColumnWidth(ShortcutTableModel::Shortcut, kShortcutWidth);
    m_view->selectRow(0);
    showButtons();
}

void ShortcutTable::buildView()
{
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(ShortcutTableModel::Shortcut, new RecorderDelegate(m_view));
    m_view->setAccessibleName(tr("Shortcuts"));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    // Without edit triggers: only changeSelected begins, which edits the column of shortcuts
    // wherever the row was clicked.
    setUpRows(*m_view, kRowHeight);
    m_view->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 8px; border: none; }"));
    m_view->setWordWrap(false);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->installEventFilter(this);
    connect(m_view, &QTableView::doubleClicked, this, &ShortcutTable::changeSelected);
}

int ShortcutTable::selectedRow() const
{
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.first().row();
}

void ShortcutTable::changeSelected()
{
    if (selectedRow() < 0)
        return;
    const QModelIndex index = m_model->index(selectedRow(), ShortcutTableModel::Shortcut);
    m_view->setCurrentIndex(index);
    m_view->edit(index);
}

void ShortcutTable::showButtons()
{
    const int row = selectedRow();
    m_change->setEnabled(row >= 0);
    m_reset->setEnabled(row >= 0 && m_model->isChanged(row));
    m_resetAll->setEnabled(std::ranges::any_of(m_registry.entries(),
        [this](const ActionRegistry::Entry& entry) { return m_registry.isChanged(entry); }));
}

bool ShortcutTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        // These keys act like edit triggers, which are disabled.
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_F2) {
            changeSelected();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace accrue
