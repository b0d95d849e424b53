// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/local_address.h"

#include <array>
#include <memory>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>

#include "engine/base/descriptor.h"

namespace accrue {
namespace {

std::string numericText(const sockaddr* address, socklen_t length)
{
    std::array<char, NI_MAXHOST> text {};
    const int error =
        ::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    return error == 0 ? text.data() : "";
}

// A datagram socket that is connected has the address that its packets would leave from.
std::string addressTowards(const addrinfo& target)
{
    const Descriptor socket(
        ::socket(target.ai_family, target.ai_socktype | SOCK_CLOEXEC, target.ai_protocol));
    sockaddr_storage own {};
    socklen_t length = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    if (!socket.isOpen() || ::connect(socket.get(), target.ai_addr, target.ai_addrlen) != 0
        || ::getsockname(socket.get(), address, &length) != 0)
        return {};
    return numericText(address, length);
}

socklen_t lengthOf(const sockaddr& address)
{
    return address.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

} // namespace

std::string localAddressTowards(const std::string& host, std::int64_t port)
{
    addrinfo wanted {};
    wanted.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
        return {};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
    for (const addrinfo* target = found; target != nullptr; target = target->ai_next)
        if (std::string address = addressTowards(*target); !address.empty())
            return address;
    return {};
}

std::string firstOwnAddress()
{
    ifaddrs* found = nullptr;
    if (::getifaddrs(&found) != 0)
        return {};
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(found, ::freeifaddrs);
    for (const ifaddrs* one = found; one != nullptr; one = one->ifa_next) {
        const bool isUsable = one->ifa_addr != nullptr && (one->ifa_flags & IFF_UP) != 0
            && (one->ifa_flags & IFF_LOOPBACK) == 0
            && (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6);
        if (isUsable)
            return numericText(one->ifa_addr, lengthOf(*one->ifa_addr));
    }
    return {};
}

bool isLoopback(const std::string& numericAddress)
{
    return numericAddress.starts_with("127.") || numericAddress == "::1";
}

} // namespace accrue
