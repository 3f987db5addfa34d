import { shortHash } from '../../lib/short-hash.ts'

/** Shorter words name somebody by chance. */
const wordMinimum = 3
const words = /[^\s<>"'()[\]{},;:!?\\]+/gu

/**
 * Returns true if a text holds an identity as a word of its own.
 *
 * @param text normalized
 * @param identity hash of the identity in lower case
 */
export const showsIdentity = (text: string, identity: string): boolean =>
  Array.from(text.matchAll(words), ([word]) => word.replace(/\.+$/, '')).some(
    (word) => word.length >= wordMinimum && shortHash(word) === identity,
  )
