/**
 * Signing in: to a class with its code, a name and a PIN, or with the account of a school. A school sends the browser
 * back to this page, which then shows the screen that it had left.
 */
import { account } from "../kit/class-api.js";
import { Problem } from "../kit/api.js";
import { partsOf } from "../kit/address.js";
import { attempt, button, byId, show, showProblem } from "../kit/screen.js";

/** The code that this browser used last. */
const KEPT_CODE = "oracy.class";

/** The address of the screen that was left for a school. */
const LEFT_SCREEN = "oracy.left";

/**
 * The reasons for which a school's sign-in failed, by the last part of the page's address.
 *
 * @type {Record<string, [title: string, detail: string]>}
 */
const FAILURES = {
    "cancelled": ["You are not signed in.", "Your school’s page says that you declined. Try again."],
    "expired": [
        "This sign-in does not count any more.",
        "It took more than ten minutes, was used before, or was begun in another browser or tab. Try again.",
    ],
    "unavailable": [
        "Your school’s sign-in cannot be used at the moment.",
        "Wait a minute, then try again. If it stays so, tell the person who runs this server.",
    ],
    "not-admitted": [
        "Your account may not use this server.",
        "Your school knows you, but this server has no place for your account. Ask your teacher.",
    ],
    "failed": [
        "Your school’s answer could not be checked.",
        "Try again. If it stays so, tell the person who runs this server: its log has the reason.",
    ],
};

/**
 * The ways to sign in on this server. Null until it has answered.
 *
 * @type {Answered["signInWays"] | null}
 */
let ways = null;

/**
 * Asks who the learner is: by code, name and PIN on a server with classes, otherwise by a school's account or a token.
 *
 * @param {{title: string, detail?: string} | null} problem why the learner has to sign in again
 * @param {() => unknown} done
 */
export async function askToSignIn(problem, done) {
    ways ??= await account.ways().catch(() => null);
    if (ways?.classes) offer(done);
    else offerSchools(ways?.schools ?? []);
    if (problem) showProblem(problem);
}

/** @param {Answered["signInWays"]["schools"]} schools */
function offerSchools(schools) {
    byId("schools").hidden = schools.length === 0;
    byId("token-way").hidden = schools.length > 0 && !ways?.tokens;
    byId("schools-list").replaceChildren(
        ...schools.map(({ id, name }) => button(`Sign in with ${name}`, () => leaveFor(id))),
    );
    show("sign-in");
}

/** @param {string} school */
async function leaveFor(school) {
    const { address } = await account.beginAtSchool(school);
    try {
        sessionStorage.setItem(LEFT_SCREEN, location.hash);
    } catch {
        // The first screen is shown afterwards.
    }
    location.assign(address);
}

/** Makes the address that of the screen that was left for a school, if the browser has come back from there. */
function comeBack() {
    try {
        const left = sessionStorage.getItem(LEFT_SCREEN);
        sessionStorage.removeItem(LEFT_SCREEN);
        if (left && location.hash.length < 3) history.replaceState(null, "", left);
    } catch {
        // The browser blocks storage.
    }
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
 * Signs in by the link in the address, if there is one, and removes it from the address and the history. Leads back to
 * the screen that was left for a school.
 *
 * @returns {Promise<Problem | null>} why the link or the school's sign-in did not work
 */
export async function followLink() {
    const [area, link] = partsOf(location.hash);
    if (area === "sign-in") {
        history.replaceState(null, "", "#/");
        comeBack();
        if (!link) return null;
        return new Problem(403, ...(Object.hasOwn(FAILURES, link) ? FAILURES[link] : FAILURES.failed));
    }
    comeBack();
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
