// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/restart.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace accrue {

int startAgain(const QStringList& arguments)
{
    std::vector<QByteArray> words;
    for (const QString& argument : arguments)
        words.push_back(argument.toLocal8Bit());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (QByteArray& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    // What libraries have opened, a failed device among it, ends with this program.
    ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv("/proc/self/exe", pointers.data());
    std::fprintf(stderr, "accrue-workbench: cannot be started again: %s.\n", std::strerror(errno));
    return 1;
}

} // namespace accrue
