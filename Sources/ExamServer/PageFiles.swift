extension PageRoutes {
    /// Every file of the page, by its name: nothing else can be asked for.
    static let files: [String: [UInt8]] = [
        "allowed.js": PackageResources.allowed_js,
        "answer.js": PackageResources.answer_js,
        "api.js": PackageResources.api_js,
        "blocks.js": PackageResources.blocks_js,
        "capture-worklet.js": PackageResources.capture_worklet_js,
        "check.js": PackageResources.check_js,
        "closing.js": PackageResources.closing_js,
        "connection.js": PackageResources.connection_js,
        "exam-screen.js": PackageResources.exam_screen_js,
        "exam.js": PackageResources.exam_js,
        "home.js": PackageResources.home_js,
        "index.html": PackageResources.index_html,
        "level.js": PackageResources.level_js,
        "main.js": PackageResources.main_js,
        "microphone.js": PackageResources.microphone_js,
        "notes.js": PackageResources.notes_js,
        "page.css": PackageResources.page_css,
        "player.js": PackageResources.player_js,
        "resampler.js": PackageResources.resampler_js,
        "results.js": PackageResources.results_js,
        "screen.js": PackageResources.screen_js,
        "time-left.js": PackageResources.time_left_js,
        "waveform.js": PackageResources.waveform_js,
        "words.js": PackageResources.words_js,
    ]
}
