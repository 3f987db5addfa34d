/** Whether both stores can hold the text and give it back unchanged: no NUL, no half of a surrogate pair. */
export const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** How many characters a text has, as JSON Schema counts them: what needs two places in JavaScript is one. */
export const characterCount = (text: string): number => [...text].length

/** The first characters of a text, so many at most. None is cut in two: half of a pair is what a store cannot hold. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text
  // None needs more than two places.
  return [...text.slice(0, 2 * most)].slice(0, most).join('')
}
