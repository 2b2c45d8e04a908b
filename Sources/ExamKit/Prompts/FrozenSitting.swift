package import ExamCore
import SessionFolders
import SystemSupport

extension FrozenExam {
    package init(_ sitting: PreparedExam) {
        self.init(format: sitting.format, paper: sitting.paper, options: sitting.script.options)
    }
}

extension SessionFolder {
    /// Writes `exam.json`.
    ///
    /// - Returns: The SHA-256 of the file.
    func freeze(_ sitting: PreparedExam) throws(Problem) -> String {
        let bytes = FrozenExam(sitting).bytes
        try PrivateFile.replace(exam, with: bytes)
        return SHA256.hexadecimal(of: bytes)
    }
}
