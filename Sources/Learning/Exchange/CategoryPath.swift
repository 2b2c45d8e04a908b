import Papers

/// The path of a Moodle category, whose last part is the topic of the questions after it.
enum CategoryPath {
    /// Returns the path of a category in these categories, the outermost first.
    static func path(_ names: [String]) -> String {
        let parts = names.map { $0.importLines.joined(separator: " ").replacing("/", with: "//") }
        return "$course$/top/" + parts.joined(separator: "/")
    }

    /// Returns the topic of a category: `$course$/top/Kitchen/Knives` → knives. `//` stands for a slash in a name.
    static func topic(of category: some StringProtocol) -> String? {
        let whole = String(category).replacing("//", with: "\u{0}")
        let last = whole.split(separator: "/").last.map { String($0[...].trimmed).replacing("\u{0}", with: "/") } ?? ""
        // The course itself and its top category are not topics.
        return last.isEmpty || last == "top" || last.hasPrefix("$") ? nil : last.lowercased()
    }
}
