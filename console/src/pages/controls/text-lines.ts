/** A line that was pasted, with its place: counted from 1 as people do. */
export interface TextLine {
  readonly line: number
  readonly text: string
}

/** The lines of a text that say something; what is behind a # at the beginning is a remark. */
export function saidLines(text: string): TextLine[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
}

/** The elements in pieces of at most `size`. */
export function pieces<T>(elements: readonly T[], size: number): T[][] {
  const made: T[][] = []
  for (let start = 0; start < elements.length; start += size) made.push(elements.slice(start, start + size))
  return made
}
