import Glibc

/// The limit on this process's open files and connections.
enum OpenFiles {
    /// The number for 500 exams: a connection, the log, the take and the lock of each, and as many again for requests
    /// and storage.
    static let wanted = 4_096

    /// Raises this process's own limit to the system's maximum. Most shells begin with 1,024.
    ///
    /// - Returns: the limit now.
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

    /// Returns the message for an operator if the limit is below `wanted`.
    static func words(_ allowed: Int) -> String {
        "only \(allowed) files may be open at once, enough for about \(allowed / 8) exams; raise the limit (LimitNOFILE= of systemd, ulimit -Hn of a shell) to \(wanted)"
    }
}
