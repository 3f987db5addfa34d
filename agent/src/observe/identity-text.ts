const identityMaximum = 254

/**
 * Returns true if a text can be an identity: an e-mail address or a user name, optionally with a domain (`ACME\ada`).
 */
export const isIdentity = (text: string): boolean =>
  text.length <= identityMaximum && /^[^\s<>"()[\]{},;]+$/u.test(text)

/** Returns true if a text can be a user name of several words, as in wikis and directories. */
export const isNameOfWords = (text: string): boolean =>
  text.length <= identityMaximum && /^[^\s<>"()[\]{},;]+(?: [^\s<>"()[\]{},;]+){1,3}$/u.test(text)

const address = /[a-z0-9._%+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}/gi

/** Returns the only e-mail address in a text; null if there is none or more than one. */
export function onlyAddressIn(text: string): string | null {
  const found = new Set(Array.from(text.matchAll(address), ([match]) => match.toLowerCase()))
  const [only] = found
  return found.size === 1 && only !== undefined && only.length <= 254 ? only : null
}
