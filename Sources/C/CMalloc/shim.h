// The allocator's own functions, which Swift's module of the C library leaves out.
#pragma once

#include <malloc.h>

// Returns whole free pages of all arenas to the system. Takes each arena's lock for some milliseconds at most.
static inline void oracy_return_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
