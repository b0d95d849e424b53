// SPDX-License-Identifier: Apache-2.0
// Only in programs built with ThreadSanitizer. Debian's Qt is not, so ThreadSanitizer does not see
// that what is handed to another thread's event loop happened before it runs there. The two doors
// that this code uses stand here in front of Qt's own and say so; nothing else changes, and a race
// in what runs is still seen.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <QDeadlineTimer>
#include <QThread>

static_assert(QT_VERSION < QT_VERSION_CHECK(6, 5, 0), "written for Qt 6.4's slot objects");

namespace {

class HandedOver : public QtPrivate::QSlotObjectBase {
public:
    explicit HandedOver(QSlotObjectBase* slot)
        : QSlotObjectBase(&HandedOver::impl)
        , m_slot(slot)
    {
        __tsan_release(this);
    }
    ~HandedOver() { m_slot->destroyIfLastRef(); }

private:
    static void impl(int which, QSlotObjectBase* base, QObject* receiver, void** arguments, bool*)
    {
        auto* const self = static_cast<HandedOver*>(base);
        __tsan_acquire(self);
        if (which == Call)
            self->callSlot(receiver, arguments);
        else if (which == Destroy)
            delete self;
    }

    void callSlot(QObject* receiver, void** arguments)
    {
        m_slot->call(receiver, arguments);
        __tsan_release(QThread::currentThread());
        __tsan_release(this); // whoever counts the last reference down, here or there, destroys it
    }

    QSlotObjectBase* m_slot;
};

// Qt's own function of a mangled name.
template <typename Function> Function ofQt(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

bool QMetaObject::invokeMethodImpl(
    QObject* object, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type, void* answer)
{
    using Door = bool (*)(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
    static const auto qt =
        ofQt<Door>("_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt"
                   "14ConnectionTypeEPv");
    return qt(object, new HandedOver(slot), type, answer);
}

bool QThread::wait(QDeadlineTimer deadline)
{
    static const auto qt =
        ofQt<bool (*)(QThread*, QDeadlineTimer)>("_ZN7QThread4waitE14QDeadlineTimer");
    const bool finished = qt(this, deadline);
    __tsan_acquire(this);
    return finished;
}
