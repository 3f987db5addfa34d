import * as fieldWords from './field-words.ts'
import * as pressWords from './press-words.ts'

/** Words in the syntax of `wordList` that observed frames get as data with their policy, so that no script has to carry them. */
export const frameWords = { ...fieldWords, ...pressWords }

/** Entries of each list. */
export type FrameWords = Readonly<Record<keyof typeof frameWords, readonly string[]>>
