// A filter of system calls for a process that reads untrusted files (seccomp(2)). It is written in C because Swift
// cannot call the variadic prctl, and because the kernel's headers define filters as macros.
#pragma once

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ORACY_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ORACY_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#define ORACY_DENY(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// Denies this process, its threads and its children all new connections, all access to other processes, and rarely used
// parts of the kernel. A denied call fails with EPERM. A call of another architecture ends the process.
//
// Returns 0, or -1 with errno if this kernel doesn't support it. The filter cannot be removed.
static inline int oracy_deny_network(void) {
#ifndef ORACY_AUDIT_ARCH
    errno = ENOSYS;
    return -1;
#else
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ORACY_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The x32 calls have numbers of their own.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#endif
        ORACY_DENY(socket), ORACY_DENY(connect), ORACY_DENY(bind), ORACY_DENY(listen), ORACY_DENY(accept),
        ORACY_DENY(accept4), ORACY_DENY(ptrace), ORACY_DENY(process_vm_readv), ORACY_DENY(process_vm_writev),
        ORACY_DENY(pidfd_open), ORACY_DENY(pidfd_send_signal), ORACY_DENY(io_uring_setup), ORACY_DENY(bpf),
        ORACY_DENY(perf_event_open), ORACY_DENY(userfaultfd), ORACY_DENY(add_key), ORACY_DENY(request_key),
        ORACY_DENY(keyctl), ORACY_DENY(mount), ORACY_DENY(umount2), ORACY_DENY(pivot_root), ORACY_DENY(chroot),
        ORACY_DENY(unshare), ORACY_DENY(setns), ORACY_DENY(open_by_handle_at),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    // Without it the kernel would let only root filter.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

// Closes all descriptors from this number on in a started program. glibc 2.34 and later have it, but <spawn.h> shows it
// to sources of GNU only. `actions` is a posix_spawn_file_actions_t; with <spawn.h>, its type would come from here and
// from Glibc.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
