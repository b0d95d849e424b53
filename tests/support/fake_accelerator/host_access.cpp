// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/host_access.h"

#include <csignal>
#include <cstdio>
#include <unistd.h>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/fake_accelerator.h"

namespace accrue::fake {
namespace {

struct sigaction s_before { };

// The process ends here, so what a handler may not call is called.
void onFault(int number, siginfo_t* info, void*)
{
    const Card* const touched = cardAt(info->si_addr);
    if (touched == nullptr) { // happens again, to whom it concerns
        ::sigaction(number, &s_before, nullptr);
        return;
    }
    std::fprintf(stderr, "The host touched %p, memory of fake device %d: %s.\n", info->si_addr,
        static_cast<int>(touched->index), touched->cache.describe(info->si_addr).c_str());
    std::fflush(stderr);
    ::_exit(kHostAccess);
}

} // namespace

void watchHostAccess()
{
    struct sigaction ours { };
    ours.sa_sigaction = &onFault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &ours, &s_before);
}

} // namespace accrue::fake
