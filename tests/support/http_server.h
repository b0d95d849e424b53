// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <QProcess>

namespace accrue::test {

// tests/support/http_server.py over a folder; ends with the object.
class HttpServer {
public:
    explicit HttpServer(const QString& folder)
    {
        m_process.start(QStringLiteral("python3"),
            { qEnvironmentVariable("ACCRUE_SOURCE")
                    + QStringLiteral("/tests/support/http_server.py"),
                folder });
        m_process.waitForReadyRead(30000);
        m_port = m_process.readAllStandardOutput().trimmed().toStdString();
    }
    ~HttpServer()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(5000))
            m_process.kill();
        m_process.waitForFinished();
    }
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    bool isUp() const { return !m_port.empty(); }
    std::string url(const std::string& how) const
    {
        return "http://127.0.0.1:" + m_port + "/" + how;
    }

private:
    QProcess m_process;
    std::string m_port;
};

} // namespace accrue::test
