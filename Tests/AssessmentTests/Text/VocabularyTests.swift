import Testing

@testable import Assessment

/// Tests of the lemmas of words, and of their levels.
@Suite struct VocabularyTests {
    /// Forms and their bases, as a dictionary lists them.
    private static let forms = """
        went go|gone go|goes go|going go|children child|women woman|people person|mice mouse|feet foot|teeth tooth|knives knife|wives wife
        leaves leaf|leaves leave|studies study|studied study|studying study|cities city|boxes box|watches watch|buses bus|dishes dish
        potatoes potato|heroes hero|lies lie|lying lie|dying die|tying tie|stopped stop|stopping stop|planned plan|hoped hope|hoping hope
        hopped hop|hopping hop|played play|playing play|tried try|carried carry|used use|using use|making make|made make|taken take
        took take|thought think|bought buy|brought bring|caught catch|taught teach|felt feel|kept keep|left leave|lost lose|met meet
        paid pay|said say|sent send|slept sleep|spent spend|stood stand|told tell|understood understand|wore wear|won win|wrote write
        written write|spoken speak|swam swim|sang sing|drank drink|drunk drink|drove drive|driven drive|ate eat|eaten eat|fell fall
        flew fly|forgot forget|forgotten forget|gave give|given give|grew grow|grown grow|knew know|known know|rode ride|ran run
        running run|saw see|seen see|stole steal|threw throw|better good|best good|worse bad|worst bad|bigger big|biggest big
        happier happy|happiest happy|nicer nice|nicest nice|older old|easiest easy|larger large|hottest hot|men man|was be|were be
        been be|am be|has have|had have|having have|does do|did do|done do|could can|would will|analyses analysis|crises crisis
        phenomena phenomenon|criteria criterion|halves half|shelves shelf|passes pass|kisses kiss|misses miss|agreed agree|freed free
        seeing see|being be|began begin|begun begin|beginning begin|chose choose|choosing choose|visited visit|preferred prefer
        travelled travel|travelling travel|countries country|activities activity|families family|parties party|memories memory
        """

    @Test func everyFormLeadsToItsBase() {
        let table = Self.forms.split { $0 == "|" || $0 == "\n" }.map { $0.split(separator: " ") }
        #expect(table.count >= 140)
        for pair in table {
            let (form, base) = (String(pair[0]), String(pair[1]))
            #expect(Lemmas.candidates(of: form).contains(base), "\(form): \(Lemmas.candidates(of: form))")
        }
    }

    @Test func wordsThatEndLikeFormsStayThemselves() {
        for word in [
            "glass", "this", "bus", "sing", "bed", "her", "best", "news", "is", "as", "thing", "need", "a", "i",
        ] {
            #expect(Lemmas.candidates(of: word).first == word)
        }
        #expect(!Lemmas.candidates(of: "glass").contains("glas"))
        #expect(!Lemmas.candidates(of: "sing").contains("s"))
    }

    /// Levels in the list, looked up by hand.
    @Test(arguments: [
        ("house", "A1"), ("houses", "A1"), ("went", "A1"), ("environment", "B2"), ("although", "A2"),
        ("benefits", "B1"),
        ("studied", "A1"), ("achieved", "A2"), ("traveller", "A2"), ("sustain", "B2"), ("colour", "A1"),
        ("organised", "A2"),
    ])
    func aWordHasTheLevelOfTheList(_ word: String, _ level: String) {
        #expect(VocabularyProfile.level(of: word)?.rawValue == level)
    }

    /// A word that resembles a form of an easy one does not count as such, and a word outside the list has no level.
    @Test(arguments: ["figment", "serendipity", "ubiquitous", "xyzzy", "oracy", "manchester"])
    func wordsOutsideTheListAreUnknown(_ word: String) {
        #expect(VocabularyProfile.level(of: word) == nil)
    }

    @Test func aTextIsSpreadOverLevels() throws {
        let words = "I don't think that we're achieving a figment, 3 well-known houses".spokenWords.map(\.text)
        let profile = try #require(VocabularyProfile(of: words))
        // I do not think that we are a houses: A1. achieving, well-known: A2. figment: unknown. 3 does not count as a
        // word.
        #expect(profile.counts == ["A1": 9, "A2": 2])
        #expect(profile.unknown == 1 && profile.words == 12)
        #expect(profile.share(.a2) == 2.0 / 12 && profile.share(.b2) == 0)
        #expect(VocabularyProfile(of: []) == nil)
        #expect(VocabularyProfile(of: ["2026", "3rd"])?.words == 1)
    }

    @Test func theListIsWhole() {
        #expect(PackageResources.cefr_j_txt.count > 70_000)
        #expect(VocabularyProfile.level(listed: "zoom") == .b2 && VocabularyProfile.level(listed: "a") == .a1)
    }
}
