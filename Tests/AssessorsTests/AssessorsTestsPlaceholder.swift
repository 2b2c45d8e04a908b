import Testing

@testable import Assessors
