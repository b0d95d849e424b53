// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QString>

#include <functional>
#include <vector>

namespace accrue {

// Something that the command palette can do.
struct PaletteEntry {
    QString text;
    QString detail; // its origin; for a disabled one, what it needs
    QString keys; // its shortcut, or empty
    QIcon icon;
    bool enabled = true;
    std::function<void()> run;
};

// The entries that match the typed words, best first; disabled ones come last.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PaletteEntry> entries);
    void setQuery(const QString& query);
    const PaletteEntry& entry(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void filter();

    std::vector<PaletteEntry> m_entries;
    std::vector<std::size_t> m_shown; // indices into m_entries
    QString m_query;
};

} // namespace accrue
