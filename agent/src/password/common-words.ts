import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

/** How many of the list, which is ordered by how common they are, count (domain contract, section 3). */
const commonWordsMaximum = 10_000

/** The most common passwords, lower-case, one a line: so it crosses to a page's content script as one text. */
export const commonWordLines: string = passwords.slice(0, commonWordsMaximum).join('\n')
