/**
 * The waveform of an answer: a bar for each hundredth of it, as high as its loudest sample, and the same in a sentence.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {number[]} peaks 0 … 1
 * @param {string} words
 * @returns {{picture: SVGElement, mark: Function, hatch: Function, seek: (play: (part: number) => unknown) => void}}
 *     the picture; `mark(part)` shows how far it was played, 0 … 1; `hatch(pauses, length)` shows the speaker's pauses,
 *     in seconds of the length; `seek(play)` lets a press on a place play from there, which the player's own bar does
 *     for the keyboard
 */
export function waveform(peaks, words) {
    const size = { viewBox: `0 0 ${peaks.length} 40`, preserveAspectRatio: "none" };
    const picture = part("svg", { ...size, role: "img", "aria-label": words, class: "wave" });
    const heard = part("rect", { class: "heard", x: 0, y: 0, width: 0, height: 40 });
    picture.append(heard);
    peaks.forEach((peak, index) => {
        // The square root, since ears hear quiet sounds better than a linear scale shows. Silence gets a thin line,
        // because time passed.
        const height = Math.max(0.6, Math.sqrt(Math.min(1, peak)) * 40);
        picture.append(part("rect", { x: index + 0.15, y: 20 - height / 2, width: 0.7, height }));
    });
    const hatched = picture.appendChild(part("g", { class: "pauses" }));
    const hatch = (pauses, length) => {
        const scale = length > 0 ? peaks.length / length : 0;
        const rects = pauses.map(({ start, end }) => part(
            "rect",
            { x: start * scale, y: 36, width: (end - start) * scale, height: 4 },
        ));
        hatched.replaceChildren(...rects);
        const said = pauses.length > 0
            ? ` Marked below: ${pauses.length === 1 ? "one pause" : `${pauses.length} pauses`}.`
            : "";
        picture.setAttribute("aria-label", words + said);
    };
    const seek = (/** @type {(part: number) => unknown} */ play) => {
        picture.classList.add("seeks");
        picture.addEventListener("click", ({ clientX }) => {
            const { left, width } = picture.getBoundingClientRect();
            play(Math.max(0, Math.min(1, (clientX - left) / Math.max(1, width))));
        });
    };
    return { seek, picture, mark: (place) => heard.setAttribute("width", String(place * peaks.length)), hatch };
}

/**
 * @param {number[]} peaks
 * @param {number} length of the answer in seconds
 * @param {number} speech the seconds of speech in it
 */
export function waveformWords(peaks, length, speech) {
    const loudest = Math.max(0, ...peaks);
    if (loudest === 0) return "Waveform: silence throughout.";
    const percent = Math.round(((peaks.indexOf(loudest) + 0.5) / peaks.length) * 100);
    const share = speech >= 0 && length > 0 ? `${Math.round((speech / length) * 100)} % of it speech, ` : "";
    const level = Math.round(20 * Math.log10(loudest));
    return `Waveform: ${share}loudest at ${percent} % of its length, ${level} dB of full scale.`;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function part(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
}
