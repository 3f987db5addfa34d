/** Characters before an address that are checked: a local part has at most 64 (RFC 5321, 4.5.3.1.1), escapes add some. */
const contextLength = 80

/** Escapes of JSON and URLs. Their letters are not part of an address that follows. */
const escapes = /\\u[0-9a-f]{4}|\\.|%[0-9a-f]{2}/g

/**
 * End of a text that extends the local part of an address. It needs a letter or digit: other characters, such as quotation
 * marks, surround an address. Delimiters of URLs do not count, although RFC 5322 allows them.
 */
const extendsLocalPart = /[\p{L}\p{N}][\p{L}\p{N}.!$%'*+^_~-]*$/u

/** Beginning of a text that extends the domain of an address. The dot at the end of a sentence does not. */
const extendsDomain = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u

/**
 * Returns true if a text contains one of the addresses, but not as part of a longer address: `ann@acme.com` is neither in
 * `joann@acme.com` nor in `ann@acme.com.au`. An address after an escape counts, even if the escape is a letter.
 *
 * @param text JSON or plain text with A to Z in lower case
 * @param addresses in the spelling that the text uses, with A to Z in lower case
 */
export const mentionsAddress = (text: string, addresses: readonly string[]): boolean =>
  addresses.some((address) => {
    for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
      const before = text.slice(Math.max(0, at - contextLength), at).replace(escapes, ' ')
      const end = at + address.length
      if (!extendsLocalPart.test(before) && !extendsDomain.test(text.slice(end, end + 3))) return true
    }
    return false
  })
