import { shortHash } from '../../lib/short-hash.ts'

/** Minimum length of an identity. Shorter words match by chance. */
const wordMinimum = 3
const words = /[^\s<>"'()[\]{},;:!?\\]+/gu

/**
 * Returns true if a text contains an identity as a whole word.
 *
 * @param text normalized
 * @param identity hash of the lower-case identity
 */
export const showsIdentity = (text: string, identity: string): boolean =>
  Array.from(text.matchAll(words), ([word]) => word.replace(/\.+$/, '')).some(
    (word) => word.length >= wordMinimum && shortHash(word) === identity,
  )
