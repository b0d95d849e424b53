// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/setting_rows.h"

#include "engine/logfile/query.h"

#include <array>
#include <string_view>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

// In the order of SettingValue. The kind is stored, because SQLite would return a boolean as an
// integer.
constexpr std::array<std::string_view, 4> kKinds { "boolean", "integer", "number", "text" };

// The column in the type of its kind; any other kind is that of a damaged file.
SettingValue valueIn(Query& row, std::string_view kind)
{
    if (kind == kKinds[0])
        return row.integer() != 0;
    if (kind == kKinds[1])
        return row.integer();
    if (kind == kKinds[2])
        return row.number();
    return row.text();
}

} // namespace

void insertSettings(SQLite::Database& database, RunId run, const Settings& settings)
{
    SQLite::Statement insert(
        database, insertText("INSERT INTO settings", { "run_id", "key", "kind", "value" }));
    for (const auto& [key, value] : settings) {
        RowBinder row(insert);
        row.bind(run, key, kKinds.at(value.index()));
        std::visit([&](const auto& each) { row.bind(each); }, value);
        row.run();
    }
}

Settings readSettings(SQLite::Database& database, RunId run)
{
    Query rows(
        database, "SELECT key, kind, value FROM settings WHERE run_id = ? ORDER BY key", run);
    Settings settings;
    while (rows.next()) {
        std::string key = rows.text();
        const std::string kind = rows.text();
        settings.emplace_back(std::move(key), valueIn(rows, kind));
    }
    return settings;
}

} // namespace accrue
