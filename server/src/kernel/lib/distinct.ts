/** Whether each text comes after the one before it, so that all are different. */
export const isAscending = (texts: readonly string[]): boolean =>
  texts.every((text, at) => at === 0 || text > (texts[at - 1] ?? ''))

/** Texts, each once. Ids mostly come in their order: a set would make the engine keep every one of them. */
export const distinct = (texts: readonly string[]): readonly string[] =>
  isAscending(texts) ? texts : [...new Set(texts)]
