/// The version that `oracy --version` and `oracy-server --version` print, and that servers receive with requests.
package enum OracyVersion {
    /// The version as semver.org defines it and CHANGELOG.md lists it.
    package static let text = "1.0.0"
}
