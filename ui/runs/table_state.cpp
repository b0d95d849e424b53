// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/table_state.h"

#include "ui/models/run_words.h"
#include "ui/runs/group_button.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_search.h"

#include <QAction>
#include <QDataStream>
#include <QHeaderView>
#include <QIODevice>

namespace accrue {

namespace {

constexpr int kVersion = 5; // of what save() writes

QString lineOf(const std::vector<std::string>& keys)
{
    return tagLine(keys); // keys have no blanks and commas either
}

} // namespace

TableState::TableState(
    RunListView& list, RunSearch& search, GroupButton& groups, QAction& showArchived)
    : m_list(list)
    , m_search(search)
    , m_groups(groups)
    , m_showArchived(showArchived)
{
}

QByteArray TableState::save() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kVersion << lineOf(m_list.runs().extraKeys()) << m_list.horizontalHeader()->saveState()
        << m_list.isNameSized() << m_search.text() << m_groups.grouping().text()
        << m_showArchived.isChecked();
    return bytes;
}

// All is read before anything is changed: an incomplete state is ignored.
bool TableState::restore(const QByteArray& state) const
{
    QDataStream in(state);
    int version = 0;
    in >> version;
    if (version != kVersion)
        return false;
    QString extras;
    QByteArray header;
    bool nameSized = false;
    QString searched;
    QString grouping;
    bool archived = false;
    in >> extras >> header >> nameSized >> searched >> grouping >> archived;
    if (in.status() != QDataStream::Ok)
        return false;
    m_list.runs().setExtraKeys(tagsInLine(extras)); // before the header, which has their widths
    m_list.restoreColumns(header, nameSized);
    m_showArchived.setChecked(archived);
    m_search.search(searched);
    m_groups.setGrouping(RunGrouping::of(grouping, tagsInLine(grouping)));
    return true;
}

} // namespace accrue
