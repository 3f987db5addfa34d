import { hash } from 'node:crypto'

/** Longer values stand in indexes by their hash: PostgreSQL refuses index entries over 2,704 bytes. */
const indexedTextMaximum = 256

/** What stands in an index for a text: itself, or its hash if it is long. */
export const indexedText = (text: string): string =>
  text.length <= indexedTextMaximum ? text : `sha256:${hash('sha256', text, 'base64url')}`
