/// The routes of study plans. Bodies and answers are profiles, plans and prep packs as `docs/schemas` describes them.
///
/// | request | body | done |
/// |---|---|---|
/// | `POST {base}/generate/routine` | a profile | 200 with the plan of this week; nothing is kept, as of the next two |
/// | `POST {base}/generate/prep` | a profile | 200 with a prep pack |
/// | `POST {base}/reroll` | `{"section","profile","currentPlan"}` | 200 with the plan's next version |
/// | `GET`, `DELETE {base}/v1/plan` | | 200 with the learner's own; 204 |
/// | `PUT {base}/v1/plan/profile` | a profile | 200 with the learner's own |
/// | `POST {base}/v1/plan/preview`, `POST {base}/v1/plan` | `{"anew"?}`; `{"version","anew"?}` | 200 with what would change; 200 when it has |
/// | `POST {base}/v1/plan/reroll`, `POST {base}/v1/plan/undo` | `{"section"}`; `{}` | 200 with the learner's own |
/// | `GET {base}/v1/plan/prep`, `…/calendar`, `…/export` | | 200 with JSON, iCalendar, JSON |
/// | `POST {base}/v1/plan/reviewed` | `{"session"}` | 204 |
///
/// `Oracy-Offset` says how far the learner's clock is from UTC, in seconds to the east.
extension BackendRoutes {
    package var generatedRoutine: String { "\(base)/generate/routine" }
    package var generatedPrep: String { "\(base)/generate/prep" }
    package var rerolledPlan: String { "\(base)/reroll" }

    package var plan: String { "\(base)/v1/plan" }

    /// - Parameter part: `profile`, `preview`, `reroll`, `undo`, `prep`, `calendar`, `export` or `reviewed`.
    package func plan(_ part: String) -> String { "\(plan)/\(part)" }

    /// Seconds east of UTC.
    package static let offsetHeader = "Oracy-Offset"
}
