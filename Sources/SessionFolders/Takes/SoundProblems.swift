public import AudioFiles
public import SystemSupport

extension Problem {
    /// Converts an error of a sound file into a problem for the user.
    public init(_ error: SoundFileError) {
        switch error.kind {
        case .missing: self.init(.missing, error.description)
        case .unusable: self.init(.malformed, error.description)
        case .unwritable: self.init(.unwritable, error.description)
        }
    }
}

/// Runs code that uses sound files, and converts its errors to `Problem`.
package func withSound<Value>(_ body: () throws(SoundFileError) -> Value) throws(Problem) -> Value {
    do throws(SoundFileError) {
        return try body()
    } catch {
        throw Problem(error)
    }
}
