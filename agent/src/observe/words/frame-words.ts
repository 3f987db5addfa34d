import * as fieldWords from './field-words.ts'
import * as pressWords from './press-words.ts'

/**
 * Words in the syntax of `wordList` that observed frames receive with their policy, so scripts need not contain them.
 */
export const frameWords = { ...fieldWords, ...pressWords }

/** Entries of each list. */
export type FrameWords = Readonly<Record<keyof typeof frameWords, readonly string[]>>
