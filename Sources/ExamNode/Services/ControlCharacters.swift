extension Unicode.Scalar {
    /// Whether it is a control character. These cannot be shown or spoken, and PostgreSQL cannot store all of them.
    package var isControl: Bool { value < 32 || (127...159).contains(value) }
}
