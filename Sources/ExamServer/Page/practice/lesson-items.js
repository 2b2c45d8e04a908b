/** The items of a lesson, each kind drawn in its own way. Pure. */
import { button, inside, make } from "../kit/screen.js";
import { cutExample, MASTERY } from "./practice-words.js";

/**
 * @param {any} item as in the lesson's file, with its `mastery`
 * @param {() => Promise<void>} listen
 * @returns {HTMLLIElement}
 */
export function lessonItem(item, listen) {
    const made = make("li", { class: "item", lang: "en" });
    if (item.kind === "minimalPair") made.append(...minimalPair(item));
    else if (item.kind === "stress") made.append(...stress(item));
    else if (item.question) made.append(...sampleAnswer(item));
    else made.append(...phrase(item));
    made.append(
        make("p", { class: "actions" }, button("Listen", listen, `Listen: ${inside(made, "h2").textContent}`)),
    );
    return made;
}

/** A word, an idiom, a phrasal verb or a discourse marker. */
function phrase(item) {
    const name = item.word ?? item.idiom ?? item.phrasalVerb ?? item.marker;
    return [
        make("h2", {}, name, ...ipa(item.ipa)),
        facts([item.partOfSpeech, item.level, item.subtopic], item),
        make("p", { text: item.definition ?? item.meaning ?? item.use }),
        make("ul", { class: "examples" }, ...(item.examples ?? []).map((text) => make("li", {}, ...example(text)))),
    ];
}

function minimalPair(item) {
    return [
        make("h2", {}, item.word, ...ipa(item.ipa), " and ", item.other.word, ...ipa(item.other.ipa)),
        facts([item.level], item),
        make("p", { text: item.mistake }),
        make("p", { class: "example" }, ...example(item.example)),
    ];
}

/** The stressed syllable is in capitals and bold, so that it does not depend on colour. */
function stress(item) {
    const syllables = item.syllables.flatMap((syllable, place) => [
        place > 0 ? "·" : "",
        place === item.stressed ? make("strong", { text: syllable.toUpperCase() }) : syllable,
    ]);
    return [
        make("h2", {}, item.word, ...ipa(item.ipa)),
        facts([item.level], item),
        make("p", { class: "syllables" }, ...syllables.filter(Boolean)),
        make("p", { text: item.mistake }),
        make("p", { class: "example" }, ...example(item.example)),
    ];
}

function sampleAnswer(item) {
    const points = item.points ?? [];
    return [
        make("h2", { text: item.question }),
        ...(points.length > 0
            ? [make("p", { text: "You should say:" }), make("ul", {}, ...points.map((text) => make("li", { text })))]
            : []),
        facts([item.level, item.topic], item),
        make("h3", { text: "An answer" }),
        make("p", { text: item.answer }),
        make("p", { class: "hint", text: item.note }),
        make("details", {}, make("summary", { text: "Another answer" }), make("p", { text: item.alternative })),
    ];
}

const ipa = (signs) => (signs ? [" ", make("span", { class: "ipa", lang: "en-fonipa", text: signs })] : []);

function facts(words, { mastery }) {
    const known = mastery >= 0 ? `mastery ${mastery} of 5: ${MASTERY[mastery]}` : "";
    return make("p", { class: "facts", text: [...words, known].filter(Boolean).join(" · ") });
}

/** Returns a sentence with the item's words marked. */
function example(text) {
    const [before, words, after] = cutExample(text);
    return words ? [before, make("b", { text: words }), after] : [text];
}
