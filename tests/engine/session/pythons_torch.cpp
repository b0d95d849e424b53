// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/session/pythons_torch.h"

#include <nlohmann/json.hpp>

namespace accrue::test {

QString PythonsTorch::start()
{
    const QString script = qEnvironmentVariable("ACCRUE_SOURCE") + "/tests/support/reference.py";
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(qEnvironmentVariable("ACCRUE_PYTHON"), { "-W", "ignore", script });
    if (!m_process.waitForStarted())
        return "ACCRUE_PYTHON names no Python that starts";
    const QString first = line();
    return first == "ready" ? QString() : first;
}

void PythonsTorch::begin(
    const std::filesystem::path& folder, const std::string& result, const Otherwise& otherwise)
{
    const nlohmann::json asked { { "folder", folder.string() }, { "result", result },
        { "defect", otherwise.defect }, { "variant", otherwise.variant } };
    m_process.write(QByteArray::fromStdString(asked.dump() + "\n"));
    m_process.waitForBytesWritten();
}

Trained PythonsTorch::train(
    const std::filesystem::path& folder, const Trained& start, const Otherwise& otherwise)
{
    const std::string result = otherwise.defect + "," + otherwise.variant;
    begin(folder, result, otherwise);
    wait();
    return readResult(folder, result, start);
}

void PythonsTorch::end()
{
    m_process.closeWriteChannel();
    m_process.waitForFinished();
}

QString PythonsTorch::line()
{
    constexpr int kTenMinutes = 600'000;
    while (!m_process.canReadLine())
        if (!m_process.waitForReadyRead(kTenMinutes))
            return "Python ended: " + m_process.errorString();
    return m_process.readLine().trimmed();
}

} // namespace accrue::test
