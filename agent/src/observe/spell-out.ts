import { plainText } from './words/word-list.ts'

/** Splits a name into words: `userName`, `user_name` and `user-name` all become `user name`. */
export const spellOut = (name: string): string =>
  plainText(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.[\]$:/]+/g, ' '))
