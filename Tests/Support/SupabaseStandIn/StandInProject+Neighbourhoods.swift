import Foundation

/// A template for trying the product.
extension StandInProject {
    /// Adds three parts about neighbourhoods, with recordings of the questions in `audio-question-set`.
    ///
    /// - Parameter sounds: The files for the questions in order, repeated; if empty, the questions have no recordings.
    public func addNeighbourhoods(sounds: [String]) {
        let card = """
            Describe a market you like to visit.
            You should say:
            where it is
            what you can buy there
            how often you go
            and explain why you like it.
            """
        let questions = [
            (1, 1, "What is the area where you live like?", 20, ["home", "area"]),
            (1, 2, "Do you know your neighbours?", 20, ["neighbours"]),
            (1, 3, "What would you change about your neighbourhood?", 25, ["change"]),
            (1, 4, "Is it a good place for children to grow up?", 25, ["children", "safety"]),
            (2, 1, card, 120, ["market", "shopping"]),
            (3, 1, "Why do people like to shop at markets?", 45, ["shopping", "habits"]),
            (3, 2, "How have shops in towns changed in recent years?", 45, ["shops", "change"]),
            (3, 3, "Should cities keep space for small traders?", 45, ["cities", "traders"]),
        ]
        sql(
            """
            INSERT INTO test_templates (id, title, description, difficulty_level)
            VALUES ('\(Self.template)', 'Neighbourhoods', 'Where one lives, and where one shops.', 'Medium')
            """)
        let origin = with { $0.storage.origin }
        for (index, (part, order, text, seconds, keywords)) in questions.enumerated() {
            var address = "NULL"
            if !sounds.isEmpty, let bytes = FileManager.default.contents(atPath: sounds[index % sounds.count]) {
                let suffix = URL(filePath: sounds[index % sounds.count]).pathExtension
                let name = "neighbourhoods/part\(part)_q\(order).\(suffix)"
                let type = ["wav": "audio/wav", "mp3": "audio/mpeg", "m4a": "audio/mp4", "flac": "audio/flac"][suffix]
                put(
                    .init(bytes: Array(bytes), etag: "\"question\"", mediaType: type ?? "audio/ogg"), at: name,
                    in: "audio-question-set")
                address = StandInDatabase.quoted("\(origin)/storage/v1/object/public/audio-question-set/\(name)")
            }
            let words = StandInDatabase.quoted(text)
            let list = keywords.map(StandInDatabase.quoted).joined(separator: ", ")
            sql(
                """
                INSERT INTO questions (id, test_template_id, part_number, question_order, question_text, audio_file_url, transcript,
                expected_duration, topic_keywords) VALUES ('\(Self.question(part, order))', '\(Self.template)', \(part), \(order),
                \(words), \(address), \(words), \(seconds), ARRAY[\(list)])
                """)
        }
    }
}
