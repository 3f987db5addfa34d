import { mentionsAddress } from './net/address-in-text.ts'

/** By what a person is named in texts. */
export interface PersonIdentifiers {
  readonly ids: readonly string[]
  /** How the addresses may stand in texts, with the letters A to Z folded. */
  readonly spellings: readonly string[]
}

/** What the store looks for: a text without any of these does not name the person, one that has some of them may. */
export const textsOf = ({ ids, spellings }: PersonIdentifiers): string[] => [...ids, ...spellings]

/** Whether a text, its letters A to Z folded, names the person: an address that ends in another is somebody else's. */
export const mentionsPerson = (text: string, { ids, spellings }: PersonIdentifiers): boolean =>
  ids.some((id) => text.includes(id)) || mentionsAddress(text, spellings)
