/// Papers made for users: drawn from a bank, or written by a model.
extension Schema {
    static let papers = [
        // Documents are JSON that the store does not read. A paper with neither contents nor a failure may be claimed
        // for writing if no worker's lease is valid. `until` is the end of `worker`'s lease in seconds since 1970, by
        // the database's own clock.
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
