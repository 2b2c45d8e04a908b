import ExamCore
import Foundation
import GRDB
import SystemSupport

/// The representation of sessions and uploads in the columns of a journal.
///
/// SQLite notices a damaged page only if its structure suffers. Each line therefore ends with a checksum of everything
/// that was known when it was added. Columns that change during delivery (state, attempts, note …) aren't covered.
extension Journal {
    /// The columns that `upload(in:)` reads.
    static let whole = "\(sessionColumns), \(uploadColumns)"
    /// The tables with these columns.
    static let joined = "upload LEFT JOIN session ON session.number = upload.session"

    static let sessionColumns = "session.id AS owner, name, format, paper, started, session.checksum AS owner_checksum"
    static let uploadColumns = """
        upload.id, stage, answer, path, bytes, sha256, media, goes, completed, outcome, answers, upload.checksum
        """
    // The number of columns without their checksums.
    private static let (sessionWidth, uploadWidth) = (5, 11)
    /// An upload's columns, its checksum, and the columns that `insertLine` adds.
    private static let insertedWidth = uploadWidth + 4

    /// Returns the values of a session's line. The last one is its checksum.
    static func values(of session: SessionFacts) -> [DatabaseValue] {
        var values = [session.id.uuidString, session.name, session.format, session.paper, session.startedAt].map(
            \.databaseValue)
        values.append(Checksum.value(over: values).databaseValue)
        return values
    }

    /// Returns the values of an upload's line. The last one is its checksum.
    static func values(of upload: Upload) -> [DatabaseValue] {
        var (answer, completion): (String?, CompletionFacts?)
        switch upload.content {
        case .session: break
        case .answer(let record, _): answer = text(of: record)
        case .completion(let facts): completion = facts
        case .submission(let body): answer = body
        }
        let file = upload.file
        // Added one by one in SQLite's own type: existential boxes would cost more time than SQLite itself.
        var values: [DatabaseValue] = []
        values.reserveCapacity(insertedWidth)
        func add(_ value: (some DatabaseValueConvertible)?) { values.append(value?.databaseValue ?? .null) }
        add(upload.id.uuidString)
        add(upload.stage.rawValue)
        add(answer)
        add(file?.path)
        add(file?.byteCount ?? 0)
        add(file?.sha256)
        add(file?.mediaType)
        add(file?.goesWhenDelivered ?? false)
        add(completion?.completedAt)
        add(completion?.outcome)
        add(completion?.answers)
        add(Checksum.value(over: values, of: upload.session.number))
        return values
    }

    /// Returns the facts in a row that begins with `sessionColumns`; nil if they are damaged.
    static func session(in row: Row) -> SessionFacts? {
        var checksum = Checksum()
        for place in 0..<sessionWidth { checksum.mix(row[place]) }
        func text(_ place: Int) -> String { row.value(at: place) ?? "" }
        guard row.value(at: sessionWidth) == checksum.value, let id = UUID(uuidString: text(0)) else { return nil }
        return SessionFacts(id: id, name: text(1), format: text(2), paper: text(3), startedAt: text(4))
    }

    /// Returns the upload in a row of `whole`; nil if its line or its session's is damaged.
    static func upload(in row: Row) -> Upload? {
        session(in: row).flatMap { upload(in: row, at: sessionWidth + 1, of: $0) }
    }

    /// Returns the upload in a row that has `uploadColumns` from a given index.
    static func upload(in row: Row, at first: Int, of session: SessionFacts) -> Upload? {
        guard isWhole(row, at: first, of: session.number) else { return nil }
        func text(_ place: Int) -> String { row.value(at: first + place) ?? "" }
        func number(_ place: Int) -> Int { row.value(at: first + place) ?? 0 }
        guard let id = UUID(uuidString: text(0)), let stage = Upload.Stage(rawValue: number(1)) else { return nil }
        let content: Upload.Content
        switch stage {
        case .session: content = .session
        case .answer:
            guard let record = answer(in: text(2)) else { return nil }
            content = .answer(
                record,
                UploadFile(
                    path: text(3), byteCount: number(4), sha256: text(5), mediaType: text(6),
                    goesWhenDelivered: number(7) == 1))
        case .completion:
            content = .completion(
                CompletionFacts(completedAt: text(8), outcome: row.value(at: first + 9), answers: number(10)))
        case .submission: content = .submission(text(2))
        }
        return Upload(id: id, session: session, content: content)
    }

    // MARK: Answers' records as JSON

    private static let (encoder, decoder) = (JSONEncoder(), JSONDecoder())

    static func text(of record: AnswerRecord) -> String {
        // Encoding fails only for values that JSON can't represent, such as infinity. A record contains none.
        (try? encoder.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns the record; nil if it is damaged.
    private static func answer(in text: String) -> AnswerRecord? {
        try? decoder.decodeForeign(AnswerRecord.self, from: Data(text.utf8))
    }

    /// Returns whether a line is intact, in a row that has `uploadColumns` from a given index.
    static func isWhole(_ row: Row, at first: Int, of session: Int64) -> Bool {
        var checksum = Checksum(of: session)
        for place in first..<first + uploadWidth { checksum.mix(row[place]) }
        return row.value(at: first + uploadWidth) == checksum.value
    }
}

extension SessionFacts {
    /// The session's number in a journal: the first 62 bits of its random id, so that it needs no look-up.
    var number: Int64 {
        let id = id.uuid
        let bytes = [id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7]
        return bytes.reduce(0) { $0 << 8 | Int64($1) } & ((1 << 62) - 1)
    }
}

/// FNV-1a over the values of a line (64 bits; Fowler, Noll, Vo). Changing a single byte always changes it.
///
/// It protects against failing disks, not against people: anyone who can write to a journal can write a checksum.
/// Recordings have their SHA-256.
struct Checksum {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    var value: Int64 { Int64(bitPattern: hash) }

    /// - Parameter session: The number of the session that a line belongs to.
    init(of session: Int64 = 0) {
        mix(session.databaseValue)
    }

    /// Returns the checksum of a whole line.
    static func value(over values: [DatabaseValue], of session: Int64 = 0) -> Int64 {
        var checksum = Checksum(of: session)
        for value in values { checksum.mix(value) }
        return checksum.value
    }

    mutating func mix(_ value: DatabaseValue) {
        switch value.storage {
        case .null: mix(byte: 0)
        case .int64(let number): mix(1, UInt64(bitPattern: number))
        case .double(let number): mix(2, number.bitPattern)
        case .string(let text):
            mix(3, UInt64(text.utf8.count))
            mix(text.utf8)
        case .blob(let data):
            mix(4, UInt64(data.count))
            mix(data)
        }
    }

    private mutating func mix(_ kind: UInt8, _ number: UInt64) {
        mix(byte: kind)
        for shift in stride(from: 0, to: 64, by: 8) { mix(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func mix(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { mix(byte: byte) }
    }

    private mutating func mix(byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
