/** Marks that are removed before comparison: accents of Latin, Greek and Cyrillic letters, Arabic vowels. */
const marks = /[\u0300-\u036f\u064b-\u0655\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g

/** Letters that do not decompose, in their plain form. */
const plainLetters: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/**
 * Normalizes a text for comparison: one form of each character (full-width letters, ligatures), lower case, no accents,
 * plain apostrophes and hyphens, single spaces.
 */
export const plainText = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[ıłøđßæœ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()

/** Letters of scripts that separate words by spaces and do not attach prefixes to them. */
const latin = 'a-z'
const cyrillic = '\u0370-\u052f'

function lettersLike(character: string): string | undefined {
  return [latin, cyrillic].find((letters) => new RegExp(`[${letters}]`).test(character))
}

/** Returns the regular expression source for one entry of a list. */
function entrySource(entry: string): string {
  const word = entry.replace(/^\*|\*$/g, '')
  const first = entry.startsWith('*') ? undefined : lettersLike(word.replace(/^\(+/, '').charAt(0))
  const last = entry.endsWith('*') ? undefined : lettersLike(word.replace(/[)?*]+$/, '').slice(-1))
  const source = word
    .replaceAll('*', `[${latin}${cyrillic}]*`)
    .replaceAll('/', '|')
    .replaceAll('(', '(?:')
    .replaceAll('#', '\\d')
    .replaceAll(' ', "[ '-]?")
    .replaceAll('~', '.{0,60}?')
  return `${first ? `(?<![${first}])` : ''}(?:${source})${last ? `(?![${last}])` : ''}`
}

/** Returns the position of the first match in a normalized text; -1 if there is none. */
export type WordSearch = (text: string) => number

/**
 * Creates a search for words of one meaning in several languages. Each list is a comma-separated text of entries. A
 * space also matches a hyphen, an apostrophe or nothing (`sign in`, `sign-in`, `signin`), `~` up to 60 characters, `#`
 * a digit, `(a/b)` either, `x?` an optional character, `*` any letters. Latin, Greek and Cyrillic words match as whole
 * words; those of other scripts (Chinese, Japanese, Korean, Arabic, Hindi) anywhere. Compiled on first use.
 *
 * @returns function that searches a text normalized by `plainText`
 */
/* @__NO_SIDE_EFFECTS__ */
export function wordSearch(...lists: readonly string[]): WordSearch {
  let pattern: RegExp | undefined
  return (text) => {
    pattern ??= new RegExp(
      lists
        .flatMap((list) => list.split(','))
        .map((entry) => plainText(entry))
        .filter((entry) => entry !== '')
        .map(entrySource)
        .join('|'),
    )
    return text.search(pattern)
  }
}

/** Returns true if a normalized text contains one of the words. */
export type WordTest = (text: string) => boolean

/** Creates a test for words, in the syntax of `wordSearch`. */
/* @__NO_SIDE_EFFECTS__ */
export function wordList(...lists: readonly string[]): WordTest {
  const search = wordSearch(...lists)
  return (text) => search(text) >= 0
}
