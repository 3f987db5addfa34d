import { mentionsAddress } from './net/address-in-text.ts'

/** Texts that identify a person. */
export interface PersonIdentifiers {
  readonly ids: readonly string[]
  /** Spellings of the e-mail addresses in text, with A to Z in lower case. */
  readonly spellings: readonly string[]
}

/** Returns search terms for a prefilter in the store. A text without any of them does not mention the person. */
export const textsOf = ({ ids, spellings }: PersonIdentifiers): string[] => [...ids, ...spellings]

/** Returns true if a text, with A to Z in lower case, mentions the person. Longer addresses that contain theirs do not count. */
export const mentionsPerson = (text: string, { ids, spellings }: PersonIdentifiers): boolean =>
  ids.some((id) => text.includes(id)) || mentionsAddress(text, spellings)
