import CSandbox
package import Glibc

/// Limits that a worker sets for its own process before it reads anything untrusted.
package enum ConfinedProcess {
    /// Denies this process all new connections and all access to other processes, for good.
    ///
    /// - Returns: whether this kernel supports it.
    package static func denyNetwork() -> Bool { oracy_deny_network() == 0 }

    /// Limits a resource. A limit is never raised above the current hard limit.
    package static func limit(_ resource: __rlimit_resource, _ soft: Int, hard: Int) {
        let kind = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        getrlimit(kind, &limit)
        limit.rlim_max = min(limit.rlim_max, rlim_t(hard))
        limit.rlim_cur = min(rlim_t(soft), limit.rlim_max)
        setrlimit(kind, &limit)
    }

    /// Lets other processes go first.
    ///
    /// - Parameter niceness: 1 to 19, for example 10.
    package static func giveWay(_ niceness: Int32) {
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    }

    /// The processor time that this process and its threads have used, in seconds.
    package static var processorSeconds: Double {
        let used = usage
        return [used.ru_utime, used.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// The largest memory that this program has used so far, in megabytes of 2²⁰ bytes; 0 if the kernel doesn't say.
    ///
    /// `ru_maxrss` would also count the memory of the parent's program, which this process ran before exec.
    package static var residentMegabytes: Int {
        guard let file = fopen("/proc/self/status", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            if strncmp(line, "VmHWM:", 6) == 0 { return Int(strtol(Array(line[6...]), nil, 10)) / 1024 }
        }
        return 0
    }

    private static var usage: rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }
}
