import UploadQueue

/// A person's names and picture at a backend.
public struct AccountProfile: Codable, Equatable, Sendable {
    public var username: String?
    public var fullName: String?
    /// The picture's address, if there is a picture.
    public var picture: String?

    public init(username: String? = nil, fullName: String? = nil, picture: String? = nil) {
        self.username = username
        self.fullName = fullName
        self.picture = picture
    }
}

/// A person's picture: the bytes of the file and its type.
public struct ProfilePicture: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"

        /// The extension of a file's name.
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

    /// One megabyte. A profile picture needs no more.
    public static let largest = 1 << 20

    /// Creates a picture from its bytes. Nil if they aren't PNG, JPEG or WebP. The first bytes decide, not the file's
    /// name.
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

/// A store of profiles.
protocol ProfileKeeper: Sendable {
    /// Reads the signed-in user's profile. It is empty if it does not exist yet.
    func read() async throws(DeliveryFailure) -> AccountProfile

    /// Changes the fields that aren't nil.
    func change(_ profile: AccountProfile, picture: ProfilePicture?) async throws(DeliveryFailure)
}
