// What the thread sanitizer does not see of `Synchronization.Mutex`, told to it: preloaded by `Tests/run races`.
//
// Two threads that want one mutex at once hand it over in the kernel (FUTEX_LOCK_PI), called from Swift's own library, which is not
// built with the sanitizer: it sees no order between what the one did before it let go and what the next does, and reports a race
// between any two holders. (A program of eight threads that only append to an array in a mutex is reported, too.) Without a
// contender the mutex is taken and left by an atomic instruction in the caller's code, which the sanitizer does see.
//
// Names as Swift 6.3 mangles them: where they no longer fit, these functions are not called, and the reports are back.
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
