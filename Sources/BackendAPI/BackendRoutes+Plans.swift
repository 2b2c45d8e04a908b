/// The routes of study plans. Bodies and answers are profiles, plans and prep packs in the form of `docs/schemas`.
///
/// | request | body | done |
/// |---|---|---|
/// | `POST {base}/generate/routine` | a profile | 200 with the plan of this week; like the next two, it isn't stored |
/// | `POST {base}/generate/prep` | a profile | 200 with a prep pack |
/// | `POST {base}/reroll` | `{"section","profile","currentPlan"}` | 200 with the plan's next version |
/// | `GET`, `DELETE {base}/v1/plan` | | 200 with the learner's own; 204 |
/// | `PUT {base}/v1/plan/profile` | a profile | 200 with the learner's own |
/// | `POST {base}/v1/plan/preview`, `POST {base}/v1/plan` | `{"anew"?}`; `{"version","anew"?}` | 200 with the changes; 200 when they are made |
/// | `POST {base}/v1/plan/reroll`, `POST {base}/v1/plan/undo` | `{"section"}`; `{}` | 200 with the learner's own |
/// | `GET {base}/v1/plan/prep`, `…/calendar`, `…/export` | | 200 with JSON, iCalendar, JSON |
/// | `POST {base}/v1/plan/reviewed` | `{"session"}` | 204 |
///
/// `Oracy-Offset` is the difference of the learner's clock from UTC, in seconds to the east.
extension BackendRoutes {
    package var generatedRoutine: String { "\(base)/generate/routine" }
    package var generatedPrep: String { "\(base)/generate/prep" }
    package var rerolledPlan: String { "\(base)/reroll" }

    package var plan: String { "\(base)/v1/plan" }

    /// - Parameter part: `profile`, `preview`, `reroll`, `undo`, `prep`, `calendar`, `export` or `reviewed`.
    package func plan(_ part: String) -> String { "\(plan)/\(part)" }

    /// The header with the seconds east of UTC.
    package static let offsetHeader = "Oracy-Offset"
}
