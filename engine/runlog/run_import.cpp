// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_import.h"

#include "engine/logfile/lock_file.h"
#include "engine/logfile/log_file.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_log_error.h"

#include <chrono>

namespace accrue {

namespace {

constexpr std::chrono::seconds kPatience { 30 }; // another import may be writing a long run

} // namespace

RunImport::RunImport(const std::filesystem::path& log, const LogProgress& progress)
    : m_connection(std::make_unique<LogConnection>(placeToWrite(log), progress))
{
}

RunImport::RunImport(RunLogWriter& log)
    : m_writer(&log)
{
}

RunImport::~RunImport() = default;

ImportedRun RunImport::add(const ForeignRun& run)
{
    ImportedRun imported;
    inTransaction([&](LogConnection& connection) { imported = writeForeignRun(connection, run); });
    return imported;
}

void RunImport::inTransaction(const std::function<void(LogConnection&)>& work)
{
    if (m_writer != nullptr)
        return m_writer->inTransaction(work);
    const auto once = [&] {
        return m_connection->tryTransaction(LogConnection::Durability::Power, [&] {
            work(*m_connection);
        }) == LogConnection::Turn::Taken;
    };
    if (!succeedsWithin(kPatience, once))
        throw RunLogError(
            heldElsewhere(m_connection->file(), kPatience), RunLogError::Kind::Machine);
}

} // namespace accrue
