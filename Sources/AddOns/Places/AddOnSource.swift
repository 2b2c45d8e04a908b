package import SystemSupport

/// A place that has the files of add-ons.
package protocol AddOnSource: Sendable {
    /// The name for people: "PyPI", "huggingface.co", a folder's path.
    var name: String { get }

    /// Returns the reason why the source has no such file, if it knows that without trying. Otherwise nil.
    func lacks(_ file: AddOnFile) -> String?

    /// Fetches a file. A later call continues what an earlier one left, if the source can do that.
    ///
    /// - Parameters:
    ///   - path: the place for the whole file. It is written only with the right content.
    ///   - received: called with the number of bytes so far, on any thread.
    /// - Throws: `Problem` if the file cannot be fetched. A cancelled task throws, too.
    func fetch(
        _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
    ) async throws(Problem)
}

extension AddOnSource {
    package func lacks(_ file: AddOnFile) -> String? { nil }
}

/// Fetches packages from one place and models from another.
package struct TwoSources: AddOnSource {
    private let packages, models: any AddOnSource

    package init(packages: any AddOnSource, models: any AddOnSource) {
        self.packages = packages
        self.models = models
    }

    package var name: String { "\(packages.name) and \(models.name)" }

    package func fetch(
        _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
    ) async throws(Problem) {
        let source = file.address == nil ? packages : models
        try await source.fetch(file, to: path, received)
    }
}
