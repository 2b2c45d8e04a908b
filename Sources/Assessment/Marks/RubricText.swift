extension Rubric {
    /// IELTS-style descriptors in this project's own words. They follow the published ones without copying their
    /// wording.
    public static let ieltsStyle = Rubric(
        id: "ielts-style/1",
        descriptors: [
            .fluency: [
                9:
                    "Speaks fluently, and pauses only to think of what to say, never for the words; all of it hangs together.",
                8: "Speaks fluently, seldom looks for a word, and develops what is said in a clear order.",
                7: "Speaks at length without visible effort; some hesitation, which does not break the thread.",
                6: "Keeps going and is willing to speak at length, but now and then loses the thread.",
                5: "Keeps going by repeating, correcting or slowing down; simple things may come fluently.",
                4: "Cannot go on without noticeable pauses; links simple sentences, often in the same way.",
                3: "Pauses for long, links few sentences, and gives little more than short answers.",
                2: "Pauses before most words; hardly anything is told.",
                1: "Does not communicate.",
                0: "Was not there.",
            ],
            .vocabulary: [
                9: "Uses words with full freedom and precision on any topic, idioms included.",
                8: "Has a wide range, rephrases with skill, and uses uncommon words well, with a rare slip.",
                7: "Talks flexibly about many topics; some less common words and word partners, some of them wrong.",
                6: "Has words enough to discuss at length; the meaning stays clear where a choice is wrong.",
                5: "Manages familiar and unfamiliar topics, with little freedom to say a thing in another way.",
                4: "Has words for familiar topics only; elsewhere just the basic meaning, with many wrong choices.",
                3: "Has simple words about themselves, and few for anything else.",
                2: "Says single words, or pieces learnt by heart.",
                1: "Does not communicate.",
                0: "Was not there.",
            ],
            .grammar: [
                9: "Uses every structure naturally, and is consistently accurate but for a native speaker's slips.",
                8: "Uses a wide range of structures; most sentences are free of errors.",
                7: "Uses a range of complex structures; sentences without errors are frequent.",
                6: "Mixes simple and complex structures; errors, mostly in the complex ones, seldom hide the meaning.",
                5: "Forms basic sentences fairly accurately; complex ones are few and usually wrong.",
                4: "Forms basic sentences; subordinate clauses are rare, errors frequent.",
                3: "Tries basic sentences; what is right was mostly learnt by heart.",
                2: "Hardly forms a sentence.",
                1: "Does not communicate.",
                0: "Was not there.",
            ],
            .pronunciation: [
                9: "Is effortless to follow, with full control of sounds, stress and melody.",
                8: "Is easy to follow throughout; the accent has hardly any effect.",
                7: "Does all that band 6 does, and some of what band 8 does.",
                6: "Is generally understood; control of stress, rhythm and sounds is mixed.",
                5: "Does all that band 4 does, and some of what band 6 does.",
                4: "Has limited control; words are often mispronounced, and following is frequently a strain.",
                3: "Does some of what band 2 does, and some of what band 4 does.",
                2: "Often cannot be understood.",
                1: "Does not communicate.",
                0: "Was not there.",
            ],
        ])
}
