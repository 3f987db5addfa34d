/** A pasted line with its number, counted from 1. */
export interface TextLine {
  readonly line: number
  readonly text: string
}

/** Returns the lines of a text without blank lines and `#` comments. */
export function contentLines(text: string): TextLine[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
}

/** Splits elements into chunks of at most `size`. */
export function chunks<T>(elements: readonly T[], size: number): T[][] {
  const made: T[][] = []
  for (let start = 0; start < elements.length; start += size) made.push(elements.slice(start, start + size))
  return made
}
