import Glibc

/// Returns the operating system's words for an error number, for the middle of a sentence: "no such file or directory".
package func systemWords(_ code: Int32) -> String {
    let words = String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
}
