/** First word of a comment that is a relative clause instead of a sentence: "What …", "Who …", "Whether …". */
const relativeOpener = /^(?:What|Who|Whose|Whom|How|Whether|Which|Where|So many)\b/

/** Block comments, and runs of line comments. */
const commentForms = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm

/** Returns the texts of a file's comments, without their marks. */
export function commentsOf(text: string): string[] {
  return [...text.matchAll(commentForms)].map(([comment]) =>
    comment
      .replace(/^\/\*+|\*+\/$/g, '')
      .replace(/^[ \t]*(?:\/\/|\*)[ \t]?/gm, '')
      .trim(),
  )
}

/** Counts the comments of files, and those of them that start with a relative word. */
export function countComments(texts: readonly string[]): { all: number; relative: number } {
  const comments = texts.flatMap(commentsOf)
  return { all: comments.length, relative: comments.filter((text) => relativeOpener.test(text)).length }
}

/** Comments and quoted texts. Texts in backticks are not skipped: they contain code. */
const notCode = String.raw`\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`

/** Counts the occurrences of words as identifiers, outside of comments and quoted texts. */
export function countIdentifiers(texts: readonly string[], words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const tokens = new RegExp(`${notCode}|(?<![\\w$])(${words.join('|')})(?![\\w$])`, 'g')
  for (const text of texts)
    for (const [, word] of text.matchAll(tokens))
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Counts the declarations of names on the top level of files. */
export function countDeclarations(texts: readonly string[], names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const declaration = new RegExp(
    `^(?:export )?(?:async )?(?:const|function|class|interface|type) (${names.join('|')})\\b`,
    'gm',
  )
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(declaration)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
