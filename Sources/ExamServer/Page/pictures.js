/**
 * What lies before a learner beside words: pictures, two alternatives, questions that are prepared together.
 */
import { make } from "./screen.js";

/** Pictures by their address, fetched once each: with an exam's own token, so that the browser cannot do it by itself. */
export class Pictures {
    #fetch;
    #known = new Map();

    /** @param {(url: string) => Promise<string>} fetch what an `img` shows: a `data:` address */
    constructor(fetch) {
        this.#fetch = fetch;
    }

    /** Elements: the picture, and its words until it has come, or where it does not. */
    show({ url, description }) {
        const image = make("img", { alt: description, hidden: "" });
        const words = make("p", { text: description });
        const source = url.startsWith("data:") ? Promise.resolve(url) : (this.#known.get(url) ?? this.#fetch(url));
        this.#known.set(url, source);
        source.then(
            (address) => {
                image.onload = () => {
                    image.hidden = false;
                    words.hidden = true;
                };
                image.src = address;
            },
            () => this.#known.delete(url),
        );
        return [image, words];
    }
}

/** @returns {{picture: Element[], together: Element[], alternatives: Element[]}} what is in each of the three places */
export function taskItems({ picture, alternatives = [], choice, together = [] }, pictures) {
    return {
        picture: picture ? pictures.show(picture) : [],
        together: together.map((task) => make("li", {}, make("p", { text: task.text }), ...(task.picture ? pictures.show(task.picture) : []))),
        alternatives: alternatives.map(({ title, points }, number) => {
            const isChosen = choice === number + 1;
            const name = `${"AB"[number]}: ${title}` + (isChosen ? " (your choice)" : "");
            const item = make("li", {}, make("b", { text: name }), make("ul", {}, ...points.map((text) => make("li", { text }))));
            if (isChosen) item.className = "chosen";
            return item;
        }),
    };
}

/** The same where an answer is looked at again: its pictures came with it. */
export function taskAsked(answer) {
    const { picture, alternatives } = taskItems(answer, new Pictures(() => Promise.reject(new Error("not fetched again"))));
    const right = answer.rightAnswers?.length > 0 ? [make("p", { class: "right-answer", text: `A right answer: ${answer.rightAnswers.join(", or ")}.` })] : [];
    return [
        ...right,
        ...(picture.length > 0 ? [make("figure", { class: "picture" }, ...picture)] : []),
        ...(alternatives.length > 0 ? [make("ul", { class: "alternatives", lang: "en" }, ...alternatives)] : []),
    ];
}
