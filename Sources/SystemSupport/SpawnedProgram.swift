import CSandbox
package import Glibc

/// Starts programs that inherit only two descriptors from this process.
package enum SpawnedProgram {
    /// Starts a program as a shell does, with no signal blocked or ignored. Its standard error is discarded.
    ///
    /// - Parameters:
    ///   - command: the program's path, then its arguments.
    ///   - input: the descriptor for its standard input. It stays open in this process.
    ///   - output: the descriptor for its standard output.
    ///   - environment: its whole environment, each entry as `NAME=value`. It inherits nothing, since this process's
    ///     environment may contain keys.
    ///   - leadsGroup: whether it starts a process group, so that `kill(-pid, …)` also reaches its children.
    /// - Returns: the id of the process, for which the caller must wait; nil, with `errno`, if it does not start.
    package static func start(
        _ command: [String], input: Int32, output: Int32, environment: [String], leadsGroup: Bool = false
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // A library may have opened other descriptors without close-on-exec. A program that inherited them would keep a
        // server's connections open after the server has closed them.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, &attributes, &arguments, &variables)
        errno = code
        return code == 0 ? child : nil
    }

    /// Returns the path of a program that can be run, or nil.
    ///
    /// - Parameters:
    ///   - program: a name to search for, or a path, which contains a slash.
    ///   - folders: the folders to search, separated by colons; by default those of `PATH`.
    package static func path(of program: String, in folders: String? = nil) -> String? {
        let folders = folders ?? UserFolders.environment("PATH") ?? "/usr/bin:/bin"
        let paths = program.contains("/") ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
        return paths.first { access($0, X_OK) == 0 }
    }

    /// Waits for the end of a child.
    ///
    /// - Returns: its status as in wait(2): the signal that ended it in the lowest seven bits, or its exit code in the
    ///   bits above the lowest eight.
    package static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
