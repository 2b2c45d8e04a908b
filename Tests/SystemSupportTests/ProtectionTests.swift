import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

/// Protection of data from others: access to files, names of this machine, formulas in tables.
@Suite struct ProtectionTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test func otherUsersReadAFileOnlyThroughOpenFolders() throws {
        let folder = home.path + "/open"
        #expect(mkdir(folder, 0o700) == 0)
        let file = folder + "/secret"
        try Data("x".utf8).write(to: URL(filePath: file))
        let isOpenAbove = try above(home.path).allSatisfy { try mode(of: $0) & 0o001 != 0 }
        for (folderMode, fileMode, canRead) in [
            (0o755, 0o644, true), (0o711, 0o604, true), (0o755, 0o640, false), (0o750, 0o644, false),
            (0o700, 0o644, false), (0o755, 0o600, false), (0o755, 0o611, false),
        ] as [(mode_t, mode_t, Bool)] {
            #expect(chmod(home.path, 0o755) == 0 && chmod(folder, folderMode) == 0 && chmod(file, fileMode) == 0)
            #expect(OtherUsers.canRead(file) == (canRead && isOpenAbove), "\(folderMode) \(fileMode)")
        }
        for (folderMode, canRead) in [(0o755, true), (0o701, true), (0o704, true), (0o770, false), (0o700, false)]
            as [(mode_t, Bool)]
        {
            #expect(chmod(folder, folderMode) == 0)
            #expect(OtherUsers.canRead(folder) == (canRead && isOpenAbove), "\(folderMode)")
        }
        #expect(chmod(home.path, 0o700) == 0 && chmod(folder, 0o755) == 0 && chmod(file, 0o644) == 0)
        #expect(!OtherUsers.canRead(file) && !OtherUsers.canRead(folder), "the folder above is private")
        #expect(!OtherUsers.canRead(home.path + "/nothing"))
    }

    /// Kubernetes and systemd mount secrets as links.
    @Test func aLinkIsFollowedToTheSecret() throws {
        let (secret, link) = (home.path + "/secret", home.path + "/link")
        try Data("x".utf8).write(to: URL(filePath: secret))
        #expect(symlink(secret, link) == 0 && chmod(home.path, 0o755) == 0 && chmod(secret, 0o600) == 0)
        #expect(!OtherUsers.canRead(link))
        #expect(chmod(secret, 0o644) == 0)
        #expect(OtherUsers.canRead(link) == OtherUsers.canRead(secret))
    }

    private func above(_ path: String) throws -> [String] {
        var folders: [String] = []
        var path = path
        while path != "/" {
            path = path.folder
            folders.append(path)
        }
        return folders
    }

    private func mode(of path: String) throws -> mode_t {
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        return facts.st_mode
    }

    @Test func onlyTheseHostsAreThisMachine() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "::1", "[::1]"] {
            #expect(LocalHost.isThisMachine(host), "\(host)")
        }
        for host in ["", "127.0.0.1.evil.example", "127.1", "128.0.0.1", "localhost.evil.example", "::2", "10.0.0.1"] {
            #expect(!LocalHost.isThisMachine(host), "\(host)")
        }
    }

    @Test func noCellOfATableIsComputed() {
        for (text, cell) in [
            ("=HYPERLINK(\"https://evil.example\")", "'=HYPERLINK(\"https://evil.example\")"), ("+1+1", "'+1+1"),
            ("-ing", "'-ing"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t=1"), ("\r=1", "'\r=1"), ("＝1", "'＝1"),
            ("=don't", "''=don't"), ("'=1", "'''=1"), ("''-x", "''''-x"), ("'-ing' forms", "'-ing' forms"),
            ("-45.2", "-45.2"), ("+3", "+3"), ("-", "'-"), ("a=b", "a=b"), ("", ""), ("'", "'"), ("it's", "it's"),
            ("1-2", "1-2"),
        ] {
            #expect(text.guardedCell == cell)
            #expect(cell.unguardedCell == text, "\(cell)")
        }
    }

    /// A table keeps every text, also if a cell begins like a formula.
    @Test func everyTextComesBackFromItsCell() {
        let letters = ["'", "=", "-", "@", "a", " ", "1", "\t"]
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in letters.map { text + $0 } } }
        for text in Set(texts) {
            let cell = text.guardedCell
            #expect(cell.unguardedCell == text, "\(text.debugDescription)")
            let first = cell.unicodeScalars.first
            #expect(Double(cell) != nil || !["=", "+", "-", "@", "\t"].contains(first), "\(cell.debugDescription)")
        }
    }

    /// Other programs escape formulas with one apostrophe, and write quotations without any.
    @Test func cellsOfOtherProgramsKeepTheirQuotations() {
        #expect("'=1+1".unguardedCell == "=1+1")
        #expect("'-ing' forms".unguardedCell == "'-ing' forms")
        #expect("'tis".unguardedCell == "'tis" && "'".unguardedCell == "'")
    }
}
