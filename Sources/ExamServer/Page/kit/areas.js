/** The page's areas, and the ways between the screens of one area. The area of the screen that is shown is marked. */
import { hashOf } from "./address.js";

/**
 * The screens to which each area leads, by their addresses.
 *
 * @type {Record<string, [path: string, words: string][]>}
 */
const WAYS = {
    today: [["today", "Now"], ["today/week", "Your week"]],
    speak: [["speak", "Sit an exam"], ["speak/practise", "Practise speaking"]],
    learn: [["learn", "Practice"], ["learn/lessons", "Lessons"], ["learn/tests", "Tests"]],
    progress: [["progress", "Your progress"], ["progress/done", "What you did"]],
};

const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Shows the areas of this user: Class for teachers, and Desk for markers.
 *
 * @param {{roles: string[], groups: string[]}} caller
 */
export function offerAreas({ roles, groups }) {
    const isTeacher = roles.includes("teacher") && groups.length > 0;
    place("to-class").hidden = !isTeacher;
    place("to-desk").hidden = !roles.includes("marker");
    if (isTeacher) WAYS.class = groups.map((group) => [`class/${group}`, `Group ${group}`]);
}

/** The address of the first screen: the desk for markers, the class for teachers, and otherwise today. */
export const firstPath = () => !place("to-desk").hidden ? "desk" : place("to-class").hidden ? "today" : "class";

/**
 * Marks the area and the way of a screen. Hides the areas if it has none, and the ways if it needs all attention.
 *
 * @param {{area?: string, path?: string, alone?: string}} screen its data attributes
 * @param {string} at what follows the path
 */
export function markArea({ area, path = "", alone }, at) {
    place("areas").hidden = place("to-settings").hidden = !area;
    const here = hashOf(path, ...(at ? [at] : []));
    mark([...place("areas").querySelectorAll("a"), place("to-settings")], (link) => link.dataset.area === area);
    const ways = alone === undefined ? (WAYS[area ?? ""] ?? []) : [];
    place("ways").hidden = ways.length < 2;
    place("ways").replaceChildren(...ways.map(([to, words]) => {
        const link = document.createElement("a");
        link.href = hashOf(to);
        link.textContent = words;
        return link;
    }));
    mark(place("ways").querySelectorAll("a"), (link) => link.getAttribute("href") === here);
}

/** @param {Iterable<HTMLElement>} links @param {(link: HTMLElement) => boolean} isHere */
function mark(links, isHere) {
    for (const link of links) {
        if (isHere(link)) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}
