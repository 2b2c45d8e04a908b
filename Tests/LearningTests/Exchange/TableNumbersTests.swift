import Papers
import Testing

@testable import Learning

/// Tests of numbers as spreadsheets of different countries display them.
@Suite struct TableNumbersTests {
    @Test(
        arguments: [
            (["1,500", "2.5"], 1500.0), (["1,500", "0,5"], 1.5), (["1.500", "0,5"], 1500), (["1.500", "2.5"], 1.5),
            (["1.500"], 1.5), (["12,5"], 12.5), (["1,234,567"], 1_234_567), (["1.234.567"], 1_234_567),
            (["1,234.5"], 1234.5), (["1.234,5"], 1234.5), (["1 234,5"], 1234.5), (["1'234.5"], 1234.5),
            (["-0.125"], -0.125),
            (["1e3"], 1000), (["0,125"], 0.125),
        ] as [([String], Double)]) func numbersFollowTheOthersOfTheirTable(_ cells: [String], _ value: Double)
    {
        #expect(TableNumbers(cells, pointsMayGroup: false).reading(of: cells[0]) == .number(value))
    }

    @Test func numbersWithTwoMeaningsAreNotGuessed() {
        #expect(TableNumbers(["1,500"], pointsMayGroup: false).reading(of: "1,500") == .either(1500, 1.5))
        #expect(TableNumbers(["1.500"], pointsMayGroup: true).reading(of: "1.500") == .either(1500, 1.5))
        // The table contradicts itself.
        #expect(TableNumbers(["0,5", "0.5"], pointsMayGroup: false).reading(of: "1,500") == .either(1500, 1.5))
    }

    @Test(arguments: ["three", "", "12%", "$5", "1,2,3", "1.2.3", "12:30", "1,50.000,5"])
    func otherTextsAreNoNumbers(_ cell: String) {
        #expect(TableNumbers([cell], pointsMayGroup: false).reading(of: cell) == .none)
    }

    @Test func aTableAsksForTheMeaning() {
        let reader = PackTableReader(Array("prompt,value\nHow much is it?,\"1,500\"\nAnd this?,2\n".utf8))
        #expect(reader.questions.count == 1)
        #expect(reader.mistakes.map(\.what) == ["can mean 1500 or 1.5: write one of them like this"])
    }
}
