import { Format } from 'typebox/format'
import { notInLine, notInLines } from './visible-text.ts'

/**
 * Kinds of text that a request can carry, as JSON Schema formats. Each input string of the API names its format, an
 * enum or a pattern; `test/guards/text.guard.test.ts` requires it. The format decides which characters are accepted and
 * the form in which the text is stored and compared.
 */
export const textFormats = {
  /** Single-line text for people. */
  line: 'line',
  /** Single-line text that is stored unchanged, such as an ID, a URL or a token. */
  exact: 'exact-line',
  /** Single-line text such as a group name. Surrounding whitespace, including line breaks, is removed first. */
  name: 'name',
  /** Text that may have several lines, such as notes. */
  lines: 'lines',
  /** An e-mail address, also with an internationalized local part or domain (RFC 6531). */
  email: 'idn-email',
  /** A value that is compared with what is stored. Any characters: records from before these rules must be found. */
  lookup: 'lookup',
  /** A secret, kept exactly as given. */
  secret: 'password',
} as const
export type TextFormat = (typeof textFormats)[keyof typeof textFormats]

/** Characters that would be invisible in an address, or look like a dot in it. */
const unclear = '\\u00ad\\u180e\\u200b\\u2060-\\u2064\\u3002\\uff0e\\uff61'
const atom = `[^\\s"(),.:;<>@\\[\\\\\\]${notInLine}${unclear}]`
/** A letter, digit or underscore of a domain; everything outside ASCII counts as one. */
const letter = `[^\\s\\u0021-\\u002f:-@\\[-\\^\`{-~${notInLine}${unclear}]`
const letterOrHyphen = letter.replace('\\u0021-\\u002f', '\\u0021-\\u002c.\\/')
const label = `${letter}(?:${letterOrHyphen}{0,61}${letter})?`

/** Longest e-mail address (RFC 5321, errata 1690). */
export const emailLengthMaximum = 254

/** Regular expression of each format that restricts its text. The OpenAPI document shows it for request bodies. */
export const formatPatterns: Readonly<Partial<Record<string, string>>> = {
  [textFormats.line]: `^[^${notInLine}]*$`,
  [textFormats.exact]: `^[^${notInLine}]*$`,
  [textFormats.name]: `^[^${notInLine}]*$`,
  [textFormats.lines]: `^[^${notInLines}]*$`,
  [textFormats.email]: `^(?=[^@]{1,64}@)${atom}+(?:\\.${atom}+)*@${label}(?:\\.${label})*$`,
}

const onOneLine = 'must not contain control characters, line breaks or text-direction controls'

/** Requirement that a text of the format has failed, for the error message. */
export const formatRequirements: Readonly<Partial<Record<string, string>>> = {
  [textFormats.line]: onOneLine,
  [textFormats.exact]: onOneLine,
  [textFormats.name]: onOneLine,
  [textFormats.lines]:
    'must not contain control characters, except line breaks and tabs, or text-direction controls',
  [textFormats.email]: 'must be an e-mail address',
}

for (const [format, pattern = ''] of Object.entries(formatPatterns)) {
  const expression = new RegExp(pattern, 'u')
  Format.Set(format, (text) => expression.test(text))
}

/** Returns true if the text meets the format; every text meets one that restricts nothing. */
export const meetsFormat = (format: TextFormat, text: string): boolean => Format.Test(format, text)

/** Returns true for an e-mail address that the API accepts. The text must be in NFC. */
export const isEmailAddress = (text: string): boolean =>
  [...text].length <= emailLengthMaximum && meetsFormat(textFormats.email, text)

/** Returns the form in which a text is stored and compared: NFC, without blanks around it where the format says so. */
export function canonicalText(format: string, text: string): string {
  switch (format) {
    case textFormats.line:
    case textFormats.email:
      return composed(text)
    case textFormats.name:
    case textFormats.lookup:
      return composed(text.trim())
    default:
      return text
  }
}

/**
 * More combining marks in a row than any script needs (UAX #15, Stream-Safe Text). Composing takes time by the square of
 * such a run: 90 s for 200,000 marks.
 */
const unsafeRun = /\p{M}{31}/u

/** Returns the text in NFC; one that would take long to compose is returned as it is. */
const composed = (text: string): string => (unsafeRun.test(text) ? text : text.normalize('NFC'))
