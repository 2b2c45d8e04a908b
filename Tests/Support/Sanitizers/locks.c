// Tells the thread sanitizer about contended locks of `Synchronization.Mutex`. `Tests/run races` preloads this library.
//
// If two threads want a mutex at the same time, the kernel hands it over (FUTEX_LOCK_PI). That call is in Swift's own
// library, which is not built with the sanitizer. The sanitizer therefore sees no order between the two threads and
// reports a race, even for a correct program: eight threads that only append to an array in a mutex are enough. An
// uncontended mutex is locked and unlocked by an atomic instruction in the caller's code, which the sanitizer does see.
//
// The names are mangled as in Swift 6.3. If another version mangles them differently, these functions are never called,
// and the false reports come back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define swift __attribute__((swiftcall))
#define self __attribute__((swift_context))

static void tell(const char *what, void *mutex) {
    void (*function)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, what);
    if (function) function(mutex); // Absent in children that are not built with the sanitizer.
}

swift void lockSlow(uint32_t thread, self void *mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
swift void unlockSlow(self void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

swift void lockSlow(uint32_t thread, self void *mutex) {
    swift void (*next)(uint32_t, self void *) =
        (swift void (*)(uint32_t, self void *))dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    next(thread, mutex);
    tell("__tsan_acquire", mutex);
}

swift void unlockSlow(self void *mutex) {
    swift void (*next)(self void *) =
        (swift void (*)(self void *))dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    tell("__tsan_release", mutex);
    next(mutex);
}
