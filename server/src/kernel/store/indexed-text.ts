import { hash } from 'node:crypto'

/** Longer texts are indexed by their hash: PostgreSQL rejects index entries over 2,704 bytes. */
const indexedTextMaximum = 256

/** Returns the indexed form of a text: the text itself, or its hash if it is long. */
export const indexedText = (text: string): string =>
  text.length <= indexedTextMaximum ? text : `sha256:${hash('sha256', text, 'base64url')}`
