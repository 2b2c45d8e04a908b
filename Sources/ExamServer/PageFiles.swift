extension PageRoutes {
    /// Every file of the page, by its name: nothing else can be asked for.
    static let files: [String: [UInt8]] = [
        "index.html": PackageResources.index_html
    ]
}
