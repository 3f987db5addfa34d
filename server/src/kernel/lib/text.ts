/** Returns true if both stores can hold the text unchanged: no NUL, no unpaired surrogate. */
export const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Counts characters as JSON Schema does: a surrogate pair is one character. */
export const characterCount = (text: string): number => [...text].length

/** Truncates a text to a number of characters, without splitting surrogate pairs. */
export function firstCharacters(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  // A character has at most two UTF-16 code units.
  return [...text.slice(0, 2 * maximum)].slice(0, maximum).join('')
}
