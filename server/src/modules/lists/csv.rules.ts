/** Returns a member as a cell: text unchanged, lists and objects as JSON, null as an empty text. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') {
    // A spreadsheet would run text that starts like this as a formula.
    return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns a line of CSV with its line end (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string =>
  `${values
    .map(cellText)
    .map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',')}\r\n`
