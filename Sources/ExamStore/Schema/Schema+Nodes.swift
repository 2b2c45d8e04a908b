extension Schema {
    /// Which nodes are there: for whoever runs them, and so that two of one name notice each other. `seen_at` is seconds since 1970, by the
    /// database's own clock.
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
