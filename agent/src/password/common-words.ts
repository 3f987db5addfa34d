import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { commonWordsMaximum } from './common-words-maximum.ts'

/**
 * The most common passwords, lower-case, one a line: so it crosses to a page's content script as one text.
 * The build takes in no more of the package than this (`lean-words.ts`).
 */
export const commonWordLines: string = passwords.slice(0, commonWordsMaximum).join('\n')
