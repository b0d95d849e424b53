// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/operator_watch.h"

#include "engine/memory/memory_recorder.h"

namespace accrue {
namespace {

// Operators call operators. Only the outermost one is what a person wrote in the network, so the
// watch counts how deep the calls are.
thread_local int depth = 0;

void report(const char* name)
{
    if (auto* const recorder = MemoryRecorder::ofThread())
        recorder->operatorBegan(name);
}

std::unique_ptr<at::ObserverContext> began(const at::RecordFunction& call)
{
    if (depth++ == 0)
        report(call.name());
    return nullptr;
}

void ended(const at::RecordFunction& /*call*/, at::ObserverContext* /*context*/)
{
    if (--depth == 0)
        report(nullptr);
}

} // namespace

OperatorWatch::OperatorWatch()
    : m_callback(at::addThreadLocalCallback(
        at::RecordFunctionCallback(&began, &ended).scopes({ at::RecordScope::FUNCTION })))
{
    depth = 0; // a call that an exception left may not have counted down
}

OperatorWatch::~OperatorWatch()
{
    at::removeCallback(m_callback);
}

} // namespace accrue
