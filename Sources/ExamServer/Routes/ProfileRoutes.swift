import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import RecordingStores
import ServerWork
import SystemSupport

/// Routes for a user's own profile: names and a picture. Only that user can use them.
struct ProfileRoutes: Sendable {
    let services: Services

    /// The maximum size of a picture in bytes.
    static let mostBytes = 1 << 20

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/profile", use: profile)
        routes.put("v1/profile", use: putProfile)
        routes.delete("v1/profile", use: erase)
        routes.put("v1/profile/picture", use: putPicture)
        routes.get("v1/profile/picture", use: picture)
    }

    private struct Told: Encodable, Sendable {
        var user: LowercaseID
        var username, fullName: String?
        /// The address of the picture. Absent without a picture.
        var picture: String?
        var updatedAt: String?

        init(_ user: UUID, _ profile: Profile) {
            self.user = LowercaseID(user)
            username = profile.username
            fullName = profile.fullName
            picture = profile.picture.map { _ in "/v1/profile/picture" }
            updatedAt = profile.updatedAt
        }
    }

    @Sendable private func profile(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let owned = services.owned(by: try context.requireUser())
        return Answer(Told(owned.user, try await owned.profile()))
    }

    @Sendable private func putProfile(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Names: Decodable {
            var username, fullName: String?
        }
        let owned = services.owned(by: try context.requireUser())
        let names = try await request.json(Names.self, context)
        if let name = names.username { try Field.text(name, "username", atMost: 100) }
        if let name = names.fullName { try Field.text(name, "fullName", atMost: 200) }
        try await owned.put(Profile(username: names.username, fullName: names.fullName))
        return Answer(Told(owned.user, try await owned.profile()))
    }

    /// Erases the profile. The picture's object is erased first, so that an interrupted client can try again.
    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        try await services.objects { audio throws(AudioStoreError) in
            try await audio.removeAll(of: AudioKey.profile(of: owned.user), user: owned.user)
        }
        try await owned.eraseProfile()
        return HTTPResponse.Status.noContent
    }

    // MARK: - The picture

    @Sendable private func putPicture(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard let kind = request.headers[.contentType].flatMap(PictureKind.init(field:)) else {
            throw APIProblem(
                .unsupportedMediaType, "media-type", "Wrong type", "A picture is image/png, image/jpeg or image/webp.")
        }
        let bytes = try await body(of: request)
        let digest = SHA256.hexadecimal(of: bytes)
        let key = AudioKey(picture: digest, kind, of: owned.user)
        let file = try await ReceivedFile.take(bytes, folder: services.settings.uploadFolder)
        try await services.objects { audio throws(AudioStoreError) in
            try await file.put(into: audio, as: key, mediaType: kind.rawValue)
        }
        try await owned.put(picture: key.text)
        // Removes earlier pictures. One that cannot be removed now is removed with the next picture, or with the
        // profile.
        let there = (try? await services.audio.keys(of: AudioKey.profile(of: owned.user), user: owned.user)) ?? []
        for old in there where old != key { try? await services.audio.delete(old) }
        return HTTPResponse.Status.noContent
    }

    private func body(of request: Request) async throws(APIProblem) -> [UInt8] {
        let tooLarge = APIProblem(
            .contentTooLarge, "too-large", "Too large", "A picture can have at most \(Self.mostBytes >> 20) MB.")
        guard request.headers[.contentLength].flatMap({ Int($0) }) ?? 0 <= Self.mostBytes else { throw tooLarge }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.mostBytes)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw tooLarge
        } catch {
            throw .malformed("The connection broke before the end of the body.")
        }
        guard body.readableBytes > 0 else { throw .malformed("The body is empty: there is no picture.") }
        return Array(body.readableBytesView)
    }

    @Sendable private func picture(_ request: Request, _ context: ServerContext) async throws -> Response {
        let owned = services.owned(by: try context.requireUser())
        guard let key = try await owned.profile().picture.flatMap(AudioKey.init), let kind = PictureKind(of: key) else {
            throw APIProblem.missing("picture")
        }
        let bytes: [UInt8]
        do {
            bytes = try await services.audio.bytes(of: key)
        } catch let error as AudioStoreError {
            guard error.kind == .missing else { throw APIProblem(error) }
            throw APIProblem.missing("picture")
        }
        return request.tagged(bytes, kind.rawValue)
    }
}

/// The accepted kinds of pictures: those that every browser shows and that cannot contain a program.
enum PictureKind: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"

    init?(field: String) {
        self.init(rawValue: field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased())
    }

    init?(of key: AudioKey) {
        guard let kind = Self.allCases.first(where: { key.text.hasSuffix(".\($0)") }) else { return nil }
        self = kind
    }
}

extension AudioKey {
    /// Creates the key of a picture from its digest.
    init(picture sha256: String, _ kind: PictureKind, of user: UUID) {
        self = AudioKey(Self.prefix(of: Self.profile(of: user), user: user) + "picture-\(sha256.prefix(32)).\(kind)")!
    }
}
