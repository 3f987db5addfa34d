/** Whether both stores can hold the text and give it back unchanged: no NUL, no half of a surrogate pair. */
export const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** How many characters a text has, as JSON Schema counts them: what needs two places in JavaScript is one. */
export const characterCount = (text: string): number => [...text].length
