/**
 * The way through the page: signing in, and then the screen that the address leads to. An exam leads from the choice
 * through the microphone's check to its results.
 */
import { arriving, hashOf, partsOf } from "./kit/address.js";
import { api, Problem, token } from "./kit/api.js";
import { account } from "./kit/class-api.js";
import { forgetDrafts, writesAs } from "./kit/drafts.js";
import { firstPath, offerAreas } from "./kit/areas.js";
import { keepPage } from "./kit/kept-page.js";
import { checkMicrophone, endCheck } from "./exam/check.js";
import { openDesk } from "./school/desk.js";
import { openDrill } from "./practice/drill.js";
import { drills } from "./exam/drills.js";
import { Exam } from "./exam/exam.js";
import { firstVisit } from "./plan/first-visit.js";
import { front } from "./plan/front.js";
import { group } from "./school/group.js";
import { home } from "./exam/home.js";
import { lessons, openLesson } from "./practice/lessons.js";
import { marking } from "./school/marking.js";
import { watchNetwork } from "./kit/network.js";
import { PlanScreen } from "./plan/plan.js";
import { offerTaster } from "./plan/taster.js";
import { practice } from "./kit/practice-api.js";
import { tasks } from "./practice/practice-tasks.js";
import { progress } from "./plan/progress.js";
import { remind } from "./plan/reminders.js";
import { results } from "./exam/results.js";
import { all, attempt, byId, show, showProblem, sure, whenSignedOut } from "./kit/screen.js";
import { hurry } from "./practice/sending.js";
import { settings } from "./plan/settings.js";
import { askToSignIn, followLink } from "./school/sign-in.js";
import { takeTest } from "./practice/test.js";
import { testResult } from "./practice/test-result.js";
import { tests } from "./practice/tests.js";
import { drillOf, today } from "./practice/today.js";
import { troubles } from "./kit/troubles.js";
import { endedWords } from "./kit/words.js";

/**
 * The signed-in user with their roles. Null until the server has answered.
 *
 * @type {Answered["me"] | null}
 */
let caller = null;

/**
 * The exam that this page holds now. Back asks before it leaves it.
 *
 * @type {Exam | null}
 */
let exam = null;

/**
 * The reason why the link in the page's address did not sign the user in.
 *
 * @type {Problem | null}
 */
let linkProblem = null;

/**
 * @param {boolean} isTyped whether a token was typed a moment ago
 * @returns {Promise<void>}
 */
async function start(isTyped = false) {
    try {
        const known = caller?.user;
        caller = await api.me();
        // Unsent data belongs to the previous user.
        if (known && known !== caller.user) return location.reload();
        writesAs(caller.user);
        hurry();
        offerAreas(caller);
        byId("development").hidden = !caller.development;
        byId("sign-out").hidden = token.get() === null && !caller.isMember && !caller.school;
        await arrive();
    } catch (problem) {
        if (problem.status === 401) return signIn(isTyped, problem.code === "signed-out");
        stop(problem instanceof Problem ? problem : troubles.pageBroken, null);
        if (!(problem instanceof Problem)) throw problem;
    }
}

/**
 * Asks who the user is. The address stays, and leads back after signing in.
 *
 * @param {boolean} isTyped whether a token that was not accepted was typed a moment ago
 * @param {boolean} wasSignedIn whether a sign-in has ended
 * @returns {Promise<void>}
 */
function signIn(isTyped, wasSignedIn) {
    const hadToken = token.get() !== null;
    token.forget();
    const problem = hadToken && isTyped
        ? { title: "The server does not accept this token.", detail: "Check it, or ask for a new one." }
        : hadToken || wasSignedIn
        ? { title: "You were signed out.", detail: "Sign in again to return to this screen." }
        : null;
    const told = linkProblem ?? problem;
    linkProblem = null;
    endCheck();
    return askToSignIn(told, () => start());
}

// Addresses.

/**
 * The screens by their addresses. The rest of an address is an id.
 *
 * @type {Record<string, (id: string) => unknown>}
 */
const screens = {
    "today": () => toFront(),
    "today/start": () => makePlan(),
    "today/taster": () => toTaster(),
    "today/week": () => plan.open(),
    "today/profile": () => plan.profile(),
    "speak": () => toExams(),
    "speak/practise": () => toDrills(),
    "speak/check": () => checkAgain(),
    "speak/results": (id) => toResults(id),
    "speak/again": (id) => sayAgain(againOf(id), () => toResults(againOf(id).session)),
    "speak/exam": (id) => goOn(id),
    "learn": today,
    "learn/drill": drill,
    "learn/tests": tests,
    "learn/test": test,
    "learn/result": (id) => testResult(id, tests),
    "learn/lessons": lessons,
    "learn/lesson": openLesson,
    "progress": progress,
    "progress/done": tasks,
    "settings": () => settings({ makePlan, caller }),
    "class": (id) => group(id || (caller?.groups[0] ?? ""), caller?.isMember ?? false),
    "desk": () => marking(),
    "desk/exam": (id) => openDesk(id, marking),
};

/** Opens the screen that the address leads to. Unknown addresses lead to the first screen of their area. */
function arrive() {
    endCheck();
    const parts = partsOf(location.hash);
    const path = [parts.slice(0, 2).join("/"), parts[0]].find((each) => each in screens && maySee(each)) ?? firstPath();
    const id = parts.slice(path.split("/").length).join("/");
    return arriving(() => screens[path](id));
}

/**
 * Whether this user may see an area. Others lead nowhere.
 *
 * @param {string} path
 */
const maySee = (path) => !{ class: byId("to-class").hidden, desk: byId("to-desk").hidden }[path.split("/")[0]];

addEventListener("hashchange", () => {
    if (exam) {
        // The address stays that of the exam until the candidate has left it.
        history.pushState(null, "", hashOf("speak/exam", exam.session));
        return exam.askToLeave();
    }
    if (caller) attempt(null, arrive);
});
for (const link of [...all(byId("areas"), "a"), byId("to-settings")]) {
    // A press on the area that is shown already leads to its first screen again.
    link.onclick = () => {
        if (link.getAttribute("href") === location.hash) attempt(link, arrive);
    };
}

async function drill() {
    const { drill } = await practice.today();
    return drill ? openDrill(() => practice.resume(), { leave: today, again: () => drillOf({}) }) : today();
}

/** @param {string} id */
async function test(id) {
    const told = await practice.test(id);
    return told.state === "inProgress" ? takeTest(told, tests) : testResult(id, tests);
}

// Exams.

const toExams = (/** @type {any} */ wanted = undefined) => home({ begin: prepare, goOn, open: toResults }, wanted);
const toDrills = (/** @type {string | undefined} */ wanted = undefined) =>
    drills({ begin: prepare, goOn, open: toResults }, wanted);
const toResults = (/** @type {string} */ session, options = {}) =>
    results(
        session,
        (drill, exam) => (exam ? toResults(exam) : drill ? toDrills(drill) : toExams()),
        { ...options, again: sayAgain },
    );

/**
 * Returns the answer that an address asks to give again: "SESSION/part1_q5".
 *
 * @param {string} id
 */
const againOf = (id) => {
    const [session = "", answer = ""] = id.split("/");
    return { session, answer };
};

/**
 * Asks the question of an answer again, after the learner has agreed to be recorded.
 *
 * @param {{session: string, answer: string}} again
 * @param {() => unknown} [notNow] called if the learner does not agree
 */
async function sayAgain(again, notNow = () => {}) {
    const { consent } = await api.choices();
    if (!(await sure({ title: "Say it again?", text: consent, yes: "I agree", no: "Not now" }))) return notNow();
    prepare({ again, consent: true }, "The examiner asks this question again. It takes about a minute.");
}

/**
 * Leads to the last check again, if the user had to sign in during it.
 *
 * @type {() => unknown}
 */
let checkAgain = () => toExams();

/**
 * Leads from a choice to an exam or a drill through the microphone's check.
 *
 * @param {Asked["makeExam"]} wishes
 * @param {string} length
 * @param {{back?: () => unknown, over?: (session: string) => unknown}} [on] the ways from the check and the end
 */
function prepare(wishes, length, on = {}) {
    checkAgain = () => prepare(wishes, length, on);
    const { again } = wishes;
    const isPractice = Boolean(wishes.drill || wishes.part || again || on.over);
    const back = () => again ? toResults(again.session) : (isPractice ? toDrills(wishes.drill ?? "") : toExams());
    checkMicrophone({ length, begin: isPractice ? "Begin" : "Begin the exam" }, {
        begin: async (microphone) => sit(await api.makeExam(wishes), microphone, on.over),
        back: on.back ?? back,
    });
}

/**
 * Continues an exam that was left before its end, on this page or elsewhere.
 *
 * @param {string} session
 */
function goOn(session) {
    checkMicrophone({}, {
        begin: async (microphone) => {
            const answer = await api.liveToken(session);
            sit({ ...answer, session, live: answer.live ?? answer }, microphone);
        },
        back: () => toExams(),
    }, session);
}

/**
 * @param {Schemas["Exam"]} made
 * @param {import("./exam/microphone.js").Microphone} microphone
 * @param {(session: string) => unknown} over shows the results
 */
function sit(made, microphone, over = (session) => toResults(session, { isFresh: true })) {
    exam = new Exam(made, microphone, (reason) => {
        exam = null;
        if (reason.why === "over") return over(made.session);
        // The address leads back to the exam.
        if (reason.why === "signedOut") return signIn(false, true);
        stop(endedWords(reason), ["left", "elsewhere"].includes(reason.why) ? made.session : null);
    });
}

/**
 * Shows that an exam has stopped.
 *
 * @param {{title: string, detail?: string}} words
 * @param {string | null} session an exam that can be continued at once
 */
function stop({ title, detail = "" }, session) {
    byId("stopped-title").textContent = title;
    byId("stopped-detail").textContent = detail;
    byId("take-over").hidden = session === null;
    byId("take-over").onclick = () => session !== null && goOn(session);
    byId("stopped-home").textContent = session === null && !caller ? "Try again" : "Your exams";
    byId("stopped-home").onclick = (event) => attempt(event.target, () => caller ? toExams() : start());
    show("stopped");
}

// Plans.

/** Whether a learner without a plan was asked for one on this page. */
let isAsked = false;

/** @returns {void} */
const makePlan = () => {
    isAsked = true;
    firstVisit({ done: toTaster, notNow: toFront, more: () => plan.askProfile(null) });
};

/** After the taster, its results lead to the first step of the plan. */
const toTaster = () =>
    offerTaster({
        begin: (wishes, length) => prepare(wishes, length, {
            back: toTaster,
            over: (session) => results(
                session,
                toFront,
                { isFresh: true, back: "Today", again: sayAgain },
            ),
        }),
        done: toFront,
    });
const plan = new PlanScreen({
    makePlan,
    sit: toExams,
    speak: toDrills,
    results: (session, goBack, back) => results(session, goBack, { back }),
});
/** @returns {Promise<void>} */
const toFront = async () =>
    void await front({
        makePlan,
        isAsked,
        goOn,
        drill: async () => {
            const { drill, due, new: fresh } = await practice.today();
            if (drill) return openDrill(() => practice.resume(), { leave: toFront, again: () => drillOf({}) });
            return drillOf(due + fresh > 0 ? {} : { extra: true, count: 10 }, toFront);
        },
        screen: plan,
        assigned: { speak: speakAssigned, back: toFront },
    });

/**
 * Begins an exam or a spoken drill that a teacher assigned, after the learner has agreed to be recorded.
 *
 * @param {Omit<Asked["makeExam"], "consent">} wishes
 */
async function speakAssigned(wishes) {
    const { consent } = await api.choices();
    if (!(await sure({ title: "Begin now?", text: consent, yes: "I agree", no: "Not now" }))) return;
    prepare({ ...wishes, consent: true }, "", { back: toFront });
}

whenSignedOut((problem) => signIn(false, problem.code === "signed-out"));
watchNetwork();

byId("sign-out").onclick = (event) =>
    attempt(event.target, async () => {
        const address = caller?.isMember || caller?.school ? await account.signOut() : null;
        forgetDrafts();
        token.forget();
        if (address) location.assign(address);
        else location.reload();
    });
byId("sign-in-form").onsubmit = (event) => {
    event.preventDefault();
    token.set(byId("token").value.trim());
    byId("token").value = "";
    attempt(event.submitter, () => start(true));
};

remind();
followLink()
    .then((problem) => (linkProblem = problem))
    .then(() => start())
    .then(() => (linkProblem = null)) // Who is signed in did not see it, and needs it no more.
    .finally(keepPage); // Only now, because the first screen needs the line.
