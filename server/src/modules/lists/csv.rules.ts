/** A member of a record as one cell: texts as they are, lists and objects as JSON, nothing for null. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') {
    // A spreadsheet would run what begins like this as a formula.
    return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** One line of CSV with its end (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string =>
  `${values
    .map(cellText)
    .map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',')}\r\n`
