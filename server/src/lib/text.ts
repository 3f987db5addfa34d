/** Whether both stores can hold the text and give it back unchanged: no NUL, no half of a surrogate pair. */
export const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()
