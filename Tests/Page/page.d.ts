/** Finds an element by its id: one of the page's HTML, or one that a script made. */
interface ElementById {
    <Id extends keyof PageElements>(id: Id): PageElements[Id];
    (id: `bar-${string}`): HTMLProgressElement;
    (id: `state-${string}`): HTMLElement;
}

/** `state` of PROTOCOL.md. What does not apply is absent. */
interface LiveState {
    stage: string;
    activity: string;
    n?: number;
    at?: number;
    part?: number;
    partTitle?: string;
    turn?: number;
    order?: number;
    text?: string;
    card?: { topic: string; points: string[]; explain: string };
    picture?: LivePicture;
    alternatives?: { title: string; points: string[] }[];
    choice?: number | null;
    together?: { text: string; picture?: LivePicture }[];
    practice?: boolean;
    purpose?: string;
    allowed?: string[];
    allowedIn?: Record<string, number>;
    notesAllowed?: boolean;
    notesOf?: number;
    preparationSeconds?: number;
    answerSeconds?: number;
    timeWarning?: boolean;
    trouble?: string | null;
    storing?: number;
    problem?: string;
}

interface LivePicture {
    url: string;
    description: string;
}

/** Why a live exam ended on this page. */
interface EndOfExam {
    why: string;
    title?: string;
    detail?: string;
    outcome?: string;
}

/** A problem that is shown: what happened, and what to do. */
interface Shown {
    title: string;
    detail?: string;
}
