/** Joining a class, and signing in to it again, with its code, a name and a PIN. */
import { account } from "../kit/class-api.js";
import { Problem } from "../kit/api.js";
import { partsOf } from "../kit/address.js";
import { attempt, byId, show, showProblem } from "../kit/screen.js";

/** The code that this browser used last. */
const KEPT_CODE = "oracy.class";

/**
 * Whether the server has classes. Null until it has answered.
 *
 * @type {boolean | null}
 */
let hasClasses = null;

/**
 * Asks who the learner is: by code, name and PIN on a server with classes, otherwise by a token.
 *
 * @param {{title: string, detail?: string} | null} problem why the learner has to sign in again
 * @param {() => unknown} done
 */
export async function askToSignIn(problem, done) {
    if (hasClasses === null) hasClasses = await account.ways().then(({ classes }) => classes, () => null);
    if (!hasClasses) show("sign-in");
    else offer(done);
    if (problem) showProblem(problem);
}

/** @param {() => unknown} done */
function offer(done) {
    const [area, code] = partsOf(location.hash);
    if (area === "join" && code) byId("join-code").value = code;
    else byId("join-code").value ||= kept();
    byId("join-form").onsubmit = (event) => {
        event.preventDefault();
        const isNew = event.submitter !== byId("join-again");
        attempt(event.submitter, async () => {
            const [name, pin] = [byId("join-name").value, byId("join-pin").value];
            const who = { code: byId("join-code").value, name, pin };
            await (isNew ? account.join(who) : account.signIn(who));
            keep(who.code);
            byId("join-form").reset();
            await done();
        });
    };
    show("join");
}

/**
 * Signs in by the link in the address, if there is one, and removes it from the address and the history.
 *
 * @returns {Promise<Problem | null>} why the link did not work
 */
export async function followLink() {
    const [area, link] = partsOf(location.hash);
    if (area !== "link" || !link) return null;
    history.replaceState(null, "", "#/");
    try {
        await account.follow(link);
        return null;
    } catch (problem) {
        if (problem instanceof Problem) return problem;
        throw problem;
    }
}

/** @returns {string} */
function kept() {
    try {
        return localStorage.getItem(KEPT_CODE) ?? "";
    } catch {
        return ""; // The browser blocks storage.
    }
}

/** @param {string} code */
function keep(code) {
    try {
        localStorage.setItem(KEPT_CODE, code);
    } catch {
        // The user types the code again next time.
    }
}
