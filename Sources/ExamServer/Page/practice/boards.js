/** The boards of the learner's groups: the minutes of practice in the last seven days of the learners who joined. */
import { practice } from "../kit/practice-api.js";
import { oneDecimal } from "./practice-words.js";
import { announce, attempt, button, byId, make } from "../kit/screen.js";
import { of } from "../kit/words.js";

/** @param {Schemas["PracticeBoards"]["boards"]} boards one for each of the learner's groups */
export function drawBoards(boards) {
    byId("boards").hidden = boards.length === 0;
    byId("boards-list").replaceChildren(...boards.map((board) => (board.rows ? joined(board) : open(board))));
}

/** @param {string} words */
async function again(words) {
    drawBoards(await practice.boards());
    byId("boards-title").tabIndex = -1;
    byId("boards-title").focus();
    announce(words);
}

/** @param {Schemas["PracticeBoards"]["boards"][number]} board */
export function joined({ group, rows = [] }) {
    const lines = rows.map(({ place, name, minutes, isYou }) =>
        make(
            "tr",
            {},
            make("td", { text: String(place) }),
            make("th", { scope: "row", dir: "auto", text: isYou ? `${name} (you)` : name }),
            make("td", { text: oneDecimal(minutes) }),
        ),
    );
    const head = make("tr", {}, ...["Place", "Name", "Minutes"].map((text) => make("th", { scope: "col", text })));
    const leave = button("Leave this board", async () => {
        await practice.leaveBoard(group);
        await again("You are no longer on this board.");
    }, `Leave the board of ${group}`);
    return make(
        "div", {},
        make(
            "table",
            { class: "figures" },
            make("caption", { text: `${group}: ${of(rows.length, "learner")}` }),
            make("thead", {}, head),
            make("tbody", {}, ...lines),
        ),
        make("p", { class: "actions" }, leave),
    );
}

let boardCount = 0;

/** The form for joining a board. */
/** @param {Schemas["PracticeBoards"]["boards"][number]} board */
function open({ group }) {
    const id = `board-${(boardCount += 1)}`;
    const field = make("input", { id, type: "text", maxlength: "40", required: "", autocomplete: "nickname" });
    const form = make(
        "form",
        {},
        make("label", { for: id, text: `Your name on the board of ${group}` }),
        field,
        make("p", { class: "actions" }, make("button", { text: "Join the board" })),
    );
    form.onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, async () => {
            await practice.joinBoard(group, field.value);
            await again(`You are on the board of ${group}.`);
        });
    };
    return form;
}
