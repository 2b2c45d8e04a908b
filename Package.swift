// swift-tools-version: 6.2
// Oracy: an IELTS-style speaking-test engine. ARCHITECTURE.md says which target may import what, and why.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// `make quick` builds the tests of a few targets, named here, with what they depend on; nil: all tests.
let chosenTests = Context.environment["ORACY_TESTS"].map { Set($0.split(separator: " ").map(String.init)) }

// What only the server needs: without the trait, neither the tool nor the kit fetches it.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
    name: "oracy",
    products: [
        .library(name: "ExamKit", targets: ["ExamKit", "ExamCore", "SessionFolders", "AudioFiles", "SystemSupport"]),
        .library(name: "ExamCore", targets: ["ExamCore"]),
        .library(name: "PulseRoom", targets: ["PulseRoom"]),
        .library(name: "VoiceActivity", targets: ["VoiceActivity"]),
        .library(name: "Learning", targets: ["Learning", "Papers"]),
        .library(name: "Study", targets: ["Study", "StudyFolders", "SessionFolders"]),
        .library(name: "Assessment", targets: ["Assessment", "Assessors", "Reports"]),
        .library(name: "UploadQueue", targets: ["UploadQueue", "SessionUploads", "Backends", "HTTPClient"]),
        .library(
            name: "ExamServer", targets: ["ExamServer", "ExamNode", "ServerWork", "ExamStore", "RecordingStores"]),
        .executable(name: "oracy", targets: ["oracy"]),
        .executable(name: "oracy-words", targets: ["oracy-words"]),
        .executable(name: "oracy-server", targets: ["oracy-server"]),
    ],
    traits: [
        .trait(name: "Server", description: "ExamServer and oracy-server, and the packages that only they need"),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The server's.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    ],
    targets: [
        .systemLibrary(name: "CSndFile", path: "Sources/C/CSndFile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSampleRate", path: "Sources/C/CSampleRate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "COpus", path: "Sources/C/COpus", providers: [.apt(["libopus-dev"])]),
        // Comes with libsndfile, which needs it for MP3.
        .systemLibrary(name: "CMPG123", path: "Sources/C/CMPG123", providers: [.apt(["libmpg123-dev"])]),
        .systemLibrary(name: "COgg", path: "Sources/C/COgg", providers: [.apt(["libogg-dev"])]),
        .systemLibrary(name: "CCrypto", path: "Sources/C/CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPulse", path: "Sources/C/CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CExpat", path: "Sources/C/CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", path: "Sources/C/CBrotli", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CPostgres", path: "Sources/C/CPostgres", providers: [.apt(["libpq-dev"])]),

        // Loaded while oracy-words runs, from wherever `oracy words install` put them.
        .systemLibrary(name: "CWhisper", path: "Sources/C/CWhisper"),
        .systemLibrary(name: "CHama", path: "Sources/C/CHama"),

        .systemLibrary(name: "CSandbox", path: "Sources/C/CSandbox"),
        .systemLibrary(name: "CMalloc", path: "Sources/C/CMalloc"),

        // Files beside sources go into the programs as text.
        .executableTarget(name: "embed-text", swiftSettings: strict),
        .plugin(
            name: "EmbedText", capability: .buildTool(), dependencies: ["embed-text"], path: "Sources/EmbedText"),

        .target(name: "ExamCore", swiftSettings: strict),
        .target(name: "VoiceActivity", swiftSettings: strict),
        .target(
            name: "Assessment", dependencies: ["ExamCore"], swiftSettings: strict,
            plugins: ["EmbedText"]),
        // Items, the rules for them, and papers made of them; whoever reads files or asks a model is elsewhere.
        .target(
            name: "Papers", dependencies: ["ExamCore", "SystemSupport"], swiftSettings: strict, plugins: ["EmbedText"]),
        // Questions with keys, tests made of them, and what a learner knows of both.
        .target(
            name: "Learning", dependencies: ["ExamCore", "Papers", "SystemSupport"], swiftSettings: strict,
            plugins: ["EmbedText"]),
        // Files, digests, clocks and JSON, without sound: below everything that touches the machine.
        .target(name: "SystemSupport", dependencies: ["CCrypto", "CZlib", "CSandbox"], swiftSettings: strict),
        .target(
            name: "AudioFiles", dependencies: ["CMPG123", "COgg", "COpus", "CSampleRate", "CSndFile", "SystemSupport"],
            swiftSettings: strict),
        // A session's folder, its log and its files, and the shelf of all sessions: below everything that holds an exam.
        .target(
            name: "SessionFolders",
            dependencies: ["Assessment", "AudioFiles", "ExamCore", "SystemSupport"], swiftSettings: strict),
        .target(
            name: "ExamKit",
            dependencies: [
                "AudioFiles", "ExamCore", "SessionFolders", "SystemSupport", "VoiceActivity",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict,
            plugins: ["EmbedText"]
        ),
        .target(
            name: "PulseRoom",
            dependencies: ["SystemSupport", "AudioFiles", "CPulse", "ExamCore", "ExamKit", "VoiceActivity"],
            swiftSettings: strict
        ),
        .target(
            name: "UploadQueue",
            dependencies: ["ExamCore", "SystemSupport", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        // From a session's folder into the queue: apart, so that the queue and the ways to backends are built without sound.
        .target(
            name: "SessionUploads",
            dependencies: ["ExamCore", "SessionFolders", "SystemSupport", "UploadQueue"],
            swiftSettings: strict),
        // The rows, routes and digests that both sides of a wire speak.
        .target(name: "BackendAPI", dependencies: ["ExamCore", "Learning", "SystemSupport"], swiftSettings: strict),
        // libcurl, one thread for all exchanges.
        .target(name: "HTTPClient", dependencies: ["CCurl", "SystemSupport"], swiftSettings: strict),
        .target(
            name: "Backends",
            dependencies: ["BackendAPI", "ExamCore", "HTTPClient", "Learning", "SystemSupport", "UploadQueue"],
            swiftSettings: strict),
        // What a user adds once: the recogniser of words, a voice. Fetched, checked, converted, put in its place.
        .target(
            name: "AddOns",
            dependencies: [
                "HTTPClient", "SystemSupport",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict, plugins: ["EmbedText"]),
        // XML, read by expat.
        .target(name: "XMLFiles", dependencies: ["CExpat", "SystemSupport"], swiftSettings: strict),
        // Language models over HTTP.
        .target(
            name: "TextModels", dependencies: ["HTTPClient", "Learning", "Papers", "SystemSupport"],
            swiftSettings: strict),
        // What assesses recordings and transcripts; one folder a kind.
        .target(
            name: "Assessors",
            dependencies: [
                "Assessment", "AudioFiles", "ExamCore", "HTTPClient", "Hearing", "SystemSupport", "TextModels",
                "VoiceActivity",
            ],
            swiftSettings: strict, plugins: ["EmbedText"]),
        // The worker that hears words, and the lines that it reads and writes.
        .target(
            name: "HearingWorker", dependencies: ["Assessment", "CHama", "CWhisper", "SystemSupport"],
            swiftSettings: strict),
        // Its other side, in the program that wants words.
        .target(
            name: "Hearing", dependencies: ["Assessment", "HearingWorker", "HTTPClient", "SystemSupport"],
            swiftSettings: strict),
        .executableTarget(name: "oracy-words", dependencies: ["HearingWorker"], swiftSettings: strict),
        // An assessment in; HTML, SVG, WebVTT, TextGrid and CSV out.
        .target(
            name: "Reports", dependencies: ["Assessment", "ExamCore", "SystemSupport"], swiftSettings: strict,
            plugins: ["EmbedText"]),
        // What the tool, the page and the server decide about one learner: results, practice, plans; without files, rows and HTTP.
        .target(
            name: "Study", dependencies: ["Assessment", "ExamCore", "Learning", "Reports", "SystemSupport"],
            swiftSettings: strict, plugins: ["EmbedText"]),
        // A learner's exams and practice in files.
        .target(
            name: "StudyFolders",
            dependencies: [
                "Assessment", "Assessors", "AudioFiles", "ExamCore", "ExamKit", "HTTPClient", "Learning", "Reports",
                "SessionFolders", "Study", "SystemSupport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "oracy",
            dependencies: [
                "AddOns", "Assessment", "Assessors", "Hearing", "Learning", "Papers", "Reports", "XMLFiles",
                "ExamCore", "SessionFolders", "Study", "StudyFolders",
                "ExamKit", "PulseRoom", "AudioFiles", "VoiceActivity", "UploadQueue", "SessionUploads", "BackendAPI",
                "Backends",
                "HTTPClient",
                "SystemSupport", "TextModels",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // What a backend keeps, in SQLite or PostgreSQL.
        .target(
            name: "ExamStore",
            dependencies: [
                "Assessment", "CPostgres", "ExamCore", "SystemSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        // Recordings of a server, in a folder or in storage with the S3 interface.
        .target(
            name: "RecordingStores", dependencies: ["HTTPClient", "SystemSupport", server("Crypto", "swift-crypto")],
            swiftSettings: strict),
        // A node of a server: its services, and the live exams that it holds; without HTTP.
        .target(
            name: "ExamNode",
            dependencies: [
                "Assessment", "Assessors", "AudioFiles", "ExamCore", "ExamKit", "ExamStore", "HTTPClient", "Hearing",
                "RecordingStores", "SessionFolders", "SessionUploads", "Study", "SystemSupport", "TextModels",
                "UploadQueue",
                server("Crypto", "swift-crypto"),
                server("Logging", "swift-log"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // The work of a node beside its requests: evaluation, webhooks, seals, generated questions, backups, erasing.
        .target(
            name: "ServerWork",
            dependencies: [
                "Assessment", "Assessors", "ExamCore", "ExamNode", "ExamStore", "HTTPClient", "Hearing", "Learning",
                "Papers", "RecordingStores", "SessionFolders", "Study", "SystemSupport", "TextModels", "UploadQueue",
                server("Crypto", "swift-crypto"),
                server("Logging", "swift-log"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .target(
            name: "ExamServer",
            dependencies: [
                "Assessment", "Assessors", "CBrotli", "CMalloc", "Hearing", "Learning", "Papers", "Reports",
                "BackendAPI",
                "SessionFolders", "ServerWork", "Study",
                "ExamStore",
                "ExamKit",
                "ExamCore",
                "ExamNode",
                "RecordingStores",
                "TextModels",
                "AudioFiles", "UploadQueue",
                "SessionUploads", "HTTPClient", "SystemSupport",
                server("Hummingbird", "hummingbird"),
                server("HummingbirdCore", "hummingbird"),
                server("HummingbirdTLS", "hummingbird"),
                server("NIOCore", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOPosix", "swift-nio"),
                server("NIOWebSocket", "swift-nio"),
                server("NIOSSL", "swift-nio-ssl"),
                server("NIOHTTPTypes", "swift-nio-extras"),
                server("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                server("HTTPTypes", "swift-http-types"),
                server("Logging", "swift-log"),
                server("Crypto", "swift-crypto"),
                server("CryptoExtras", "swift-crypto"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
                server("UnixSignals", "swift-service-lifecycle"),
                server("JWTKit", "jwt-kit"),
            ],
            swiftSettings: strict,
            plugins: ["EmbedText"]
        ),
        .executableTarget(
            name: "oracy-server",
            dependencies: [
                "AddOns", "ExamKit", "ExamNode", "ExamServer", "ExamStore", "Hearing", "RecordingStores", "ServerWork",
                "Study", "SystemSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                server("Logging", "swift-log"),
                server("Crypto", "swift-crypto"),
                server("SwiftASN1", "swift-asn1"),
                server("X509", "swift-certificates"),
            ],
            swiftSettings: strict
        ),

        // How long to wait for a condition, for whatever starts programs and waits for them.
        .target(name: "Waiting", path: "Tests/Support/Waiting", exclude: ["patience.py"], swiftSettings: strict),

        // Sound servers, disks and clocks of their own, for tests and the benchmark.
        .target(
            name: "VirtualDevices", dependencies: ["Waiting"], path: "Tests/Support/VirtualDevices",
            swiftSettings: strict),

        // Servers on this machine's loopback, and a proxy that breaks connections, for tests and the benchmark.
        .target(
            name: "LoopbackServers", dependencies: ["ExamCore", "HTTPClient", "Waiting"],
            path: "Tests/Support/LoopbackServers",
            exclude: ["s3-server.py"], swiftSettings: strict),

        // A Supabase project: sign-in, PostgREST over a real PostgreSQL, storage; for tests, and to try the tool with by hand.
        .target(
            name: "SupabaseStandIn", dependencies: ["ExamStore", "HTTPClient", "LoopbackServers", "SystemSupport"],
            path: "Tests/Support/SupabaseStandIn", swiftSettings: strict, plugins: ["EmbedText"]),

        // What many tests need: how much they try, what they need and how they say that it is missing.
        .target(
            name: "TestSupport", dependencies: ["Waiting"], path: "Tests/Support/TestSupport", swiftSettings: strict),

        // Each test of the server's store, once on SQLite and once on PostgreSQL.
        .target(
            name: "StoreTrials", dependencies: ["ExamStore", "LoopbackServers", "TestSupport"],
            path: "Tests/Support/StoreTrials", swiftSettings: strict),

        // How well a detector hears, by labels: for tests and the benchmark.
        .target(
            name: "DetectorScores", dependencies: ["ExamCore"], path: "Tests/Support/DetectorScores",
            swiftSettings: strict),

        // The benchmark, and the bare library calls it compares with; Peers/ holds other detectors' Python and C.
        .executableTarget(
            name: "oracy-bench",
            dependencies: [
                "SessionFolders", "Study", "StudyFolders", "Assessment", "VirtualDevices", "AudioFiles",
                "VoiceActivity", "DetectorScores",
                "ExamCore", "ExamKit", "ExamStore", "Learning", "Papers", "UploadQueue",
                "Backends", "HTTPClient",
                "LoopbackServers", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                server("Crypto", "swift-crypto"),
            ],
            exclude: ["Pauses", "Peers", "Training"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "codec-reference",
            linkerSettings: ["ogg", "opus", "samplerate", "sndfile"].map { .linkedLibrary($0) }
        ),

        .testTarget(name: "ExamCoreTests", dependencies: ["ExamCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SystemSupportTests", dependencies: ["ExamCore", "SystemSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "VoiceActivityTests",
            dependencies: ["VoiceActivity", "AudioFiles", "DetectorScores", "ExamCore", "ExamKit"],
            swiftSettings: strict),
        .testTarget(
            name: "PapersTests", dependencies: ["ExamCore", "Learning", "Papers", "SystemSupport", "TestSupport"],
            exclude: ["schemas.py"], swiftSettings: strict),
        .testTarget(
            name: "LearningTests",
            dependencies: ["ExamCore", "Learning", "Papers", "Reports", "SystemSupport", "TestSupport", "XMLFiles"],
            exclude: ["Exchange/read_pack.py", "Plan/read_plan.py", "Schedule/histories.py"], swiftSettings: strict),
        .testTarget(
            name: "AssessmentTests",
            dependencies: ["Assessment", "AudioFiles", "ExamCore", "SystemSupport", "TestSupport"],
            exclude: ["Instructions/judged.json", "Instructions/ordinary.json", "Instructions/seen.json"],
            swiftSettings: strict),
        .testTarget(
            name: "AssessorsTests",
            dependencies: [
                "Assessors", "Assessment", "AudioFiles", "ExamCore", "HTTPClient", "Hearing", "HearingWorker",
                "LoopbackServers", "SystemSupport", "TestSupport", "TextModels", "SessionFolders", "StudyFolders",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "Assessment", "AudioFiles", "ExamCore", "TestSupport"],
            swiftSettings: strict),
        // A worker that replays replies, and crashes, hangs and floods on command.
        .executableTarget(
            name: "words-replay", dependencies: ["HearingWorker", "SystemSupport"], path: "Tests/WordsReplay",
            swiftSettings: strict),
        .testTarget(
            name: "HearingTests",
            dependencies: [
                "oracy-words", "words-replay", "Assessment", "Assessors", "AudioFiles", "ExamCore", "Hearing",
                "HearingWorker", "HTTPClient", "SystemSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "DetectorScoresTests", dependencies: ["DetectorScores", "ExamCore"], swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "LoopbackServers", "SystemSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AddOnsTests",
            dependencies: ["AddOns", "ExamCore", "HTTPClient", "LoopbackServers", "SystemSupport", "TestSupport"],
            exclude: ["Models/made_model.py"], swiftSettings: strict),
        .testTarget(name: "XMLFilesTests", dependencies: ["SystemSupport", "XMLFiles"], swiftSettings: strict),
        .testTarget(
            name: "TextModelsTests",
            dependencies: ["HTTPClient", "Learning", "LoopbackServers", "Papers", "SystemSupport", "TextModels"],
            swiftSettings: strict),
        .testTarget(
            name: "BackendAPITests", dependencies: ["BackendAPI", "ExamCore", "Learning", "SystemSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioFilesTests",
            dependencies: ["AudioFiles", "COgg", "CSndFile", "DetectorScores", "TestSupport", "VoiceActivity"],
            exclude: ["Intake/public_files.py", "Opus/ffmpeg.py"], swiftSettings: strict),
        .testTarget(
            name: "ExamKitTests",
            dependencies: [
                "SessionFolders", "Study", "StudyFolders", "Learning", "SystemSupport",
                "Assessment", "Assessors", "ExamKit", "ExamCore", "AudioFiles", "TestSupport", "VirtualDevices",
                "VoiceActivity",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SessionFoldersTests", dependencies: ["ExamCore", "SessionFolders", "SystemSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StudyTests", dependencies: ["Assessment", "ExamCore", "Learning", "Study", "SystemSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StudyFoldersTests",
            dependencies: [
                "Assessment", "ExamCore", "ExamKit", "Learning", "SessionFolders", "Study", "StudyFolders",
                "SystemSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PulseRoomTests",
            dependencies: ["PulseRoom", "AudioFiles", "ExamCore", "TestSupport", "VoiceActivity"], swiftSettings: strict
        ),
        // In real time, with sound servers of their own: one after the other, with nothing else beside them.
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "SessionFolders", "SystemSupport", "Waiting",
                "oracy", "Assessment", "Assessors", "Reports", "PulseRoom", "LoopbackServers", "SupabaseStandIn",
                "TestSupport", "VirtualDevices", "ExamKit",
                "ExamCore", "AudioFiles",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "UploadQueueTests",
            dependencies: [
                "Waiting",
                "UploadQueue", "ExamKit", "ExamCore", "SystemSupport", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
        .testTarget(
            name: "SessionUploadsTests",
            dependencies: [
                "SessionFolders", "Waiting", "SessionUploads", "UploadQueue", "ExamKit", "ExamCore", "SystemSupport",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BackendsTests",
            dependencies: [
                "BackendAPI", "Waiting",
                "Backends", "HTTPClient", "SystemSupport", "UploadQueue", "ExamCore", "ExamKit", "Learning",
                "LoopbackServers",
                "SupabaseStandIn", "TestSupport", "VirtualDevices",
            ],
            swiftSettings: strict),
        // The stand-in for a Supabase project in a process of its own, on this machine.
        .executableTarget(
            name: "supabase-project", dependencies: ["SupabaseStandIn", "LoopbackServers"],
            path: "Tests/SupabaseProject",
            swiftSettings: strict),
        // The queue in a process of its own, to be killed.
        .executableTarget(
            name: "queue-probe", dependencies: ["ExamCore", "SystemSupport", "UploadQueue"],
            path: "Tests/QueueProbe",
            swiftSettings: strict),
        .testTarget(
            name: "UploadQueueFaultTests",
            dependencies: [
                "SystemSupport", "Waiting", "queue-probe", "UploadQueue", "ExamCore", "ExamKit", "TestSupport",
                "VirtualDevices",
            ],
            exclude: ["power-cut-disk.py"], swiftSettings: strict),
        .testTarget(
            name: "ExamStoreTests",
            dependencies: [
                "Waiting", "Assessment", "ExamStore", "ExamCore", "LoopbackServers", "StoreTrials", "TestSupport",
            ],
            exclude: ["Released"], swiftSettings: strict),
        .testTarget(
            name: "ExamServerTests",
            dependencies: [
                "BackendAPI", "Waiting", "oracy-server", "words-replay", "Assessment", "Assessors", "Hearing",
                "HearingWorker", "Learning", "Papers", "ExamNode", "ExamServer", "ServerWork", "ExamStore", "ExamKit",
                "RecordingStores",
                "SessionFolders",
                "Study",
                "StudyFolders",
                "ExamCore", "Reports",
                "AudioFiles", "UploadQueue",
                "Backends", "HTTPClient", "SystemSupport",
                "LoopbackServers", "StoreTrials", "TestSupport", "VirtualDevices", "VoiceActivity",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                server("Hummingbird", "hummingbird"),
                server("HTTPTypes", "swift-http-types"),
                server("Crypto", "swift-crypto"),
                server("JWTKit", "jwt-kit"),
                server("Logging", "swift-log"),
                server("NIOCore", "swift-nio"),
                server("NIOEmbedded", "swift-nio"),
                server("NIOPosix", "swift-nio"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: [
                "Client", "Page", "Webhooks/verify.py", "Uploads/tus-clients.py",
                "Description/schemathesis_hooks.py",
                "Description/schemathesis.toml", "Schools/oidc-server.py",
            ], swiftSettings: strict),
        // Whatever is decoded from outside, in thousands of forms: `make fuzz` does a million under the address sanitizer.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "SessionFolders", "BackendAPI", "Waiting",
                "oracy-server", "ExamNode", "ExamServer", "ServerWork", "ExamStore", "ExamKit", "ExamCore",
                "AudioFiles",
                "UploadQueue",
                "Backends", "HTTPClient", "RecordingStores",
                "SystemSupport", "CSndFile", "StoreTrials", "TestSupport",
                server("Hummingbird", "hummingbird"),
                server("HTTPTypes", "swift-http-types"),
                server("Crypto", "swift-crypto"),
                server("Logging", "swift-log"),
                server("NIOCore", "swift-nio"),
                server("NIOEmbedded", "swift-nio"),
                server("NIOWebSocket", "swift-nio"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ], swiftSettings: strict),
        .testTarget(name: "HouseRulesTests", swiftSettings: strict),
        // Compiles what documents and comments show, so it depends on all that they speak of.
        .testTarget(
            name: "DocumentTests",
            dependencies: [
                "oracy", "Assessment", "Assessors", "Reports", "AudioFiles", "Backends", "ExamCore", "ExamKit",
                "ExamNode", "ExamServer", "ServerWork", "ExamStore", "HTTPClient",
                "PulseRoom", "RecordingStores",
                "SessionUploads", "SystemSupport", "TestSupport", "UploadQueue", "VoiceActivity",
                server("Hummingbird", "hummingbird"),
                server("Logging", "swift-log"),
            ], swiftSettings: strict),
        .testTarget(
            name: "OracyTests",
            dependencies: [
                "oracy", "oracy-server", "words-replay", "Hearing", "Learning", "Papers", "SystemSupport",
                "Assessment", "Assessors", "Reports", "AudioFiles", "Backends", "ExamKit", "ExamCore", "HTTPClient",
                "PulseRoom", "Waiting", "SessionFolders",
                "LoopbackServers", "SessionUploads",
                "SupabaseStandIn", "TestSupport", "UploadQueue", "VirtualDevices",
                "VoiceActivity", "XMLFiles",
            ],
            swiftSettings: strict),
    ]
)

if let chosenTests {
    package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) }
}

// The Makefile names targets that are optimised in debug builds, too, because most of the time of the demo and of the tests is spent in them.
// SwiftPM refuses a dependency with flags of its own, so whoever depends on Oracy does without.
let optimised = (Context.environment["ORACY_OPTIMISED"] ?? "").split(separator: " ").map(String.init)
for target in package.targets where optimised.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"], .when(configuration: .debug))]
}
