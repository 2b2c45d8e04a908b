import UploadQueue

/// What a person is called at a backend, and their picture (D1).
public struct AccountProfile: Codable, Equatable, Sendable {
    public var username: String?
    public var fullName: String?
    /// The picture's address; nil if there is no picture.
    public var picture: String?

    public init(username: String? = nil, fullName: String? = nil, picture: String? = nil) {
        self.username = username
        self.fullName = fullName
        self.picture = picture
    }
}

/// A picture of a person: a file of bytes, and what kind of picture it is.
public struct ProfilePicture: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"

        /// What a file's name ends in.
        var suffix: String {
            switch self {
            case .png: "png"
            case .jpeg: "jpg"
            case .webp: "webp"
            }
        }
    }

    public let bytes: [UInt8]
    public let kind: Kind

    /// One megabyte: a picture beside a name needs no more.
    public static let largest = 1 << 20

    /// nil where the bytes are no PNG, JPEG or WebP: told by how they begin, whatever the file is called.
    public init?(_ bytes: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            kind = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            kind = .jpeg
        } else if has("RIFF"), has("WEBP", at: 8) {
            kind = .webp
        } else {
            return nil
        }
        self.bytes = bytes
    }
}

/// Where a profile is kept.
protocol ProfileKeeper: Sendable {
    /// Reads the signed-in user's profile; it is empty if it does not exist yet.
    func read() async throws(DeliveryFailure) -> AccountProfile

    /// Changes what is not nil.
    func change(_ profile: AccountProfile, picture: ProfilePicture?) async throws(DeliveryFailure)
}
