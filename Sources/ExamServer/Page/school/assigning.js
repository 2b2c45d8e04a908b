/** A teacher's group: the work assigned to it with the states of its learners, and assigning more. */
import { api } from "../kit/api.js";
import { assigned, longDay, workStateWords } from "../kit/assigned-api.js";
import { practice } from "../kit/practice-api.js";
import { saveFile } from "../kit/save-file.js";
import { announce, attempt, button, byId, make, sure } from "../kit/screen.js";

/** @typedef {Schemas["GroupAssignments"]} Table */
/** @typedef {Table["learners"][number]} Learner */

/**
 * Shows the group's assigned work.
 *
 * @param {string} group
 * @param {(session: string, whose: string) => unknown} open shows the results of an exam
 */
export async function showAssigned(group, open) {
    const table = await assigned.table(group);
    const again = () => showAssigned(group, open);
    byId("assigned-none").hidden = table.assignments.length > 0;
    byId("assigned-csv").hidden = table.assignments.length === 0;
    byId("assigned-list").replaceChildren(...table.assignments.map((one) => item(one, table, { group, open, again })));
    byId("assigned-csv").onclick = () =>
        attempt(byId("assigned-csv"), async () => saveFile(await assigned.csv(group), "assignments.csv"));
    offerLearners(table.learners);
    byId("assign").ontoggle = () => attempt(null, async () => byId("assign").open && (await offerWork()));
    byId("assign-form").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, async () => {
            const { title } = await assigned.assign(group, wish());
            byId("assign").open = false;
            await again();
            announce(`Assigned: ${title}`);
            byId("assigned-title").focus();
        });
    };
}

/**
 * Returns a learner's name, or the beginning of their id.
 *
 * @param {Learner} learner
 */
const nameOf = ({ user, name }) => name || `Learner ${user.slice(0, 8)}`;

/**
 * "1 of 3 done, 1 late, 1 missing" Pure.
 *
 * @param {{status: string}[]} results
 */
export function countWords(results) {
    const count = (/** @type {string} */ name) => results.filter(({ status }) => status === name).length;
    const [late, missing] = [count("late"), count("missing")];
    return [
        `${count("done") + late} of ${results.length} done`,
        late > 0 && `${late} late`,
        missing > 0 && `${missing} missing`,
    ].filter(Boolean).join(", ");
}

/**
 * @param {Table["assignments"][number]} one
 * @param {Table} table
 * @param {{group: string, open: (session: string, whose: string) => unknown, again: () => Promise<void>}} on
 */
function item(one, { learners }, { group, open, again }) {
    const names = new Map(learners.map((learner) => [learner.user, nameOf(learner)]));
    const nameOfUser = (/** @type {string} */ user) => names.get(user) ?? `Learner ${user.slice(0, 8)}`;
    const facts = [
        `by ${longDay(one.due)}`,
        one.learner ? `for ${nameOfUser(one.learner)}` : "for everyone",
        countWords(one.results),
    ];
    const rows = one.results.map(({ user, session, ...state }) => {
        const name = nameOfUser(user);
        const row = make("li", {}, make("b", { dir: "auto", text: name }), `: ${workStateWords(state)} `);
        if (session) row.append(button("Results", () => open(session, name), `Results: ${name}, ${one.title}`));
        return row;
    });
    const withdraw = button("Withdraw…", async () => {
        const text = "The learners do not see it any more. What they have done stays with them.";
        if (!(await sure({ title: "Withdraw this work?", text, yes: "Withdraw it", no: "Keep it" }))) return;
        await assigned.withdraw(group, one.id);
        await again();
        announce("It is withdrawn.");
        byId("assigned-title").focus();
    }, `Withdraw: ${one.title}`);
    return make(
        "li",
        {},
        make("p", {}, make("b", { text: one.title }), make("br"), make("span", {
            class: "facts",
            dir: "auto",
            text: facts.join(" · "),
        })),
        ...(one.note ? [make("p", { dir: "auto", text: one.note })] : []),
        make("ul", {}, ...rows),
        make("p", { class: "actions" }, withdraw),
    );
}

/** @param {Learner[]} learners */
function offerLearners(learners) {
    const select = byId("assign-to");
    const chosen = select.value;
    select.replaceChildren(
        make("option", { value: "", text: "Everyone" }),
        ...learners.map((learner) => make("option", { value: learner.user, text: nameOf(learner) })),
    );
    if (learners.some(({ user }) => user === chosen)) select.value = chosen;
}

/** Offers everything that can be assigned, and a week from now as the day. */
async function offerWork() {
    const select = byId("assign-work");
    if (select.childElementCount > 0) return;
    const [choices, packs, categories] = await Promise.all([api.choices(), practice.packs(), practice.lessons()]);
    const option = (/** @type {{id: string, title: string}} */ { id, title }) =>
        make("option", { value: id, text: title });
    select.replaceChildren(
        ...kinds(choices, packs, categories).map(({ label, works }) =>
            make("optgroup", { label }, ...works.map(option))
        ),
    );
    const now = new Date();
    const week = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 7);
    const digits = (/** @type {number} */ number) => String(number).padStart(2, "0");
    byId("assign-due").value = `${week.getFullYear()}-${digits(week.getMonth() + 1)}-${digits(week.getDate())}`;
}

/**
 * Returns the work that can be assigned, by kinds.
 *
 * @param {Pick<Schemas["Choices"], "drills" | "formats" | "papers">} choices
 * @param {Answered["practicePacks"]["packs"]} packs
 * @param {Answered["lessons"]["categories"]} categories
 * @returns {{label: string, works: {id: string, title: string}[]}[]}
 */
function kinds({ drills, formats, papers }, packs, categories) {
    const titles = new Map(papers.map(({ id, title }) => [id, title]));
    return [
        {
            label: "Speaking exam",
            works: [
                { id: "sit:part1", title: "Part 1 of an exam" },
                { id: "sit:part2", title: "Part 2 of an exam" },
                { id: "sit:part3", title: "Part 3 of an exam" },
                { id: "sit:full", title: "A whole exam" },
                { id: "sit:interview", title: "A whole job interview" },
            ],
        },
        { label: "Speaking", works: drills.map(({ name, title }) => ({ id: `speak:${name}`, title })) },
        {
            label: "Questions",
            works: [
                { id: "test:new", title: "A test" },
                // A pack of one's own mistakes is each learner's own.
                ...packs.filter(({ lesson, id }) => !lesson && id !== "mended").map(({ id, title }) => ({
                    id: `drill:${id}`,
                    title: `Drill: ${title}`,
                })),
            ],
        },
        ...categories.map(({ title, lessons }) => ({
            label: `Lessons: ${title}`,
            works: lessons.map(({ id, title }) => ({ id: `lesson:${id}`, title })),
        })),
        ...formats.map(({ id: format, title, papers }) => ({
            label: `${title}, with these questions`,
            works: papers.map((paper) => ({ id: `paper:${format}/${paper}`, title: titles.get(paper) ?? paper })),
        })),
    ];
}

/** @returns {Asked["assign"]} */
function wish() {
    const [learner, note] = [byId("assign-to").value, byId("assign-note").value.trim()];
    return {
        work: byId("assign-work").value,
        due: byId("assign-due").value,
        ...(learner && { learner }),
        ...(note && { note }),
    };
}
