/** Whether a text can be who somebody is: an e-mail address or a user name. */
export const isIdentity = (text: string): boolean =>
  text.length >= 1 && text.length <= 254 && /^[^\s<>"'()[\]{},;\\]+$/u.test(text)

const address = /[a-z0-9._%+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}/gi

/** The one e-mail address in a text; null if there is none, or more than one. */
export function onlyAddressIn(text: string): string | null {
  const found = new Set(Array.from(text.matchAll(address), ([match]) => match.toLowerCase()))
  const [only] = found
  return found.size === 1 && only !== undefined && only.length <= 254 ? only : null
}
