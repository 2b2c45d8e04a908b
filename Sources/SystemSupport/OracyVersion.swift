/// What `oracy --version` and `oracy-server --version` print, and what servers are told who is asking.
package enum OracyVersion {
    /// By semver.org, as CHANGELOG.md has it.
    package static let text = "1.0.0"
}
