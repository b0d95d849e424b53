// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/checked_rows.h"

#include "engine/logfile/query.h"

#include <algorithm>
#include <bit>

#include <sqlite3.h>
#include <zlib.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// Empty names are retained: a damaged list of columns must not be read as a shorter, valid one.
std::vector<std::string> namesIn(const std::string& columns)
{
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= columns.size();) {
        const std::size_t end = std::min(columns.find(',', begin), columns.size());
        names.push_back(columns.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

constexpr std::size_t kNumberBytes = 9; // of a number with the letter of its type

// Quoted, because the names come from the file, which may be written by anybody.
std::string quotedList(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names) {
        list += list.empty() ? "\"" : ", \"";
        for (const char c : name)
            list += c == '"' ? std::string("\"\"") : std::string(1, c);
        list += '"';
    }
    return list;
}

std::string selectOf(CheckedTable table, const std::string& columns)
{
    const std::string from = " FROM " + std::string(nameOf(table));
    if (hasSteps(table))
        return "SELECT step, " + columns + from
            + " WHERE run_id = ?1 AND attempt = ?2 AND step BETWEEN ?3 AND ?4 ORDER BY step";
    return "SELECT 0, " + columns + from
        + (table == CheckedTable::Runs ? " WHERE id = ?1" : " WHERE run_id = ?1");
}

std::string coveredColumns(SQLite::Database& database, CheckedTable table)
{
    std::string columns;
    for (const std::string& name : allOf<std::string>(
             // table_xinfo, because table_info leaves out computed columns.
             database, "SELECT name FROM pragma_table_xinfo(?) ORDER BY cid", nameOf(table)))
        columns += (columns.empty() ? "" : ",") + name;
    return columns;
}

// Little-endian by shifts, on any machine: the checksum is part of the file format.
char* putEightBytes(char* out, std::uint64_t value)
{
    for (int shift = 0; shift < 64; shift += 8)
        *out++ = static_cast<char>(value >> shift);
    return out;
}

} // namespace

CheckedRows::CheckedRows(SQLite::Database& database, CheckedTable table, const std::string& columns)
    : m_database(database.getHandle())
    , m_hasSteps(hasSteps(table))
    , m_names(namesIn(columns))
{
    const std::string sql = selectOf(table, quotedList(m_names));
    for (std::string& name : m_names)
        name += '\0';
    // SQLite directly instead of SQLiteCpp: all rows of a log pass through here, and values are
    // hashed in place, without a std::string or a shared pointer for each.
    const int result = sqlite3_prepare_v2(
        m_database, sql.c_str(), static_cast<int>(sql.size()), &m_select, nullptr);
    if (result != SQLITE_OK)
        throw SQLite::Exception(m_database, result);
}

CheckedRows::~CheckedRows()
{
    sqlite3_finalize(m_select);
}

void CheckedRows::start(const RowRange& range)
{
    // A statement that has not been reset refuses new values.
    sqlite3_reset(m_select);
    sqlite3_bind_int64(m_select, 1, numberOf(range.run));
    if (!m_hasSteps)
        return;
    sqlite3_bind_int64(m_select, 2, range.attempt);
    sqlite3_bind_int64(m_select, 3, range.firstStep);
    sqlite3_bind_int64(m_select, 4, range.lastStep);
}

bool CheckedRows::next()
{
    const int result = sqlite3_step(m_select);
    if (result == SQLITE_ROW)
        return true;
    if (result == SQLITE_DONE) {
        stop();
        return false;
    }
    const std::string why = sqlite3_errmsg(m_database); // before stop changes it
    stop();
    throw SQLite::Exception(why, result);
}

void CheckedRows::stop()
{
    sqlite3_reset(m_select);
}

std::int64_t CheckedRows::step() const
{
    return sqlite3_column_int64(m_select, 0);
}

std::uint32_t CheckedRows::checksum()
{
    char* out = m_bytes.data();
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        // The name is in the checksum, so that a value that moved to another column is noticed. +
        // 1, because the step is the first column.
        sqlite3_value* const value = sqlite3_column_value(m_select, static_cast<int>(i) + 1);
        out = roomFor(out, m_names[i].size() + kNumberBytes);
        out = std::copy(m_names[i].begin(), m_names[i].end(), out);
        switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER:
            *out++ = 'i';
            out = putEightBytes(out, static_cast<std::uint64_t>(sqlite3_value_int64(value)));
            break;
        case SQLITE_FLOAT:
            *out++ = 'r';
            out = putEightBytes(out, std::bit_cast<std::uint64_t>(sqlite3_value_double(value)));
            break;
        case SQLITE_NULL:
            *out++ = 'n';
            break;
        default:
            out = putBytes(out, value);
        }
    }
    const auto* bytes = reinterpret_cast<const Bytef*>(m_bytes.data());
    return static_cast<std::uint32_t>(
        crc32_z(0, bytes, static_cast<std::size_t>(out - m_bytes.data())));
}

// `out`, moved together with the row so far if that is necessary to have `more` bytes after it.
char* CheckedRows::roomFor(char* out, std::size_t more)
{
    const auto used = static_cast<std::size_t>(out - m_bytes.data());
    if (m_bytes.size() - used < more)
        // Doubled, so that the buffer grows only a few times.
        m_bytes.resize(2 * m_bytes.size() + more);
    return m_bytes.data() + used;
}

char* CheckedRows::putBytes(char* out, sqlite3_value* value)
{
    const bool isText = sqlite3_value_type(value) == SQLITE_TEXT;
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    out = roomFor(out, size + 2);
    *out++ = isText ? 't' : 'b';
    // The pointer of an empty value is null.
    if (size > 0)
        out = std::copy(bytes, bytes + size, out);
    *out++ = '\0';
    return out;
}

bool areCovered(const std::string& columns, const std::string& covered)
{
    const std::vector<std::string> known = namesIn(covered);
    const std::vector<std::string> names = namesIn(columns);
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return !name.empty() && std::find(known.begin(), known.end(), name) != known.end();
    });
}

const std::string& KeptRows::columnsOf(CheckedTable table)
{
    std::string& columns = m_tables[table].covered;
    if (columns.empty())
        columns = coveredColumns(m_database, table);
    return columns;
}

CheckedRows& KeptRows::of(CheckedTable table, const std::string& columns)
{
    Kept& kept = m_tables[table];
    // Older batches may cover fewer columns, and then need another query.
    if (!kept.rows || kept.columns != columns) {
        kept.rows = std::make_unique<CheckedRows>(m_database, table, columns);
        kept.columns = columns;
    }
    return *kept.rows;
}

} // namespace accrue
