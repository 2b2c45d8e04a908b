import CPostgres
import GRDB
func version() -> Int32 { PQlibVersion() }
