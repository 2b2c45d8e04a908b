import Glibc

/// How many files and connections this process may have open at once.
enum OpenFiles {
    /// What 500 exams take: a connection, the log, the take and the lock of each, and as much again for requests and storage.
    static let wanted = 4_096

    /// Raises this process's own limit to what the system lets it have: 1,024 is what most shells begin with.
    ///
    /// - Returns: how many are allowed now.
    static func allow() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = raised.rlim_max
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// For whoever runs it, where there are fewer than `wanted`.
    static func words(_ allowed: Int) -> String {
        "only \(allowed) files may be open at once, which is enough for some \(allowed / 8) exams; raise the limit (LimitNOFILE= of systemd, ulimit -Hn of a shell) to \(wanted)"
    }
}
