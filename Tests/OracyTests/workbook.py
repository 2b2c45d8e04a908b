"""Writes a workbook of questions as spreadsheet programs do. workbook.py FILE [formula]"""
import sys
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

book = Workbook()
bread = book.active
bread.title = "Bread & butter"
bread.append(["Question", "Option A", "Option B", "Option C", "Answer", "Explanation"])
bread.append(["What cuts a loaf best?", "a spoon", "a knife", "a thread", "B", "A knife has teeth that saw through the crust."])
# The third row stays empty.
bread["A4"] = CellRichText("Which of these are ", TextBlock(InlineFont(b=True), "made"), " from plants?")
for column, value in zip("BCDEF", ["flour", "salt", "sugar", "A|C", "Flour comes from grain, and sugar from beet or cane."]):
    bread[f"{column}4"] = value
ovens = book.create_sheet("Ovens")
ovens.append(["prompt", "value", "tolerance", "units", "explanation"])
ovens.append(["How many degrees does\nthe oven need?", 230.125, 0.5, "degrees", "Two hundred and thirty degrees brown the crust."])
book.create_sheet("Empty")
if sys.argv[2:] == ["formula"]:
    ovens["B2"] = "=1+1"
book.save(sys.argv[1])
