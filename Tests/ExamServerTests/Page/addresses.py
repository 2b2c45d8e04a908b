"""The addresses of the page's screens, for page-practice.py: Back, Forward, a reload, and addresses that a person typed."""
from learner import Failed


def goes_back_and_forward(someone):
    """Back, Forward and a reload lead to the screens by their addresses. A lesson, a drill and a test have one of their own."""
    page = someone.page
    someone.goes_to_place("Lessons")
    page.get_by_role("button", name="Read: ").first.focus()
    page.keyboard.press("Enter")
    page.locator("#lesson").wait_for()
    title, address = page.locator("#lesson-title").inner_text().strip(), page.url
    moves = (page.go_back, "Lessons"), (page.go_back, "Practice"), (page.go_forward, "Lessons"), (page.go_forward, title), (page.reload, title)
    for move, heading in moves:
        move()
        someone.sees("heading", heading)
    if page.url != address:
        raise Failed(f"the lesson is at {page.url}, and was at {address}")
    page.goto(f"{someone.base}/#/learn/drill")
    page.locator("#drill").wait_for()
    page.goto(f"{someone.base}/#/nowhere")
    someone.sees("heading", "Today")
    someone.seen["addresses"] = address.partition("#")[2]
