public import AudioFiles
public import SystemSupport

extension Problem {
    /// What is wrong with a sound file, as a user is told.
    public init(_ error: SoundFileError) {
        switch error.kind {
        case .missing: self.init(.missing, error.description)
        case .unusable: self.init(.malformed, error.description)
        case .unwritable: self.init(.unwritable, error.description)
        }
    }
}

/// Does something with sound files; what goes wrong is a `Problem`.
func withSound<Value>(_ body: () throws(SoundFileError) -> Value) throws(Problem) -> Value {
    do throws(SoundFileError) {
        return try body()
    } catch {
        throw Problem(error)
    }
}
