extension Schema {
    /// The running nodes, for operators, and for detecting two nodes with the same name. `seen_at` is seconds since
    /// 1970 by the database's own clock.
    static let nodes = [
        """
        CREATE TABLE nodes (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          url TEXT,
          seen_at {real} NOT NULL) {strict}
        """
    ]
}
