import ExamCore
import Foundation

extension PageRoutes {
    /// Every file of the page, by its name: nothing else can be asked for.
    static let files: [String: [UInt8]] = [
        "allowed.js": PackageResources.allowed_js,
        "answer.js": PackageResources.answer_js,
        "api.js": PackageResources.api_js,
        "blocks.js": PackageResources.blocks_js,
        "boards.js": PackageResources.boards_js,
        "capture-worklet.js": PackageResources.capture_worklet_js,
        "check.js": PackageResources.check_js,
        "closing.js": PackageResources.closing_js,
        "connection.js": PackageResources.connection_js,
        "consents.js": PackageResources.consents_js,
        "dark.css": PackageResources.dark_css,
        "delivery.js": PackageResources.delivery_js,
        "desk.js": PackageResources.desk_js,
        "drill.js": PackageResources.drill_js,
        "events.js": PackageResources.events_js,
        "exam-screen.js": PackageResources.exam_screen_js,
        "exam.js": PackageResources.exam_js,
        "front.js": PackageResources.front_js,
        "group.js": PackageResources.group_js,
        "home.js": PackageResources.home_js,
        "index.html": index,
        "learner-profile.js": PackageResources.learner_profile_js,
        "lesson-items.js": PackageResources.lesson_items_js,
        "lessons.js": PackageResources.lessons_js,
        "level.js": PackageResources.level_js,
        "line.js": PackageResources.line_js,
        "main.js": PackageResources.main_js,
        "marking.js": PackageResources.marking_js,
        "marks.js": PackageResources.marks_js,
        "microphone.js": PackageResources.microphone_js,
        "notes.js": PackageResources.notes_js,
        "opus.js": PackageResources.opus_js,
        "own-words.js": PackageResources.own_words_js,
        "page.css": PackageResources.page_css,
        "papers.js": PackageResources.papers_js,
        "pictures.js": PackageResources.pictures_js,
        "plan-api.js": PackageResources.plan_api_js,
        "plan-change.js": PackageResources.plan_change_js,
        "plan-links.js": PackageResources.plan_links_js,
        "plan-words.js": PackageResources.plan_words_js,
        "plan.css": PackageResources.plan_css,
        "plan.js": PackageResources.plan_js,
        "player.js": PackageResources.player_js,
        "practice-api.js": PackageResources.practice_api_js,
        "practice-settings.js": PackageResources.practice_settings_js,
        "practice-tasks.js": PackageResources.practice_tasks_js,
        "practice-words.js": PackageResources.practice_words_js,
        "progress.js": PackageResources.progress_js,
        "question.js": PackageResources.question_js,
        "readings.js": PackageResources.readings_js,
        "reminders.js": PackageResources.reminders_js,
        "resampler.js": PackageResources.resampler_js,
        "results.js": PackageResources.results_js,
        "said.js": PackageResources.said_js,
        "save-file.js": PackageResources.save_file_js,
        "screen.js": PackageResources.screen_js,
        "sending.js": PackageResources.sending_js,
        "settings.js": PackageResources.settings_js,
        "statistics.js": PackageResources.statistics_js,
        "task.js": PackageResources.task_js,
        "test-result.js": PackageResources.test_result_js,
        "test.js": PackageResources.test_js,
        "tests.js": PackageResources.tests_js,
        "theme.js": PackageResources.theme_js,
        "time-left.js": PackageResources.time_left_js,
        "today.js": PackageResources.today_js,
        "transcript.js": PackageResources.transcript_js,
        "troubles.js": troubles,
        "voice.js": PackageResources.voice_js,
        "waveform.js": PackageResources.waveform_js,
        "words.js": PackageResources.words_js,
        "zip.js": PackageResources.zip_js,
    ]

    /// With the screens of practice and of plans, and the words for a page whose scripts are missing.
    private static let index: [UInt8] = {
        let words = Advice.named("pageBroken")?.text ?? ""
        let practice = String(decoding: PackageResources.practice_html, as: UTF8.self)
        let plan = String(decoding: PackageResources.plan_html, as: UTF8.self)
        return Array(
            String(decoding: PackageResources.index_html, as: UTF8.self).replacing(">pageBroken<", with: ">\(words)<")
                .replacing("  <!-- practice.html -->\n", with: practice).replacing("  <!-- plan.html -->\n", with: plan)
                .utf8)
    }()

    /// What may go wrong, in the words that the terminal has as well.
    private static let troubles: [UInt8] = {
        let words = Advice.all.map { name, advice in
            "    \(name): { title: \(quoted(advice.cause)), detail: \(quoted(advice.remedy)) },\n"
        }
        return Array("/** Made by the server from `Advice`. */\nexport const troubles = {\n\(words.joined())};\n".utf8)
    }()

    private static func quoted(_ text: String) -> String {
        // Only texts that are no Unicode fail.
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
