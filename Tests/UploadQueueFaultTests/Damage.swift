import ExamCore
import Foundation
import Testing

@testable import queue_probe

/// The kinds of damage to a queue's files while no program is running.
enum Damage: CaseIterable, Sendable {
    case bitInJournal, bitsInJournal, pageOfJournal, anIndex, shortJournal, emptyJournal, garbage
    case bitInLog, shortLog, garbageLog, bitInJournalBesideLog
    case bitInRecording, missingRecording

    /// Whether it affects a journal that was left with a write-ahead log.
    var besideLog: Bool {
        switch self {
        case .bitInLog, .shortLog, .garbageLog, .bitInJournalBesideLog: true
        default: false
        }
    }

    /// - Parameter chance: Decides the place.
    func `do`(to home: ProbeHome, _ chance: inout SplitMix64) throws {
        switch self {
        case .bitInJournal, .bitInJournalBesideLog: try Self.flip(1, in: home.journal, &chance)
        case .bitsInJournal: try Self.flip(12, in: home.journal, &chance)
        case .pageOfJournal: try Self.overwrite(home.journal) { 1 + chance.below(max($0.count / Self.page - 1, 1)) }
        case .anIndex:
            // The pages of an index begin with 10 (a leaf) or 2 (SQLite's file format, 1.6). Page 1 is of another kind.
            try Self.overwrite(home.journal) { bytes in
                (1..<(bytes.count / Self.page)).first { [2, 10].contains(bytes[$0 * Self.page]) } ?? 1
            }
        case .shortJournal: try Self.cut(home.journal, &chance)
        case .emptyJournal: try Data().write(to: URL(filePath: home.journal))
        case .garbage: try Self.scramble(home.journal, &chance)
        case .bitInLog: try Self.flip(1, in: home.journal + "-wal", &chance)
        case .shortLog: try Self.cut(home.journal + "-wal", &chance)
        case .garbageLog: try Self.scramble(home.journal + "-wal", &chance)
        case .bitInRecording: try Self.flip(1, in: ProbeSession(3, goes: false).path(1, in: home), &chance)
        case .missingRecording: unlink(ProbeSession(3, goes: false).path(1, in: home))
        }
    }

    /// The size of SQLite's pages in bytes.
    private static let page = 4_096

    private static func change(_ path: String, _ body: (inout Data) throws -> Void) throws {
        var bytes = try #require(FileManager.default.contents(atPath: path))
        try body(&bytes)
        try bytes.write(to: URL(filePath: path))
    }

    private static func flip(_ count: Int, in path: String, _ chance: inout SplitMix64) throws {
        try change(path) { bytes in
            for _ in 1...count { bytes[chance.below(bytes.count)] ^= 1 << UInt8(chance.below(8)) }
        }
    }

    private static func overwrite(_ path: String, page number: (Data) -> Int) throws {
        try change(path) { bytes in
            let start = number(bytes) * page
            bytes.replaceSubrange(start..<min(start + page, bytes.count), with: Data(repeating: 0xA5, count: page))
        }
    }

    private static func cut(_ path: String, _ chance: inout SplitMix64) throws {
        try change(path) { $0 = $0.prefix(chance.below($0.count)) }
    }

    private static func scramble(_ path: String, _ chance: inout SplitMix64) throws {
        try change(path) { bytes in bytes = Data((0..<bytes.count).map { _ in UInt8(chance.below(256)) }) }
    }
}
