import { isUtf8 } from 'node:buffer'
import { ApiError, invalidRequest, type Mistake, mistakesMaximum } from '@muster/contract/api/errors'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import { type ParseError, parse } from 'jsonc-parser'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { storable } from '../lib/text.ts'
import { canonicalizer } from './canonical-texts.ts'
import { schemaMistakes } from './schema-mistakes.ts'

// The default maximum is 8 errors. All mistakes are reported at once (REST contract, Errors), and a value that matches no
// branch of a choice has about ten. Finding this many takes 50 ms; a higher maximum would take longer.
Settings.Set({ maxErrors: 10 * mistakesMaximum })

/** Parses and validates a body. */
export type BodyReader = (bytes: Buffer | undefined) => unknown

/** Prefix written by some editors; not part of the text. */
const byteOrderMark = Buffer.from('\ufeff')

const startsWithMark = (bytes: Buffer): boolean =>
  bytes[0] === byteOrderMark[0] && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)

/**
 * Creates the reader of a declared body: no additional members, no coercion, every text storable (REST contract, rule 6)
 * and in the canonical form of its format.
 *
 * @throws (the reader) ApiError invalid_request that names every mistake
 */
export function bodyReader(schema: TSchema): BodyReader {
  let compiled: ReturnType<typeof Compile> | undefined
  const canonical = canonicalizer(schema as JsonSchema)
  return (bytes) => {
    if (bytes === undefined || bytes.length === 0)
      throw invalidRequest([{ in: 'body', name: 'body', message: 'is required: a JSON object' }])
    const value = canonical(parseJson(bytes))
    // Compiled for the first body, to start the server faster.
    compiled ??= Compile(schema)
    const validator = compiled
    if (!validator.Check(value)) throw invalidRequest(schemaMistakes(schema, validator.Errors(value)[1]))
    const mistakes = unstorable(value, '')
    if (mistakes.length > 0) throw invalidRequest(mistakes)
    return value
  }
}

/** Reads the body of calls that take none. Accepts an empty object, which some clients send. */
export function readNoBody(bytes: Buffer | undefined): undefined {
  if (bytes === undefined || bytes.length === 0) return undefined
  const value = parseJson(bytes)
  const empty =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  if (!empty)
    throw invalidRequest([{ in: 'body', name: 'body', message: 'must be empty: this call takes none' }])
  return undefined
}

/**
 * Parses JSON in UTF-8.
 *
 * @throws ApiError invalid_request with the position of the error, or if the nesting is too deep
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ in: 'body', name: 'body', message: 'must be UTF-8 text' }])
  if (nestedTooDeeply(bytes))
    throw invalidRequest([{ in: 'body', name: 'body', message: `must have at most ${levelsMaximum} levels` }])
  const text = bytes.toString('utf8', startsWithMark(bytes) ? byteOrderMark.length : 0)
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `must be valid JSON: ${positionOfError(text)}`
    throw new ApiError('invalid_request', `body ${message}`, {
      mistakes: [{ in: 'body', name: 'body', message }],
      cause: error,
    })
  }
}

/** Maximum nesting of objects and lists: several times that of any body. */
const levelsMaximum = 64

const [quote, backslash, opening, closing] = Buffer.from('"\\{}')

/** Bit that turns a bracket into a brace and leaves a brace unchanged. */
const braceBit = 0x20

/**
 * Returns true if JSON is nested too deeply. Checked before parsing: for V8 a level costs twenty times as much as a
 * character, 100 ms for a MiB of brackets, which compresses to a KiB in a batch of events.
 */
function nestedTooDeeply(bytes: Buffer): boolean {
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) {
      // Skip the string.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if ((byte | braceBit) === opening) {
      level++
      if (level > levelsMaximum) return true
    } else if ((byte | braceBit) === closing) level--
  }
  return false
}

/** Maximum length of the text that is searched for the error. */
const searchedCharacters = 100_000

function positionOfError(text: string): string {
  const errors: ParseError[] = []
  try {
    parse(text.slice(0, searchedCharacters), errors, {
      disallowComments: true,
      allowTrailingComma: false,
      allowEmptyContent: false,
    })
  } catch {
    // The parser is recursive, and an invalid text may have more levels for it than were counted.
    return 'the nesting is too deep to find the error'
  }
  const offset = errors[0]?.offset ?? text.length
  if (offset >= searchedCharacters) return `error after the first ${searchedCharacters} characters`
  const before = text.slice(0, offset).split('\n')
  return `error at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function unstorable(value: unknown, name: string): Mistake[] {
  if (typeof value === 'string') {
    return storable(value)
      ? []
      : [{ in: 'body', name, message: 'must not contain a NUL character or an unpaired surrogate' }]
  }
  if (typeof value !== 'object' || value === null) return []
  const list = Array.isArray(value)
  const mistakes: Mistake[] = []
  for (const [key, member] of Object.entries(value)) {
    mistakes.push(...unstorable(member, list ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`))
    if (mistakes.length >= mistakesMaximum) break
  }
  return mistakes
}
