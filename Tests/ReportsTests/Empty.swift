@testable import Reports
