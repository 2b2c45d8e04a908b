import Foundation
import Testing

/// Rules that the compiler doesn't check: the allowed imports, and what the core never does.
@Suite struct HouseRules {
    /// The allowed imports of each target. A new target gets a line here, and ARCHITECTURE.md gives the reason.
    static let mayImport: [String: Set<String>] = [
        "EmbedText": ["Foundation", "PackagePlugin"],
        "embed-text": ["Foundation"],
        "ExamCore": [],
        "VoiceActivity": [],
        "Assessment": ["ExamCore", "Glibc"],
        "Papers": ["ExamCore", "Swift", "SystemSupport"],
        "SystemSupport": [
            "CCrypto", "CZlib", "CSandbox", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization",
        ],
        "AudioFiles": ["CMPG123", "COgg", "COpus", "CSampleRate", "CSndFile", "Glibc", "SystemSupport"],
        "ExamKit": [
            "AudioFiles", "Dispatch", "ExamCore", "FoundationEssentials", "Glibc", "SessionFolders", "Subprocess",
            "Synchronization", "SystemPackage", "SystemSupport", "VoiceActivity",
        ],
        "SessionFolders": [
            "Assessment", "AudioFiles", "Dispatch", "ExamCore", "FoundationEssentials", "Glibc", "Synchronization",
            "SystemSupport",
        ],
        "Study": ["Assessment", "ExamCore", "Learning", "Reports", "SystemSupport"],
        "StudyFolders": [
            "Assessment", "Assessors", "AudioFiles", "ExamCore", "ExamKit", "FoundationEssentials", "Glibc",
            "HTTPClient", "Learning", "Reports", "SessionFolders", "Study", "Synchronization", "SystemSupport",
        ],
        "Assessors": [
            "Assessment", "AudioFiles", "ExamCore", "Foundation", "FoundationEssentials", "Glibc", "HTTPClient",
            "Hearing", "Synchronization", "SystemSupport", "TextModels", "VoiceActivity",
        ],
        "HearingWorker": ["Assessment", "CHama", "CWhisper", "FoundationEssentials", "Glibc", "SystemSupport"],
        "Hearing": [
            "Assessment", "Dispatch", "FoundationEssentials", "Glibc", "HTTPClient", "HearingWorker",
            "Synchronization", "SystemSupport",
        ],
        "oracy-words": ["HearingWorker"],
        "Learning": ["ExamCore", "Glibc", "Papers", "SystemSupport"],
        "AddOns": ["FoundationEssentials", "Glibc", "HTTPClient", "Subprocess", "SystemPackage", "SystemSupport"],
        "XMLFiles": ["CExpat", "SystemSupport"],
        "TextModels": ["Foundation", "HTTPClient", "Learning", "Papers", "SystemSupport"],
        "Reports": ["Assessment", "ExamCore", "FoundationEssentials", "Glibc", "SystemSupport"],
        "PulseRoom": [
            "SystemSupport",
            "AudioFiles", "CPulse", "Dispatch", "ExamCore", "ExamKit", "Glibc", "Synchronization", "VoiceActivity",
        ],
        "SessionUploads": ["ExamCore", "Foundation", "Glibc", "SessionFolders", "SystemSupport", "UploadQueue"],
        "UploadQueue": ["ExamCore", "Foundation", "GRDB", "Glibc", "Synchronization", "SystemSupport"],
        "BackendAPI": ["ExamCore", "Foundation", "Learning", "SystemSupport"],
        "HTTPClient": ["CCurl", "Foundation", "Glibc", "Synchronization", "SystemSupport"],
        "Backends": [
            "BackendAPI", "ExamCore", "Foundation", "Glibc", "HTTPClient", "Learning", "Synchronization",
            "SystemSupport", "UploadQueue",
        ],
        "ExamStore": [
            "Assessment", "CPostgres", "Dispatch", "ExamCore", "Foundation", "GRDB", "Glibc", "Synchronization",
            "SystemSupport",
        ],
        "RecordingStores": ["Crypto", "Foundation", "Glibc", "HTTPClient", "SystemSupport"],
        "ExamNode": [
            "Assessment", "Assessors", "AudioFiles", "Crypto", "Dispatch", "ExamCore", "ExamKit", "ExamStore",
            "Foundation",
            "Glibc", "HTTPClient", "Hearing", "Logging", "RecordingStores", "ServiceLifecycle", "SessionFolders",
            "SessionUploads", "Study", "Synchronization", "SystemSupport", "TextModels", "UploadQueue",
        ],
        "ServerWork": [
            "Assessment", "Assessors", "Crypto", "ExamCore", "ExamNode", "ExamStore", "Foundation", "Glibc",
            "HTTPClient", "Hearing", "Learning", "Logging", "Papers", "RecordingStores", "ServiceLifecycle",
            "SessionFolders", "Study", "Synchronization", "SystemSupport", "TextModels", "UploadQueue",
        ],
        "ExamServer": [
            "Assessment", "Assessors", "CBrotli", "CMalloc", "Papers", "Reports", "AudioFiles", "BackendAPI", "Crypto",
            "CryptoExtras", "Dispatch", "ExamCore", "ExamKit", "ExamStore", "Foundation", "Hearing", "Learning",
            "FoundationEssentials", "Glibc", "HTTPClient", "HTTPTypes", "Hummingbird", "HummingbirdCore",
            "HummingbirdTLS", "JWTKit",
            "NIOSSL",
            "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "NIOWebSocket",
            "ServiceLifecycle", "SessionUploads", "Synchronization", "SystemSupport", "TextModels", "UnixSignals",
            "UploadQueue", "ExamNode", "RecordingStores", "ServerWork", "SessionFolders", "Study",
        ],
        "oracy-server": [
            "AddOns", "ArgumentParser", "Crypto", "ExamKit", "ExamNode", "ExamServer", "ExamStore", "Foundation",
            "Glibc",
            "Hearing",
            "Logging", "RecordingStores", "ServerWork", "Study", "SwiftASN1", "SystemSupport", "X509",
        ],
        "LoopbackServers": ["Dispatch", "ExamCore", "Foundation", "Glibc", "HTTPClient", "Synchronization", "Waiting"],
        "DetectorScores": ["ExamCore", "Glibc"],
        "SupabaseStandIn": [
            "ExamStore", "Foundation", "HTTPClient", "LoopbackServers", "Synchronization", "SystemSupport",
        ],
        "StoreTrials": ["ExamStore", "Foundation", "LoopbackServers", "Synchronization", "TestSupport", "Testing"],
        "TestSupport": ["Foundation", "Testing", "Waiting"],
        "VirtualDevices": ["Foundation", "Glibc", "Synchronization", "Waiting"],
        "Waiting": ["Foundation"],
        "oracy": [
            "AddOns", "ArgumentParser", "Assessment", "Assessors", "AudioFiles", "BackendAPI", "Backends",
            "Dispatch", "ExamCore", "ExamKit", "FoundationEssentials", "Glibc", "HTTPClient", "Hearing", "Learning",
            "Papers", "PulseRoom", "Reports", "SessionUploads", "Synchronization", "SystemSupport", "Subprocess",
            "TextModels", "UploadQueue", "VoiceActivity", "XMLFiles", "SessionFolders", "Study", "StudyFolders",
        ],
        "oracy-bench": [
            "Assessment", "AudioFiles", "Backends", "Crypto", "DetectorScores", "Dispatch", "ExamCore", "ExamKit",
            "ExamStore", "Foundation", "FoundationEssentials", "GRDBSQLite", "Glibc", "HTTPClient", "Learning",
            "LoopbackServers", "Papers", "SessionFolders", "Study", "StudyFolders", "Synchronization", "UploadQueue",
            "VirtualDevices", "VoiceActivity",
        ],
    ]

    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folders of targets: the product, and the parts that only tests and the benchmark use.
    static let homes = ["Sources", "Tests/Support"].map { package.appending(path: $0) }

    static func files(of target: String) throws -> [(name: String, text: String)] {
        let places = homes.map { $0.appending(path: target) }
        guard let folder = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return [] }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            ("\(target)/\(path)", try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
    }

    @Test func everyTargetImportsOnlyWhatItMay() throws {
        let targets = try Self.homes.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0.path) }
        let swift = try targets.filter { try !Self.files(of: $0).isEmpty }
        #expect(Set(swift) == Set(Self.mayImport.keys), "a target without a rule, or a rule without a target")
        for target in swift {
            for (name, text) in try Self.files(of: target) {
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ")
                    guard let place = words.firstIndex(of: "import"), place <= 1, words.count > place + 1 else {
                        continue
                    }
                    let module = String(words[place + 1].prefix { $0 != "." })
                    #expect(Self.mayImport[target]!.contains(module), "\(name) imports \(module)")
                }
            }
        }
    }

    /// If two modules had types with the same name, a file that imports both could not name either. If a type had the
    /// name of a module, a file could not name anything in that module.
    @Test func everyPublicTypeHasANameOfItsOwn() throws {
        var owners: [String: String] = Dictionary(uniqueKeysWithValues: Self.mayImport.keys.map { ($0, "a module") })
        for target in Self.mayImport.keys.sorted() {
            for (file, text) in try Self.files(of: target) {
                for match in text.matches(
                    of: /(?m)^public (?:final |indirect )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/)
                {
                    let name = String(match.1)
                    #expect(owners[name] == nil, "\(name) of \(file) is \(owners[name] ?? "")'s name, too")
                    owners[name] = file
                }
            }
        }
        #expect(owners.count > 100)
    }

    /// `make check` repeats the tests that try more there, by the names in a list.
    @Test func suitesThatTryMoreAreRunInCheck() throws {
        let tests = Self.package.appending(path: "Tests")
        let script = try String(contentsOf: tests.appending(path: "run"), encoding: .utf8)
        let lists = script.split(separator: "\n").filter {
            $0.firstMatch(of: /^(pure|tried|real)='/) != nil || $0.contains("group faults")
        }
        let listed = Set(lists.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) } + ["FaultTable"])
        var found = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
            guard path.hasSuffix(".swift"), !path.hasPrefix("Support/"), !path.hasPrefix("HouseRulesTests/") else {
                continue
            }
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            let triesMore = ["Thoroughness.", ".onlyInCheck", ".bothStores(quick:"].contains { text.contains($0) }
            guard triesMore else { continue }
            found += 1
            let suites = text.matches(of: /(?:struct|enum|class) (\w+)/).map { String($0.1) }
            let target = String(path.prefix { $0 != "/" })
            #expect(
                suites.contains { listed.contains($0) } || listed.contains(target), "Tests/run does not know \(path)")
        }
        #expect(found > 10)
    }

    /// With this setting a C type in a public signature doesn't compile, so every target must have it.
    @Test func everyTargetKeepsItsImportsInternal() throws {
        let manifest = Self.package.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        #expect(text.contains(".enableUpcomingFeature(\"InternalImportsByDefault\")"))
        let targets = text.components(separatedBy: "arget(").dropFirst().filter { $0.contains("name:") }
        for target in targets where !target.contains("codec-reference") {
            #expect(
                target.contains("swiftSettings: strict"), "a target without the strict settings: \(target.prefix(60))")
        }
    }

    /// C functions are called in one folder for each library, which documents their units, ownership and errors.
    @Test func eachCLibraryHasOneDoor() throws {
        let doors = [
            "CSndFile": "AudioFiles", "CSampleRate": "AudioFiles", "COpus": "AudioFiles", "COgg": "AudioFiles",
            "CMPG123": "AudioFiles",
            "CCrypto": "SystemSupport", "CZlib": "SystemSupport",
            "CPulse": "PulseRoom",
            "CCurl": "HTTPClient", "CExpat": "XMLFiles", "CPostgres": "ExamStore",
            "CBrotli": "ExamServer", "CMalloc": "ExamServer", "CSandbox": "SystemSupport",
            "CWhisper": "HearingWorker", "CHama": "HearingWorker",
        ]
        let libraries = try FileManager.default.contentsOfDirectory(
            atPath: Self.package.appending(path: "Sources/C").path)
        #expect(Set(libraries) == Set(doors.keys), "a library without a door, or a door without a library")
        for (library, door) in doors {
            let shim = try String(
                contentsOf: Self.package.appending(path: "Sources/C/\(library)/module.modulemap"), encoding: .utf8)
            #expect(shim.contains("module \(library)"))
            let users = Self.mayImport.filter { $0.value.contains(library) }.keys
            #expect(Set(users) == [door])
        }
    }

    @Test func noFileIsTooLongToRead() throws {
        for target in Self.mayImport.keys {
            for (name, text) in try Self.files(of: target) {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
                // The longest file of FlyingFox has 418 lines.
                #expect(lines <= 420, "\(name) has \(lines) lines")
            }
        }
    }
}
