import { plainText } from './words/word-list.ts'

/** Names as people would write them: `userName`, `user_name` and `user-name` all say `user name`. */
export const spellOut = (name: string): string =>
  plainText(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.[\]$:/]+/g, ' '))
