/** No local part is longer than 64 characters (RFC 5321, section 4.5.3.1.1); some more, for escapes among them. */
const lookedAtBefore = 80

/** What stands for one character in JSON or in a URL. Its letters are no part of an address that comes behind it. */
const escapes = /\\u[0-9a-f]{4}|\\.|%[0-9a-f]{2}/g

/**
 * The end of a text that goes on as a longer local part. Without a letter or a digit it is what stands around an address,
 * as a quotation mark does; and what parts a URL is no part of one, though RFC 5322 would let it be.
 */
const beginsEarlier = /[\p{L}\p{N}][\p{L}\p{N}.!$%'*+^_~-]*$/u

/** The beginning of a text that goes on as a longer domain; the dot at the end of a sentence does not. */
const endsLater = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u

/**
 * Whether one of the addresses stands in a text by itself, and not as a part of a longer address: `ann@acme.com` neither
 * in `joann@acme.com` nor in `ann@acme.com.au`. Behind an escape it counts as found, even if that is a letter.
 *
 * @param text JSON or plain, its letters A to Z folded
 * @param addresses as they may stand there, folded in the same way
 */
export const mentionsAddress = (text: string, addresses: readonly string[]): boolean =>
  addresses.some((address) => {
    for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
      const before = text.slice(Math.max(0, at - lookedAtBefore), at).replace(escapes, ' ')
      const end = at + address.length
      if (!beginsEarlier.test(before) && !endsLater.test(text.slice(end, end + 3))) return true
    }
    return false
  })
