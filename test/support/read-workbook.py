"""Reads a workbook with openpyxl and prints it as JSON: for each sheet its name, what is frozen, and its cells."""
import json
import sys

from openpyxl import load_workbook


def cell_of(cell):
    value = cell.value
    is_time = cell.data_type == 'd'
    return {
        'type': cell.data_type,
        'value': value.isoformat() if is_time else value,
        'format': cell.number_format,
        'isQuoted': bool(cell.quotePrefix),
    }


book = load_workbook(sys.argv[1])
json.dump(
    [
        {
            'name': sheet.title,
            'frozen': f'{sheet.sheet_view.pane.state} {sheet.freeze_panes}',
            'widths': [one.width for one in sheet.column_dimensions.values()],
            'rows': [[cell_of(cell) for cell in row] for row in sheet.iter_rows()],
        }
        for sheet in book.worksheets
    ],
    sys.stdout,
)
