import { foldAscii } from './fold-case.ts'
import { mentionsAddress } from './net/address-in-text.ts'
import { isUuid } from './secrets/id.ts'

/** Texts that identify a person. */
export interface PersonIdentifiers {
  /** IDs of the employee and of those merged into it, as stored. Imported ones can be any text. */
  readonly ids: readonly string[]
  /** Spellings of the e-mail addresses in text, with A to Z in lower case. */
  readonly spellings: readonly string[]
}

/**
 * Returns search terms for a prefilter in the store, with A to Z in lower case. A text without any of them does not mention
 * the person.
 */
export const textsOf = ({ ids, spellings }: PersonIdentifiers): string[] => [
  ...ids.map(foldAscii),
  ...spellings,
]

/**
 * Returns true if a text, with A to Z in lower case, mentions the person. Longer addresses and IDs that contain theirs do not
 * count.
 */
export const mentionsPerson = (text: string, { ids, spellings }: PersonIdentifiers): boolean =>
  ids.some((id) => mentionsId(text, foldAscii(id))) || mentionsAddress(text, spellings)

/** Colons and dots come before numbers of JSON and before fractions. */
const extendsIdBefore = /[\p{L}\p{N}_.:-]/u
const extendsIdAfter = /[\p{L}\p{N}_-]/u

function mentionsId(text: string, id: string): boolean {
  if (isUuid(id)) return text.includes(id)
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!extendsIdBefore.test(text.charAt(at - 1)) && !extendsIdAfter.test(text.charAt(at + id.length)))
      return true
  return false
}
