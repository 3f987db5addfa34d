import { trimmedUrl } from './trimmed-url.ts'

/** Stands for a part of a path that is another one at each login. */
const variable = '*'

/** No login page has a longer path; what is beyond is cut off. */
const segmentsMaximum = 16
const lengthMaximum = 512

const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const longHex = /^(?=.*\d)[0-9a-f]{12,}$/i
const digits = /^\d+$/
/** Session ids of servers without cookies, assignments, addresses of people, and encoded characters. */
const carriesValue = /[=@%]|^\(.*\)$/
const wordLengthMaximum = 40

/** Words of a name written together, and numbers in it: `signIn2Acme` is four parts. */
const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
/** Random text is shorter than its bound, in characters for each part; names and versions are longer. */
const meanPart = { run: 2.5, long: 3.2, longOfAllKinds: 4 } as const
const shortest = { run: 10, long: 16 } as const

const hasAllKinds = (text: string) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

/** Returns true for letters and digits that alternate as in random text, and not as in names and versions. */
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

/** Drops parameters of a segment (`;jsessionid=…`) and replaces one that is another at each login. */
function stableSegment(segment: string): string {
  const [name = ''] = segment.split(';')
  return isVariable(name) ? variable : name
}

/**
 * Returns the address of a login page as reports carry it: without user, query and fragment, and with `*` for the parts
 * of its path that are used once, such as ids and tokens. Those would make every login a page of its own, and could be
 * a key to the session.
 *
 * @returns null for what is no http or https address
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
