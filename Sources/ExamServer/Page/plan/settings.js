/**
 * A learner's settings: colours, name and picture, goal, reminders, and information on reporting problems and on stored
 * data.
 */
import { api } from "../kit/api.js";
import { account, ownClass } from "../kit/class-api.js";
import { offerBands } from "./learner-profile.js";
import { offerHabits } from "../practice/habits.js";
import { person, planner } from "../kit/plan-api.js";
import { practice } from "../kit/practice-api.js";
import { permission, reminder } from "./reminders.js";
import { announce, attempt, byId, show, showProblem } from "../kit/screen.js";
import { theme } from "../kit/theme.js";

const MOST_BYTES = 1 << 20;

/** @param {{makePlan: () => unknown, caller: Answered["me"] | null}} on */
export async function settings(on) {
    const [told, who, { consent }, day, own] = await Promise.all([
        planner.told(),
        person.told(),
        api.choices(),
        practice.today(),
        on.caller?.isMember ? ownClass.told() : null,
    ]);
    drawClass(own);
    drawSchool(on.caller);
    offerThemes();
    await drawPerson(who);
    drawGoal(told.profile, on);
    offerHabits(day);
    byId("settings-kept").textContent = "";
    offerReminders();
    byId("legal-consent").textContent = `Before an exam you agree to this: “${consent}”`;
    show("settings");
}

function offerThemes() {
    for (const choice of byId("themes").querySelectorAll("input")) {
        choice.checked = choice.value === theme.get();
        choice.onchange = () => theme.set(choice.value);
    }
}

/** @param {Schemas["OwnClass"] | null} own the user's class, if they signed in as its member */
function drawClass(own) {
    byId("settings-class").hidden = own === null;
    byId("sign-out-everywhere").onclick = (event) =>
        attempt(event.target, async () => {
            await account.signOutEverywhere();
            location.reload();
        });
    if (own === null) return;
    offerPIN(own);
    const teachers = own.teachers.join(", ");
    byId("class-words").textContent = own.role === "teacher"
        ? `You teach the class ${own.class}. You see and hear its learners’ exams, and they see what you read.`
        : `You are ${own.name} in the class ${own.class}. The teacher (${teachers}) can see and hear your exams. `
            + "If your teacher assigns work, they also see whether and when you did it. "
            + "Your classmates see nothing of yours, except on a board that you join.";
}

/** @param {Schemas["OwnClass"]} own */
function offerPIN(own) {
    // A teacher signs in with a link.
    byId("change-pin").hidden = own.role !== "learner";
    byId("pin-said").textContent = "";
    byId("pin-form").reset();
    byId("pin-form").onsubmit = (event) => {
        event.preventDefault();
        byId("pin-said").textContent = "";
        attempt(event.submitter, async () => {
            await account.changePIN({ pin: byId("pin-now").value, newPin: byId("pin-new").value });
            byId("pin-form").reset();
            byId("pin-said").textContent = "Your PIN is changed.";
        });
    };
}

/** @param {Answered["me"] | null} caller */
function drawSchool(caller) {
    const school = caller?.school;
    byId("sign-out-everywhere").hidden = !school && !caller?.isMember;
    byId("settings-school").hidden = !school;
    if (!caller || !school) return;
    const groups = caller.groups.join(", ");
    const isTeacher = caller.roles.includes("teacher");
    const words = [`You signed in with ${school}.`];
    if (groups && isTeacher) words.push(`You teach ${groups}: you see and hear those learners’ exams.`);
    if (groups && caller.roles.length === 0) {
        words.push(`You are in ${groups}. The teachers of these groups can see and hear your exams.`);
    }
    if (!groups) words.push("Your school names no group of yours.");
    byId("school-words").textContent = words.join(" ");
}

// Name and picture.

/** @type {{username?: string, fullName?: string}} */
let shown = {};

/** @param {Schemas["Profile"]} who */
async function drawPerson(who) {
    shown = who;
    byId("person-name").value = who.fullName ?? "";
    const address = who.picture ? await person.picture().catch(() => null) : null;
    byId("person-shown").hidden = byId("person-remove").hidden = !address;
    if (address) byId("person-picture").src = address;
    byId("person-form").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, async () => {
            const name = byId("person-name").value.trim();
            await drawPerson(await person.keep({ username: shown.username, ...(name && { fullName: name }) }));
            announce("The name is kept.");
        });
    };
    byId("person-file").onchange = () => attempt(null, takePicture);
    byId("person-remove").onclick = (event) =>
        attempt(event.target, async () => {
            await drawPerson(await person.removePicture(shown));
            byId("person-file").focus();
            announce("The picture is removed.");
        });
}

async function takePicture() {
    const [file] = byId("person-file").files ?? [];
    if (!file) return;
    byId("person-file").value = "";
    if (file.size > MOST_BYTES) {
        return showProblem({ title: "This picture is too large.", detail: "It can have up to 1 MB." });
    }
    await person.keepPicture(file);
    await drawPerson(await person.told());
    announce("The picture is kept.");
}

// The goal, which belongs to the profile.

/** @param {Schemas["LearnerProfile"] | undefined} profile @param {{makePlan: () => unknown}} on */
function drawGoal(profile, on) {
    offerBands(byId("goal"));
    byId("goal").value = profile?.goalBand === undefined ? "" : String(profile.goalBand);
    byId("goal").disabled = !profile;
    byId("goal-about").textContent = profile
        ? "Your plan's next version uses it." : "It is part of your profile: make your plan first.";
    byId("goal-keep").textContent = profile ? "Keep the goal" : "Make my plan";
    byId("goal-form").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, async () => {
            if (!profile) return on.makePlan();
            const { goalBand: _, ...rest } = profile;
            const band = byId("goal").value;
            drawGoal((await planner.keepProfile({ ...rest, ...(band && { goalBand: Number(band) }) })).profile, on);
            announce("The goal is kept.");
        });
    };
}

// Reminders.

function offerReminders() {
    const [box, time] = [byId("remind"), byId("remind-at")];
    const tell = (problem = "") => (byId("remind-said").textContent = problem || (reminder.get().isOn
        ? `On: at ${reminder.get().at}, while this page is open.`
        : ""));
    box.checked = reminder.get().isOn && globalThis.Notification?.permission === "granted";
    time.value = reminder.get().at;
    tell();
    // The browser is asked only if the learner wants reminders.
    box.onchange = async () => {
        const problem = box.checked ? await permission() : "";
        if (problem) box.checked = false;
        reminder.set({ isOn: box.checked, last: undefined });
        tell(problem);
    };
    time.onchange = () => {
        if (!time.value) time.value = reminder.get().at;
        reminder.set({ at: time.value, last: undefined });
        tell();
    };
}
