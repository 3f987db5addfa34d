/** Returns true if each text is greater than the one before it, so all are distinct. */
export const isAscending = (texts: readonly string[]): boolean =>
  texts.every((text, at) => at === 0 || text > (texts[at - 1] ?? ''))

/** Returns the distinct texts. IDs are mostly in order; then no set is built, which would retain all strings. */
export const distinct = (texts: readonly string[]): readonly string[] =>
  isAscending(texts) ? texts : [...new Set(texts)]
