// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/operator_watch.h"

#include "engine/memory/memory_recorder.h"

namespace accrue {
namespace {

thread_local int depth = 0; // of operators that work on this thread

void tellRecorder(const char* name)
{
    auto* const state = c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE);
    if (auto* const recorder = dynamic_cast<MemoryRecorder*>(state))
        recorder->operatorBegan(name);
}

std::unique_ptr<at::ObserverContext> began(const at::RecordFunction& call)
{
    if (depth++ == 0)
        tellRecorder(call.name());
    return nullptr;
}

void ended(const at::RecordFunction& /*call*/, at::ObserverContext* /*context*/)
{
    if (--depth == 0)
        tellRecorder(nullptr);
}

} // namespace

OperatorWatch::OperatorWatch()
    : m_callback(at::addThreadLocalCallback(
        at::RecordFunctionCallback(&began, &ended).scopes({ at::RecordScope::FUNCTION })))
{
    depth = 0;
}

OperatorWatch::~OperatorWatch()
{
    at::removeCallback(m_callback);
}

} // namespace accrue
