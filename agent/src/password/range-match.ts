/**
 * Returns true if a password is in a range (public protocol of Have I Been Pwned).
 *
 * @param sha1 40 upper-case hexadecimal characters
 * @param lines `SUFFIX:COUNT` lines of the prefix, with possible padding of count 0; null if the request failed
 * @returns null if unknown
 */
export function isInRange(sha1: string, lines: readonly string[] | null): boolean | null {
  if (lines === null) return null
  const start = `${sha1.slice(5)}:`
  return lines.some((line) => {
    const entry = line.trim().toUpperCase()
    return entry.startsWith(start) && Number(entry.slice(start.length)) > 0
  })
}

/** Returns the prefix for a range request: 20 of 160 bits. */
export const rangePrefixOf = (sha1: string): string => sha1.slice(0, 5)
