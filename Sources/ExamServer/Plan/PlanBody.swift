import Foundation
import HTTPTypes
import Hummingbird
import Learning
import SystemSupport

/// The versions in which plans and prep packs travel to clients that store them themselves.
enum PlanVersion: Int {
    /// Tasks and milestones are texts, and days have short names: see `BriefPlan` and `BriefPrep`.
    case brief = 1
    /// Tasks can be run and state their reasons: `StudyPlan` and `PrepPack`.
    case full = 2
}

/// A body with a profile, and the version of the answer: the one that the client asks for (`Accept: application/json;
/// version=1`), otherwise the one of its days, 1 for `Mon` and 2 for `Monday`.
struct PlanBody {
    let version: PlanVersion
    private let bytes: Data

    /// Reads the body.
    ///
    /// - Parameter field: the field with the profile. Nil if the body is the profile.
    /// - Throws: `APIProblem`: 415, 413, and 400 for a body that is not JSON.
    init(_ request: Request, _ context: ServerContext, profile field: String? = nil) async throws {
        let sent = try await request.jsonText(context)
        var body = try Request.decoded(CanonicalJSON.self, from: sent)
        let areShort = body.writeDaysInFull(of: field)
        version = Self.asked(request.headers[values: .accept]) ?? (areShort ? .brief : .full)
        bytes = areShort ? Data(body.written.utf8) : sent
    }

    /// Decodes the body, with all days in full.
    ///
    /// - Throws: `APIProblem` 400 with the missing or mistyped field.
    func decoded<Value: Decodable>(_ type: Value.Type) throws(APIProblem) -> Value {
        try Request.decoded(type, from: bytes)
    }

    /// The profile, if the body is one. A client of the brief version prepares for interviews, and cannot say so.
    ///
    /// - Throws: `APIProblem` 400 with the wrong field.
    func profile() throws(APIProblem) -> LearnerProfile {
        let profile = try decoded(LearnerProfile.self)
        if let fault = profile.fault { throw .malformed("\(fault).") }
        return version.completed(profile)
    }

    private static func asked(_ accept: [String]) -> PlanVersion? {
        accept.joined(separator: ",").firstMatch(of: /;\s*version\s*=\s*"?([12])"?\s*(?:[;,]|$)/)
            .flatMap { Int($0.1) }.flatMap(PlanVersion.init)
    }
}

extension PlanVersion {
    /// Returns the profile with the occasion that this version's clients mean.
    func completed(_ profile: LearnerProfile) -> LearnerProfile {
        guard self == .brief, profile.format == nil else { return profile }
        var profile = profile
        profile.format = .interview
        return profile
    }
}

extension Weekday {
    /// `Mon`.
    var short: String { String(rawValue.prefix(3)) }

    /// Reads a short name. Nil for any other text.
    fileprivate init?(short: String) {
        guard let day = Self.allCases.first(where: { $0.short == short }) else { return nil }
        self = day
    }
}

extension CanonicalJSON {
    /// The fields of an object. Empty for any other value.
    var fields: [String: CanonicalJSON] { if case .object(let fields) = self { fields } else { [:] } }

    /// Replaces short names among a profile's available days.
    ///
    /// - Parameter field: the field with the profile. Nil if this is the profile.
    /// - Returns: whether all its days were short. Otherwise nothing changes.
    fileprivate mutating func writeDaysInFull(of field: String?) -> Bool {
        guard case .object(var fields) = self else { return false }
        if let field {
            guard var profile = fields[field], profile.writeDaysInFull(of: nil) else { return false }
            fields[field] = profile
        } else {
            guard case .list(let days) = fields["availableDays"], !days.isEmpty else { return false }
            let known = days.compactMap { day in
                if case .text(let name) = day { Weekday(short: name) } else { nil }
            }
            guard known.count == days.count else { return false }
            fields["availableDays"] = .list(known.map { .text($0.rawValue) })
        }
        self = .object(fields)
        return true
    }
}
