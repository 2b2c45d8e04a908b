/** Parts of a question other than words: pictures, alternatives, and questions prepared together. */
import { make } from "../kit/screen.js";

/**
 * Pictures by their address, each fetched once. They need an exam's own token, so the browser cannot fetch them itself.
 */
export class Pictures {
    #fetch;
    #known = new Map();

    /** @param {(url: string) => Promise<string>} fetch returns what an `img` shows: a `data:` address */
    constructor(fetch) {
        this.#fetch = fetch;
    }

    /**
     * Returns elements with the picture, or its description until it has come or if it does not.
     *
     * @param {LivePicture} picture
     */
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

/**
 * @param {Pick<LiveState, "picture" | "alternatives" | "choice" | "together">} task
 * @param {Pictures} pictures
 * @returns {{picture: Element[], together: Element[], alternatives: Element[]}} the contents of the three places
 */
export function taskItems({ picture, alternatives = [], choice, together = [] }, pictures) {
    return {
        picture: picture ? pictures.show(picture) : [],
        together: together.map((task) => make("li", {}, make("p", { text: task.text }), ...(task.picture
            ? pictures.show(task.picture)
            : []))),
        alternatives: alternatives.map(({ title, points }, number) => {
            const isChosen = choice === number + 1;
            const name = `${"AB"[number]}: ${title}` + (isChosen ? " (your choice)" : "");
            const item = make("li", {}, make("b", { text: name }), make(
                "ul",
                {},
                ...points.map((text) => make("li", { text })),
            ));
            if (isChosen) item.className = "chosen";
            return item;
        }),
    };
}

/**
 * Like `taskItems`, for an answer in the results, whose pictures came with it.
 *
 * @param {Partial<Schemas["ResultAnswer"]>} answer
 */
export function taskAsked(answer) {
    const { picture, alternatives } = taskItems(answer, new Pictures(() => Promise.reject(
        new Error("not fetched again"),
    )));
    const { rightAnswers = [] } = answer;
    const right = rightAnswers.length > 0
        ? [make("p", { class: "right-answer", text: `A right answer: ${rightAnswers.join(", or ")}.` })]
        : [];
    return [
        ...right,
        ...(picture.length > 0 ? [make("figure", { class: "picture" }, ...picture)] : []),
        ...(alternatives.length > 0 ? [make("ul", { class: "alternatives", lang: "en" }, ...alternatives)] : []),
    ];
}
