public import ExamCore
import Foundation
public import HTTPClient
public import SystemSupport
import UploadQueue

/// The exams that a backend offers, with their questions and recordings. They are fetched, kept on this machine, and
/// used from there if the backend can't be reached.
///
/// ```swift
/// let library = try TemplateLibrary(
///     .backend(url: "https://exams.example.org"), client: CurlClient(), credentials: "/var/lib/exams/credentials.json",
///     folder: "/var/lib/exams/templates")
/// let exam = try await library.exam("Neighbourhoods")
/// print(exam.paper.title)
/// ```
///
/// Every call asks the backend first, and fetches only changes. Recordings are stored by their content. Only the owner
/// can read the files. Call it from any thread. Two programs may share a folder.
public struct TemplateLibrary: Sendable {
    private let source: any TemplateSource
    private let cache: TemplateCache
    private let place: String

    /// - Parameters:
    ///   - credentials: The path of the file that `Destination.signIn` writes.
    ///   - folder: The absolute path of the cache. Each destination and account needs its own.
    /// - Throws: `Problem.malformed` if this kind of destination has no templates.
    public init(
        _ destination: Destination, client: any HTTPExchanging, credentials: String, folder: String
    ) throws(Problem) {
        guard let source = try destination.templateSource(client: client, credentials: credentials) else {
            throw Problem(
                .malformed,
                "\(destination.place): a folder has no exam templates; "
                    + "choose another destination with `oracy uploads to`"
            )
        }
        self.init(source, place: destination.place, folder: folder)
    }

    init(_ source: any TemplateSource, place: String, folder: String) {
        self.source = source
        self.place = place
        cache = TemplateCache(folder: folder)
    }

    /// The progress of fetching.
    public struct Progress: Equatable, Sendable {
        /// The recordings that have been fetched, out of `of` in the exam.
        public var recordings = 0
        public var of = 0
        /// The bytes fetched so far.
        public var byteCount = 0
    }

    /// A template, ready to be held. For `PreparedExam`, pass its format, or `ExamFormat.givenQuestions(for:)` if that
    /// is nil; its paper; and its folder among the `folders`.
    public struct Exam: Sendable {
        public let template: ExamTemplate
        /// Nil if the template has only questions.
        public let format: ExamFormat?
        /// The backend's questions with data that an exam doesn't need: keywords, the usual length of an answer. Empty
        /// if the template is a format and a paper.
        public let questions: [TemplateQuestion]
        public let paper: Paper
        /// The folder of the recordings that the paper names.
        public let folder: String
        /// The time at which the backend was last asked, by this machine's clock.
        public let askedAt: WallTime
        /// The reason why it could not be asked now, in one sentence; nil if it was.
        public let offline: String?
        /// Warnings to show before the exam.
        public let warnings: [String]
    }

    /// A list of templates.
    public struct Listing: Sendable {
        public let templates: [ExamTemplate]
        public let askedAt: WallTime
        /// The reason why the backend could not be asked now, in one sentence; nil if it was.
        public let offline: String?
    }

    /// Returns the templates that are offered, sorted by title.
    ///
    /// - Throws: `Problem`: `unavailable` if the backend can't be asked and there is no cached list; `denied`;
    ///   `unwritable`.
    public func templates() async throws(Problem) -> Listing {
        let templates: [ExamTemplate]
        do throws(DeliveryFailure) {
            templates = try await source.templates()
        } catch {
            guard error.passes, let kept = cache.list() else { throw Problem(error, at: place) }
            return Listing(
                templates: kept.templates, askedAt: WallTime(utc: kept.askedAt) ?? .now,
                offline: Problem(error, at: place).sentence)
        }
        try cache.write(TemplateCache.List(askedAt: WallTime.now.utc, templates: templates))
        return Listing(templates: templates, askedAt: .now, offline: nil)
    }

    /// Returns a template by its id, its title, or an unambiguous beginning of its title. Case does not matter.
    ///
    /// - Parameter report: Called as recordings arrive, on any thread.
    /// - Throws: `Problem`: `missing` if there is no such template, with those that exist; `malformed` if its questions
    ///   don't make an exam; `unavailable` if it can't be fetched and isn't cached; `denied`; `unwritable`.
    public func exam(
        _ name: String, report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(Problem) -> Exam {
        let listing = try await templates()
        let template = try Self.find(name, among: listing.templates, at: place)
        if let offline = listing.offline { return try kept(template, offline) }
        do throws(Obstacle) {
            return try await fetch(template, report)
        } catch {
            switch error {
            case .here(let problem): throw problem
            case .there(let failure) where failure.passes:
                return try kept(template, Problem(failure, at: place).sentence)
            case .there(let failure): throw Problem(failure, at: place)
            }
        }
    }

    // MARK: - Fetching

    /// The reason why a template could not be fetched.
    private enum Obstacle: Error {
        /// A failure of the backend or of the connection.
        case there(DeliveryFailure)
        /// The backend's data don't make an exam, or this machine could not store them.
        case here(Problem)
    }

    private func fetch(
        _ template: ExamTemplate, _ report: @Sendable (Progress) -> Void
    ) async throws(Obstacle) -> Exam {
        let offered = try await asking { () async throws(DeliveryFailure) in try await source.exam(template.id) }
        let earlier = cache.exam(template.id)
        var kept = TemplateCache.Exam(askedAt: WallTime.now.utc, template: template)
        switch offered {
        case .questions(let questions): kept.questions = questions
        case .files(let format, let paper):
            (kept.format, kept.paper) = (
                String(decoding: format, as: UTF8.self), String(decoding: paper, as: UTF8.self)
            )
        }
        // Recordings are fetched only for a valid exam.
        let addresses = try keeping { () throws(Problem) in
            _ = try exam(kept, offline: nil)
            return try kept.addresses()
        }
        var progress = Progress(of: addresses.count)
        report(progress)
        for address in addresses {
            let known = earlier?.recordings[address.name].flatMap { cache.has($0) ? $0 : nil }
            let fetched = try await asking { () async throws(DeliveryFailure) in
                try await source.recording(address, of: template.id, otherThan: known?.etag)
            }
            switch fetched {
            case .unchanged: kept.recordings[address.name] = known
            case .bytes(let bytes, let mediaType, let etag):
                progress.byteCount += bytes.count
                kept.recordings[address.name] = try keeping { () throws(Problem) in
                    try cache.keep(bytes, named: address.name, mediaType: mediaType, etag: etag)
                }
            }
            guard kept.recordings[address.name] != nil else {
                let words = "\(address.name): is reported as unchanged, but was never fetched"
                throw .there(DeliveryFailure(.transient, code: "304", message: words))
            }
            progress.recordings += 1
            report(progress)
        }
        let whole = kept
        return try keeping { () throws(Problem) in
            try cache.write(whole)
            return try exam(whole, offline: nil)
        }
    }

    private func asking<Value: Sendable>(
        _ body: () async throws(DeliveryFailure) -> Value
    ) async throws(Obstacle) -> Value {
        do throws(DeliveryFailure) { return try await body() } catch { throw .there(error) }
    }

    private func keeping<Value>(_ body: () throws(Problem) -> Value) throws(Obstacle) -> Value {
        do throws(Problem) { return try body() } catch { throw .here(error) }
    }

    private func kept(_ template: ExamTemplate, _ offline: String) throws(Problem) -> Exam {
        guard let kept = cache.exam(template.id) else {
            throw Problem(.unavailable, "template \"\(template.title)\" was never fetched; \(offline)")
        }
        return try exam(kept, offline: offline)
    }

    private func exam(_ kept: TemplateCache.Exam, offline: String?) throws(Problem) -> Exam {
        let (format, paper, validation) = try kept.files(in: cache)
        guard validation.isValid else { throw Problem(.malformed, validation.errors.joined(separator: "\n")) }
        return Exam(
            template: kept.template, format: format, questions: kept.questions ?? [], paper: paper,
            folder: cache.folder,
            askedAt: WallTime(utc: kept.askedAt) ?? .now, offline: offline, warnings: validation.warnings)
    }

    // MARK: - By name

    static func find(
        _ name: String, among templates: [ExamTemplate], at place: String
    ) throws(Problem) -> ExamTemplate {
        if let id = UUID(uuidString: name) {
            if let found = templates.first(where: { $0.id == id }) { return found }
        } else {
            let wanted = name.lowercased()
            let same = templates.filter { $0.title.lowercased() == wanted }
            let begun = templates.filter { $0.title.lowercased().hasPrefix(wanted) }
            if same.count == 1 { return same[0] }
            if same.isEmpty, begun.count == 1 { return begun[0] }
            if same.count > 1 || begun.count > 1 {
                throw Problem(
                    .missing, "template \"\(name)\": several at \(place) have this name; use an id (oracy templates)")
            }
        }
        let known = templates.isEmpty ? "none" : templates.map { "\"\($0.title)\"" }.joined(separator: ", ")
        throw Problem(.missing, "template \"\(name)\": does not exist at \(place), which offers \(known)")
    }
}

extension DeliveryFailure {
    /// Whether the failure says nothing about the request, so that cached data may be used meanwhile.
    var passes: Bool { [.unreachable, .transient, .timedOut].contains(kind) }
}
