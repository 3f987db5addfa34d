/**
 * Whether a password is among those of a range (the public protocol of Have I Been Pwned).
 *
 * @param sha1 40 upper-case hexadecimal characters
 * @param lines `SUFFIX:COUNT` of the prefix, which may hold padding of count 0; null if nobody answered
 * @returns null if that is not known
 */
export function isInRange(sha1: string, lines: readonly string[] | null): boolean | null {
  if (lines === null) return null
  const start = `${sha1.slice(5)}:`
  return lines.some((line) => {
    const entry = line.trim().toUpperCase()
    return entry.startsWith(start) && Number(entry.slice(start.length)) > 0
  })
}

/** The prefix by which a range is asked for; 20 of 160 bits. */
export const rangePrefixOf = (sha1: string): string => sha1.slice(0, 5)
