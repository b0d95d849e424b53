// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/this_machine.h"

#include <array>
#include <chrono>
#include <fstream>
#include <random>

#include <unistd.h>

namespace accrue {

namespace {

std::string hostName()
{
    std::array<char, 256> name {};
    // The last byte stays 0: gethostname may not terminate a name that it cuts.
    if (gethostname(name.data(), name.size() - 1) != 0)
        return "unknown";
    return name.data();
}

std::string bootId()
{
    // The kernel draws it at every boot. Containers of one host share it, as they share locks.
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

} // namespace

const ThisMachine& thisMachine()
{
    static const ThisMachine machine { hostName(), bootId() };
    return machine;
}

std::int64_t unixTimeMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string randomToken()
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::random_device random;
    std::string token;
    for (int i = 0; i < 32; ++i)
        token += kDigits[random() % 16];
    return token;
}

} // namespace accrue
