import { trimmedUrl } from './trimmed-url.ts'

/** Placeholder for a path segment that differs at each login. */
const variable = '*'

/** Maximum number of path segments; further ones are cut off. */
const segmentsMaximum = 16
const lengthMaximum = 512

const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const longHex = /^(?=.*\d)[0-9a-f]{12,}$/i
const digits = /^\d+$/
/** Matches session IDs of servers without cookies, assignments, e-mail addresses, and encoded characters. */
const carriesValue = /[=@%]|^\(.*\)$/
const wordLengthMaximum = 40

/** Splits camel case words and numbers: `signIn2Acme` has four parts. */
const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
/** Maximum mean length of the parts of random text. Names and versions have longer parts. */
const meanPart = { run: 2.5, long: 3.2, longOfAllKinds: 4 } as const
const shortest = { run: 10, long: 16 } as const

const hasAllKinds = (text: string) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

/** Returns true if letters and digits alternate as in random text, unlike in names and versions. */
function looksRandom(text: string): boolean {
  if (text.length < shortest.run || !/^[A-Za-z0-9]+$/.test(text)) return false
  const mean = text.length / (text.match(parts)?.length ?? 1)
  if (text.length < shortest.long) return mean < meanPart.run
  return mean < (hasAllKinds(text) ? meanPart.longOfAllKinds : meanPart.long)
}

function isVariable(segment: string): boolean {
  if (digits.test(segment) || uuid.test(segment) || longHex.test(segment) || carriesValue.test(segment))
    return true
  const runs = segment.split(/[-_.~]/)
  return (
    runs.some((run) => run.length > wordLengthMaximum || longHex.test(run) || looksRandom(run)) ||
    (segment.length >= shortest.long && looksRandom(runs.join('')))
  )
}

/** Removes parameters of a segment (`;jsessionid=…`) and replaces a segment that differs at each login. */
function stableSegment(segment: string): string {
  const [name = ''] = segment.split(';')
  return isVariable(name) ? variable : name
}

/**
 * Returns the address of a login page in the form used in reports: without user, query and fragment, and with `*` for
 * path segments that are used once, such as IDs and tokens. Otherwise every login would be a page of its own, and a
 * token could give access to the session.
 *
 * @returns null unless it is an http or https address
 */
export function loginPageUrl(address: string | null | undefined): string | null {
  const url = trimmedUrl(address)
  if (url === null) return null
  const { origin, pathname } = new URL(url)
  const segments = pathname.split('/').slice(1)
  const path = segments
    .slice(0, segmentsMaximum)
    .map(stableSegment)
    .reduce((all, segment) => (all.length + segment.length < lengthMaximum ? `${all}/${segment}` : all), '')
  return `${origin}${path || '/'}`
}
