import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import Testing
import Waiting

/// `oracy practice`: tests of five-choice questions, drawn or written by a model.
@Suite struct PracticeTool {
    private let home: Home

    init() throws { home = try Home() }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["practice"] + arguments, home: home.path)
    }

    @Test func theSameOptionsAndSeedMakeTheSameTest() throws {
        #expect(try tool("tests").output == "You have no tests yet. To make one: oracy practice new\n")
        let wishes = ["--topic", "food", "--topic", "Travel", "--questions", "6", "--seed", "5"]
        let first = try Tool.run(["practice", "new"] + wishes, home: home.path)
        #expect(first.code == 0 && first.errors.isEmpty, "\(first)")
        let id = try #require(first.output.split(separator: ":").first.map(String.init))
        let shown = try tool("show", id)
        #expect(
            shown.output.split(separator: "\n").filter { $0.contains(". ") && $0.first?.isNumber == true }.count == 6)
        #expect(shown.output.contains("    e  ") && !shown.output.contains("  * "))
        let keyed = try tool("show", id, "--key").output
        #expect(keyed.split(separator: "\n").count { $0.hasPrefix("  * ") } == 6 && keyed.contains("food, "))
        let second = try Tool.run(["practice", "new"] + wishes, home: home.path)
        let other = try #require(second.output.split(separator: ":").first.map(String.init))
        #expect(try other != id && tool("show", other, "--key").output == keyed)
        let list = try tool("tests").output
        #expect(list.contains(id) && list.contains("ready") && list.contains("food, travel"))
        let file = home.path + "/.local/share/oracy/practice-tests/\(id).json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func unavailableTopicsAndCountsAreReported() throws {
        let odd = try tool("new", "--topic", "volcanoes", "--questions", "2")
        let refusal = "volcanoes: the bank has no questions on that; topics are family, food,"
        #expect(odd.code == 66 && odd.errors.contains(refusal), "\(odd.errors)")
        for option in ["--avoid", "--minutes"] { #expect(try tool("new", option, "5").code == 64, "\(option)") }
        let many = try tool("new", "--topic", "food", "--difficulty", "easy", "--questions", "100")
        #expect(many.code == 0 && many.errors.contains("note: question 18: is about "), "\(many.errors)")
        #expect(try tool("new", "--questions", "0").code == 64)
        #expect(try tool("show", "../x").code == 66)
        #expect(try tool("new", "--resume", "none").code == 66)
    }

    /// The model's second answer about honey is a valid question. It refuses to write about the other topic.
    @Test(arguments: [nil, 1, 3]) func aTestByAModelResumesAfterTheToolIsStopped(_ stop: Int?) throws {
        let asked = Mutex(0)
        let process = Mutex<pid_t?>(nil)
        let server = try HTTPServer { request in
            let body = String(decoding: request.bytes, as: UTF8.self)
            let number = asked.withLock { count in
                count += 1
                return count
            }
            if number == stop {
                // Stops the tool, and answers only after its process has ended.
                let id = Patience.poll { process.withLock { $0 } }
                if let id { kill(id, number == 3 ? SIGKILL : SIGINT) }
                _ = Patience.poll { id.map { kill($0, 0) == 0 } ?? false ? nil : true }
            }
            let isHoney = body.contains(#"\"topic\" : \"honey\""#)
            let said =
                isHoney
                ? Self.answer(to: body, isRight: body.contains(#"\"yourLastAnswer\" :"#)) : "I would rather not."
            let content = String(decoding: (try? JSONEncoder().encode(said)) ?? Data(), as: UTF8.self)
            return HTTPResponse(
                status: 200, headers: ["content-type": "application/json"],
                body: Array("{\"choices\":[{\"message\":{\"content\":\(content)},\"finish_reason\":\"stop\"}]}".utf8))
        }
        defer { server.stop() }
        let first = try Tool.run(
            [
                "practice", "new", "--from", "openai", "--model", "m-1", "--address", server.url + "/v1", "--topic",
                "honey", "--topic", "food", "--questions", "2", "--seed", "9",
            ], home: home.path
        ) { id in process.withLock { $0 = id } }
        var end = first
        if let stop {
            #expect(first.code == (stop == 3 ? SIGKILL : 75), "\(first)")
            let listed = try tool("tests").output
            #expect(listed.contains("being written"))
            let id = try Self.lastId(in: listed)
            #expect(try tool("show", id).output.contains(" of 2 questions\n"))
            end = try tool("new", "--resume", id)
        }
        #expect(end.code == 0, "\(end)")
        #expect(end.output.contains("2 questions wanted: 1 written, 1 from the bank, 0 failed"), "\(end)")
        #expect(end.output.contains("json 5, position 1"), "\(end)")
        let listed = try tool("tests").output
        let id = try Self.lastId(in: listed)
        #expect(listed.contains("ready"))
        let keyed = try tool("show", id, "--key").output
        #expect(keyed.contains("went down well"))
        #expect(keyed.split(separator: "\n").contains { $0.hasPrefix("  * ") && $0.hasSuffix("The guests liked it.") })
        let names = try FileManager.default.contentsOfDirectory(
            atPath: home.path + "/.local/share/oracy/practice-tests")
        #expect(names == ["\(id).json"], "the file with the state of the writing is deleted")
    }

    /// Returns the id of the last test in a list. It begins the line.
    private static func lastId(in listed: String) throws -> String {
        let line = try #require(listed.split(separator: "\n").last)
        return String(try #require(line.split(separator: " ").first))
    }

    private static func answer(to body: String, isRight: Bool) -> String {
        func own(_ field: String) -> String {
            body.split(separator: "\\\"\(field)\\\" : \\\"").dropFirst().first.map { String($0.prefix { $0 != "\\" }) }
                ?? ""
        }
        let why = isRight ? "Something that goes down well" : "Option A is right, since what goes down well"
        return """
            {"prompt": "A friend says the honey 'went down well' with the guests. What does she mean?",
             "choices": ["The guests liked it.", "The guests spilt it.", "The jar was too full.", "It was cheap to buy.", "It tasted too sweet."],
             "correctIndex": 0, "correctAnswer": "The guests liked it.",
             "rationale": "\(why) is liked by the people who are given it.",
             "difficulty": "\(own("difficulty"))", "bloom": "\(own("bloom"))"}
            """
    }

    /// Items exported as QTI 3 can be imported again after a change. With --strict one mistake stops the whole import,
    /// and otherwise the question becomes a draft.
    @Test func itemsAreExportedAndImportedAsQTI() throws {
        let folder = home.path + "/out"
        #expect(
            try tool("export", "spoken-english", "--format", "qti", "--output", folder).output
                == "612 items in \(folder)\n")
        let item = try String(contentsOfFile: folder + "/food-1.xml", encoding: .utf8)
        let twin = try tool("import", folder + "/food-1.xml", folder + "/food-2.xml", "--pack", "mine")
        #expect(
            twin.code == 65 && twin.errors.contains("food-1.xml:2, id, \"food-1\", taken: another question has this id")
        )
        try home.write(item.replacing("food-1", with: "x-1"), to: "items/x-1.xml")
        let copy = try tool("import", home.path + "/items/x-1.xml", "--pack", "mine", "--strict")
        #expect(
            copy.code == 65
                && copy.errors.contains("duplicate: is nearly food-1's\n1 mistake, nothing was imported"))
        let draft = try tool("import", home.path + "/items/x-1.xml", "--pack", "mine")
        #expect(draft.code == 65 && draft.errors.contains("duplicate: is nearly food-1's"))
        #expect(draft.output.contains("1 draft to mend or drop: oracy practice review"), "\(draft.output)")
        let own = item.replacing("food-1", with: "x-1").replacing("\"food\"", with: "\"swimming\"").replacing(
            "How often do you cook", with: "Who taught you to swim"
        )
        .replacing("Which reply gives the information that was requested", with: "Pick what this learner should say")
        .replacing(
            "Two or three times a week, mostly when I get home early",
            with: "An older cousin, one summer at the lake near us")
        try home.write(own, to: "items/x-1.xml")
        #expect(
            try tool("import", home.path + "/items/x-1.xml", "--dry-run").output.hasPrefix(
                "1 question would be imported into "))
        let pack = home.path + "/.local/share/oracy/packs/items.json"
        #expect(!FileManager.default.fileExists(atPath: pack))
        #expect(try tool("import", home.path + "/items/x-1.xml").output == "1 question imported into \(pack)\n")
        #expect(try tool("import", home.path + "/items/x-1.xml").code == 65, "this pack exists")
        #expect(try tool("import", home.path + "/items/x-1.xml", "--replace").code == 0)
        // Tests also draw from the imported pack, and it can be exported again.
        let drawn = try tool("new", "--topic", "swimming", "--difficulty", "easy", "--questions", "2")
        #expect(
            drawn.code == 0 && drawn.errors.contains("question 2: is about ") && !drawn.errors.contains("question 1:"))
        #expect(try tool("export", "items", "--output", folder).output == "\(folder)/items.json\n")
        #expect(try tool("lint", folder + "/items.json").output == "1 question, no flaws\n")
        #expect(try tool("export", "none").code == 66 && tool("import", home.path + "/none.txt").code == 66)
    }

    /// A mistake in the user's own pack removes no other question.
    @Test func aPackWithAMistakeIsLeftOutAndNamed() throws {
        let broken = #"{"version":1,"#
        try home.write(broken, to: ".local/share/oracy/packs/broken.json")
        let day = try tool("day")
        #expect(day.code == 0 && day.errors.contains("packs/broken.json: "), "\(day.errors)")
        #expect(day.errors.contains("This pack is left out.") && day.errors.split(separator: "\n").count == 1)
        #expect(try tool("new", "--topic", "food", "--questions", "2").code == 0)
        // An import doesn't replace it unless that is asked for.
        try home.write("prompt,option1,option2,correct\n", to: "broken.csv")
        #expect(try tool("import", home.path + "/broken.csv").code == 65)
        #expect(
            try String(contentsOfFile: home.path + "/.local/share/oracy/packs/broken.json", encoding: .utf8) == broken)
        #expect(try tool("export", "broken").code == 65)
    }

    @Test func packsAreLinted() throws {
        let pack = """
            {"version": 1, "id": "p", "title": "P", "questions": [
              {"id": "a", "topic": "t", "difficulty": "Easy", "prompt": "Which one is it here?", "explanation": "It is the first one, as one can see.",
               "multipleChoice": {"options": ["yes", "no"], "correct": 0}}]}
            """
        try home.write(pack, to: "pack.json")
        let path = home.path + "/pack.json"
        let found = try tool("lint", path)
        #expect(found.code == 65)
        #expect(
            found.output == "\(path): a: explanation: position: \"the first one\" names a place\n1 question, 1 flaw\n")
        try home.write(pack.replacing("It is the first one", with: "It is what it is"), to: "pack.json")
        #expect(try tool("lint", path).output == "1 question, no flaws\n")
        try home.write(pack.replacing("\"correct\": 0", with: "\"correct\": 2"), to: "pack.json")
        let wrong = try tool("lint", path)
        #expect(
            wrong.code == 65 && wrong.errors.contains("questions[0].multipleChoice.correct: should be 0 to 1, not 2"))
    }
}
