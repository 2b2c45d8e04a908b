/// Papers that users had made for them: drawn, or being written by a model.
extension Schema {
    static let papers = [
        // Documents are JSON of who makes papers, and opaque here. Written: until `worker`'s lease ends at `until`, seconds since 1970 by the
        // database's own clock, or where there is neither a paper nor a failure, by whoever claims it.
        """
        CREATE TABLE papers (
          id {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          format TEXT NOT NULL,
          title TEXT NOT NULL,
          request TEXT NOT NULL,
          by_model {bool} NOT NULL,
          writing TEXT,
          paper TEXT,
          shortfalls TEXT,
          failure TEXT,
          created_at {time} NOT NULL,
          worker {uuid},
          until {real}) {strict}
        """,
        "CREATE INDEX papers_by_user ON papers (user_id, created_at)",
        "CREATE INDEX papers_to_write ON papers (created_at) WHERE paper IS NULL AND failure IS NULL",
    ]
}

extension RowLevelSecurity {
    static let papers = wall("papers") + ["CREATE POLICY owner ON papers USING (user_id = (SELECT oracy_user()))"]
}
