import { readFileSync } from 'node:fs'
import { commonWordsMaximum } from './src/password/common-words-maximum.ts'

/** Includes only the part of the list of common passwords that `password/common-words.ts` uses. */
export const leanWords = () => ({
  name: 'lean-words',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.split('?')[0]?.endsWith('/language-common/src/passwords.json')) return null
    const words: unknown = JSON.parse(readFileSync(id, 'utf8'))
    if (!Array.isArray(words)) throw new Error(`${id} is not a list`)
    return JSON.stringify(words.slice(0, commonWordsMaximum))
  },
})
