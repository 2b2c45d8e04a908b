import AddOns
import Learning
import Reports
import SystemSupport
import XMLFiles

/// A workbook of Excel, LibreOffice or Google Sheets (`.xlsx`: Office Open XML, ECMA-376): a zip archive with a sheet of
/// cells in each of its XML files. Formulas count as the values that were stored with them.
struct Spreadsheet {
    /// A sheet's name, and the texts of its cells by rows, from row 1.
    struct Sheet: Equatable {
        var name: String
        var rows: [[String]]
    }

    /// The sheets that have cells, in the order of their tabs.
    let sheets: [Sheet]

    /// The most bytes of one file in the archive.
    private static let mostBytes = 64 << 20

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// - Parameter name: the file's name in errors.
    /// - Throws: `Problem.malformed` if the file is not such a workbook, or has a formula without its value.
    init(_ bytes: [UInt8], name: String) throws(Problem) {
        var files: [String: [UInt8]] = [:]
        do {
            try bytes.withUnsafeBytes { bytes in
                let archive = try ZipArchive(bytes)
                for member in archive.members where member.name.hasSuffix(".xml") || member.name.hasSuffix(".rels") {
                    files[member.name] = try archive.content(of: member, most: Self.mostBytes)
                }
            }
        } catch {
            throw Problem(.malformed, "\(name): is not a whole workbook; save it again as .xlsx")
        }
        func read(_ file: String) throws(Problem) -> XMLNode? {
            try files[file].map { (bytes) throws(Problem) in try XMLReader.read(bytes, name: "\(name), \(file)") }
        }
        guard let book = try read("xl/workbook.xml"), let links = try read("xl/_rels/workbook.xml.rels") else {
            throw Problem(.malformed, "\(name): is not a workbook; save it as .xlsx or CSV")
        }
        let targets = Dictionary(
            links.children("Relationship").map { ($0.attributes["Id"] ?? "", $0.attributes["Target"] ?? "") },
            uniquingKeysWith: { first, _ in first })
        let texts = try read("xl/sharedStrings.xml")?.children("si").map(Self.text) ?? []
        var sheets: [Sheet] = []
        for tab in book.children("sheets").flatMap({ $0.children("sheet") }) {
            // A reader of namespaces names the attribute `id`, others `r:id`.
            let target = targets[tab.attributes["id"] ?? tab.attributes["r:id"] ?? ""] ?? ""
            let file = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/\(target)"
            guard let sheet = try read(file) else {
                throw Problem(.malformed, "\(name): the sheet \(tab.attributes["name"] ?? "") is missing in it")
            }
            let rows = try Self.rows(of: sheet, texts, in: "\(name), \(tab.attributes["name"] ?? "")")
            if !rows.allSatisfy({ $0.allSatisfy(\.isEmpty) }) {
                sheets.append(Sheet(name: tab.attributes["name"] ?? "", rows: rows))
            }
        }
        self.sheets = sheets
    }

    /// The sheets as files of questions. Lines are the rows of a sheet.
    ///
    /// - Parameter name: the workbook's name.
    func files(name: String) -> [QuestionFile] {
        sheets.map { sheet in
            let rows = sheet.rows.map { row in row.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
            }
            let own = sheets.count == 1 ? name : "\(name), \(sheet.name)"
            return QuestionFile(Array(CSVText.text(rows).utf8), .csv, name: own)
        }
    }

    private static func rows(
        of sheet: XMLNode, _ texts: [String], in name: String
    ) throws(Problem) -> [[String]] {
        var rows: [[String]] = []
        for row in sheet.children("sheetData").flatMap({ $0.children("row") }) {
            // Rows and cells without anything in them are not stored.
            let number = row.attributes["r"].flatMap { Int($0) } ?? rows.count + 1
            guard (1...mostRows).contains(number) else { continue }
            while rows.count < number { rows.append([]) }
            for cell in row.children("c") {
                let place = cell.attributes["r"].flatMap(column) ?? rows[number - 1].count
                guard place < mostColumns else { continue }
                // A formula whose value is an empty text says so by its type.
                let hasValue = cell.attributes["t"] == "str" || cell.children("v").first?.text.isEmpty == false
                if !cell.children("f").isEmpty, !hasValue {
                    throw Problem(
                        .malformed,
                        "\(name): \(cell.attributes["r"] ?? "row \(number)") is a formula without its value; open the "
                            + "file in a spreadsheet program, and save it again")
                }
                while rows[number - 1].count <= place { rows[number - 1].append("") }
                rows[number - 1][place] = value(of: cell, texts)
            }
        }
        return rows
    }

    /// The limits of Excel.
    private static let mostRows = 1_048_576
    private static let mostColumns = 16_384

    /// Returns the column of a cell, from 0: `AB12` → 27.
    private static func column(_ reference: String) -> Int? {
        let letters = reference.uppercased().unicodeScalars.prefix { ("A"..."Z").contains($0) }
        guard !letters.isEmpty, letters.count <= 3 else { return nil }
        return letters.reduce(0) { $0 * 26 + Int($1.value) - 64 } - 1
    }

    private static func value(of cell: XMLNode, _ texts: [String]) -> String {
        let value = cell.children("v").first?.text ?? ""
        switch cell.attributes["t"] {
        case "s": return Int(value).flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
        case "inlineStr": return cell.children("is").map(text).joined()
        case "b": return value == "1" ? "TRUE" : "FALSE"
        default: return value
        }
    }

    /// Returns a text, whole or in runs of different looks. Readings of Japanese (`rPh`) are no part of it.
    private static func text(_ node: XMLNode) -> String {
        node.children.map { child in
            switch child.name {
            case "t": child.rawText
            case "r": child.children("t").map(\.rawText).joined()
            default: ""
            }
        }.joined()
    }
}

extension XMLNode {
    /// The text directly inside the element, with its spaces.
    fileprivate var rawText: String {
        content.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }
}
