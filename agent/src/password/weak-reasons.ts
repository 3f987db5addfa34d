import type { weakPasswordReasons } from '@muster/contract/records/finding'

export type WeakReason = (typeof weakPasswordReasons)[number]

const shortestLength = 8
/** Maximum length for which base words are searched. Longer passwords do not consist of one common word. */
const longestWithBase = 64
/** Maximum number of characters tried as decoration at either end of a word. */
const decorationMaximum = 12

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '€': 'e',
  '(': 'c',
  '+': 't',
}
const undo = (text: string, one: string) =>
  Array.from(text, (character) => (/[1!|]/.test(character) ? one : (letters[character] ?? character))).join(
    '',
  )

const isDecoration = (character: string) => !/\p{L}/u.test(character)

function decorationLength(characters: readonly string[]): number {
  const first = characters.findIndex((character) => !isDecoration(character))
  return Math.min(first === -1 ? characters.length : first, decorationMaximum)
}

/** Returns a text as is, and with leet spelling undone: `1` may be an i or an l. */
const spellings = (text: string): string[] => [text, undo(text, 'i'), undo(text, 'l')]

/**
 * Returns possible base words of a password: lower case, digits and symbols stripped from both ends, leet spelling
 * undone. A digit at an end may be decoration (`dragon1`) or spelling (`drag0n`, `$ecret`), so every cut is a
 * candidate.
 */
function baseWords(password: string): Set<string> {
  const characters = Array.from(password.toLowerCase())
  if (characters.length > longestWithBase) return new Set()
  if (characters.every(isDecoration)) {
    const digits = password.replace(/^\P{N}+|\P{N}+$/gu, '')
    return new Set([password, digits, ...spellings(password).slice(1)].filter((base) => base !== ''))
  }
  const front = decorationLength(characters)
  const end = decorationLength(characters.toReversed())
  const bases = new Set<string>()
  for (let from = 0; from <= front; from++) {
    for (let cut = 0; cut <= end; cut++) {
      for (const base of spellings(characters.slice(from, characters.length - cut).join(''))) bases.add(base)
    }
  }
  return bases
}

/**
 * Returns the reasons why a password is weak (domain contract, section 3); empty if it is not.
 *
 * @param commonWords 10,000 most common passwords, lower case
 * @param restrictedWords words of the organization, in any case
 */
export function weakReasons(
  password: string,
  commonWords: ReadonlySet<string>,
  restrictedWords: readonly string[],
): WeakReason[] {
  const bases = baseWords(password)
  const reasons: WeakReason[] = []
  if ([...bases].some((base) => commonWords.has(base))) reasons.push('COMMON_BASE_WORD')
  if (restrictedWords.some((restricted) => bases.has(restricted.toLowerCase())))
    reasons.push('RESTRICTED_WORD')
  if (Array.from(password).length < shortestLength) reasons.push('TOO_SHORT')
  return reasons
}
