import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { commonWordsMaximum } from './common-words-maximum.ts'

/**
 * Most common passwords, lower case, one per line, so they reach a content script as one string. The build includes
 * only this part of the package (`lean-words.ts`).
 */
export const commonWordLines: string = passwords.slice(0, commonWordsMaximum).join('\n')
