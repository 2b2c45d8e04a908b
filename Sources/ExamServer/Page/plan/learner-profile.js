/** The learner's profile: asked once, changed at any time, saved as a file, erased. */
import { Problem } from "../kit/api.js";
import { person, planner } from "../kit/plan-api.js";
import { BANDS, fault, WEEKDAYS, keptWords } from "./plan-words.js";
import { saveFile } from "../kit/save-file.js";
import { announce, attempt, byId, checked, inside, make, show, sure } from "../kit/screen.js";

const FIELDS = [
    "name",
    "stage",
    "targetRole",
    "timeBudgetHoursPerDay",
    "availableDays",
    "constraints",
    "goalBand",
    "testDate",
];
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (
    document.getElementById(`profile-${name}`)
);

/**
 * @param {Schemas["LearnerProfile"] | null} profile null before the first one
 * @param {import("./plan-links.js").PlanWays} screen shown afterwards
 */
export async function askProfile(profile, screen) {
    const isNew = profile === null;
    const title = isNew ? "Make your plan" : "Your profile";
    byId("profile-title").textContent = title;
    byId("profile-about").textContent = isNew
        ? "Your week is planned from what you say here and from what you do: exams, drills, lessons. " +
          "Only you can see it."
        : "The plan stays as it is until you take another one.";
    byId("profile-keep").textContent = isNew ? "Keep it, and plan my week" : "Keep it";
    byId("profile-back").textContent = isNew ? "Not now" : "Your plan";
    byId("profile-own").hidden = isNew;
    forgetFaults();
    offerBands(byId("profile-goalBand"));
    offerDays(profile?.availableDays ?? WEEKDAYS.slice(0, 5));
    fill(profile ?? { name: await knownName() });
    byId("profile-form").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => keep(profile, screen));
    };
    byId("profile-back").onclick = (event) => attempt(event.target, () => screen.open());
    byId("profile-export").onclick = (event) =>
        attempt(event.target, async () => {
            saveFile(await planner.export(), "oracy-plan.json");
            announce("The copy was saved.");
        });
    byId("profile-erase").onclick = (event) => attempt(event.target, () => erase(screen));
    show("profile");
}

/** The radio buttons for the kind of exam. */
const kinds = () => /** @type {RadioNodeList} */ (byId("profile-form").elements.namedItem("kind"));

/** Returns the learner's name from their account. Empty if it is unknown. */
const knownName = async () => (await person.told().catch(() => null))?.fullName ?? "";

/** @param {HTMLSelectElement} select */
export function offerBands(select) {
    select.replaceChildren(
        make("option", { value: "", text: "None" }),
        ...BANDS.map((band) => make("option", { value: String(band), text: String(band) })),
    );
}

/** @param {string[]} chosen */
function offerDays(chosen) {
    byId("profile-days").replaceChildren(...WEEKDAYS.map((name) => {
        const box = make("input", { type: "checkbox", value: name });
        box.checked = chosen.includes(name);
        return make("label", { class: "choice" }, box, make("span", { text: name }));
    }));
}

/** @param {Partial<Schemas["LearnerProfile"]>} profile */
function fill({
    name = "",
    stage = "",
    targetRole = "",
    timeBudgetHoursPerDay = 0.5,
    constraints,
    goalBand,
    testDate = "",
    format,
}) {
    for (const [each, value] of Object.entries({
        name,
        stage,
        targetRole,
        timeBudgetHoursPerDay,
        testDate,
    })) field(each).value = String(value);
    field("constraints").value = (constraints ?? []).join("\n");
    // A goal from elsewhere may be lower than those offered here.
    if (typeof goalBand === "number" && !BANDS.includes(goalBand)) {
        field("goalBand").append(make("option", { value: String(goalBand), text: String(goalBand) }));
    }
    field("goalBand").value = typeof goalBand === "number" ? String(goalBand) : "";
    kinds().value = format ?? "exam";
}

/**
 * Returns the form's values. Empty fields are left out.
 *
 * @returns {Asked["setProfile"]}
 */
export function said() {
    const text = (name) => field(name).value.trim();
    const constraints = field("constraints").value.split("\n").map((line) => line.trim()).filter(Boolean);
    const hours = field("timeBudgetHoursPerDay").value;
    return {
        name: text("name"),
        stage: text("stage"),
        targetRole: text("targetRole"),
        timeBudgetHoursPerDay: Number(hours),
        availableDays: WEEKDAYS.filter((day) => checked(byId("profile-days")).includes(day)),
        ...(constraints.length > 0 && { constraints }),
        ...(field("goalBand").value && { goalBand: Number(field("goalBand").value) }),
        ...(field("testDate").value && { testDate: field("testDate").value }),
        format: kinds().value === "interview" ? "interview" : "exam",
    };
}

/** @param {Schemas["LearnerProfile"] | null} old @param {import("./plan-links.js").PlanWays} screen */
async function keep(old, screen) {
    forgetFaults();
    try {
        const told = await planner.keepProfile(said());
        screen.redraw(told, old
            ? "Kept. The plan is as it was. “Another plan…” shows a plan for the new profile." : keptWords(told));
    } catch (problem) {
        if (!(problem instanceof Problem && tell(problem))) throw problem;
    }
}

/**
 * Shows an error at its field, and focuses it.
 *
 * @param {{detail: string}} problem
 * @returns {boolean} whether the error belongs to a field of the form
 */
function tell({ detail }) {
    const { field: name, words } = fault(detail) ?? {};
    if (name === undefined || !FIELDS.includes(name)) return false;
    const place = field(name);
    const title = place.matches("fieldset")
        ? inside(place, "legend")
        : inside(byId("profile-form"), `label[for="profile-${name}"]`);
    const line = make("p", { class: "field-fault", id: "profile-fault", text: `${title.textContent}: ${words}` });
    title.after(line);
    place.setAttribute("aria-describedby", [
        "profile-fault",
        place.dataset.about ?? (place.dataset.about = place.getAttribute("aria-describedby") ?? ""),
    ].join(" ").trim());
    if (!place.matches("fieldset")) place.setAttribute("aria-invalid", "true");
    place.focus();
    announce(line.textContent ?? "");
    return true;
}

function forgetFaults() {
    document.getElementById("profile-fault")?.remove();
    for (const place of FIELDS.map(field)) {
        place.removeAttribute("aria-invalid");
        if (place.dataset.about) place.setAttribute("aria-describedby", place.dataset.about);
        else if (place.dataset.about === "") place.removeAttribute("aria-describedby");
    }
}

/** @param {import("./plan-links.js").PlanWays} screen */
async function erase(screen) {
    const isSure = await sure({
        title: "Erase profile and plans?",
        text:
            "Your profile and all versions of your plans are erased from the server. " +
            "This cannot be undone. Exams, practice and tests stay.",
        yes: "Erase for good",
        no: "Keep them",
    });
    if (!isSure) return;
    await planner.erase();
    screen.redraw(await planner.told(), "Your profile and plans are erased.");
}
