"""Has questions written on the page about a learner's own subjects, and chooses them for an exam.

Usage: page-papers.py BASE RECORDING.wav --token TOKEN --format ID --go ADDRESS

A request to ADDRESS lets the model continue writing. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page
fails.
"""
import urllib.request

from learner import Failed, arguments, learner, tell, until


def write(options):
    with learner(options.base, options.recording) as someone:
        page = someone.page
        someone.open(options.token)
        someone.goes_to("combobox", "Exam", exact=True)
        page.get_by_label("Exam", exact=True).select_option(options.format)
        someone.opens_the_questions()
        if page.locator("#own-papers").is_visible():
            raise Failed("there are questions that were not written")

        someone.presses("button", "Have them written")
        someone.reads("#problem", "What should the questions be about?")
        orders(someone, "bees")
        someone.reads("#own-papers-list", "Being written: 0 of 1")
        someone.is_accessible("writing")
        someone.looks("papers-writing")
        urllib.request.urlopen(options.go).read()
        someone.reads("#own-papers-list", "Written by a model, and not yet checked by a person")
        someone.reads("#paper", "Yours: ")

        orders(someone, "volcanoes")
        someone.reads("#own-papers-list", "wrote nothing that can be used")
        someone.is_accessible("failed")
        someone.looks("papers-failed")
        someone.presses("button", "Try again: volcanoes")
        someone.reads("#own-papers-list", "Being written")
        someone.reads("#own-papers-list", "wrote nothing that can be used")
        someone.presses("button", "Erase: volcanoes")
        someone.presses("button", "Keep them")
        someone.presses("button", "Erase: volcanoes")
        someone.presses("button", "Erase", exact=True)
        until(lambda: page.locator("#own-papers-list > li").count() == 1, "what was erased is still there", page=page)

        someone.presses("button", "Choose it")
        someone.reads("#paper-about", "no person has checked them yet")
        someone.seen["chosen"] = page.locator("#paper option:checked").inner_text()
        someone.starts("Practice")
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return someone.seen


def orders(someone, topic):
    """A subject is sent to a third party only if the learner agrees."""
    someone.goes_to("textbox", "Or have questions written")
    someone.page.keyboard.type(topic)
    someone.presses("button", "Have them written")
    someone.sees("heading", "Do you agree for Example Ltd?")
    someone.presses("button", "No", exact=True)
    someone.presses("button", "Have them written")
    someone.presses("button", "I agree", exact=True)


if __name__ == "__main__":
    parser = arguments()
    parser.add_argument("--go")
    options = parser.parse_args()
    tell(lambda: write(options))
