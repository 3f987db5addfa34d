import { isUtf8 } from 'node:buffer'
import { ApiError, invalidRequest, type Mistake, mistakesMaximum } from '@muster/contract/errors'
import type { JsonSchema } from '@muster/contract/json-schema'
import { type ParseError, parse } from 'jsonc-parser'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { storable } from '../lib/text.ts'
import { canonicalizer } from './canonical-texts.ts'
import { schemaMistakes } from './schema-mistakes.ts'

// The validator stops after 8 errors unless told. A caller is told of all mistakes at once (REST contract, Errors), and a
// value that is no choice has about ten; to find as many takes some 50 ms, which more would only add to.
Settings.Set({ maxErrors: 10 * mistakesMaximum })

/** Turns the bytes of a body into a value that its schema declares. */
export type BodyReader = (bytes: Buffer | undefined) => unknown

/** Some editors put it before a text; it is no part of it. */
const byteOrderMark = Buffer.from('\ufeff')

const startsWithMark = (bytes: Buffer): boolean =>
  bytes[0] === byteOrderMark[0] && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)

/**
 * Makes the reader of a declared body: closed, without coercion, every text storable (REST contract,
 * rule 6) and in the canonical form of its format.
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
    // For the first body, since the start of a server shall not wait until all schemas are compiled.
    compiled ??= Compile(schema)
    const validator = compiled
    if (!validator.Check(value)) throw invalidRequest(schemaMistakes(schema, validator.Errors(value)[1]))
    const mistakes = unstorable(value, '')
    if (mistakes.length > 0) throw invalidRequest(mistakes)
    return value
  }
}

/** For calls that take no body: an empty one, or an empty object, as some clients send. */
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
 * The value that bytes of JSON in UTF-8 stand for.
 *
 * @throws ApiError invalid_request that says where they break, or that they are nested too deeply
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ in: 'body', name: 'body', message: 'must be UTF-8 text' }])
  if (nestedTooDeeply(bytes))
    throw invalidRequest([{ in: 'body', name: 'body', message: `must have at most ${levelsMaximum} levels` }])
  const text = bytes.toString('utf8', startsWithMark(bytes) ? byteOrderMark.length : 0)
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `must be JSON: ${whereItBreaks(text)}`
    throw new ApiError('invalid_request', `body ${message}`, {
      mistakes: [{ in: 'body', name: 'body', message }],
      cause: error,
    })
  }
}

/** How deep objects and lists may lie in each other: several times what any body has. */
const levelsMaximum = 64

const [quote, backslash, opening, closing] = Buffer.from('"\\{}')

/** What makes a brace of a bracket, and leaves a brace as it is. */
const braceBit = 0x20

/**
 * Whether a text of JSON has more levels than that. It is asked before it is parsed: what V8 has to keep of each level
 * takes it twenty times as long as a character, 100 ms for a MiB of brackets, which a batch of events may hold packed in
 * a KiB.
 */
function nestedTooDeeply(bytes: Buffer): boolean {
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) {
      // To the end of the string.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if ((byte | braceBit) === opening) {
      level++
      if (level > levelsMaximum) return true
    } else if ((byte | braceBit) === closing) level--
  }
  return false
}

/** How much of a broken body is searched for the place where it breaks. */
const searchedCharacters = 100_000

function whereItBreaks(text: string): string {
  const errors: ParseError[] = []
  try {
    parse(text.slice(0, searchedCharacters), errors, {
      disallowComments: true,
      allowTrailingComma: false,
      allowEmptyContent: false,
    })
  } catch {
    // The parser calls itself for each level, of which a broken text may have more for it than were counted.
    return 'it breaks, and is nested too deeply to say where'
  }
  const offset = errors[0]?.offset ?? text.length
  if (offset >= searchedCharacters) return `it breaks behind its first ${searchedCharacters} characters`
  const before = text.slice(0, offset).split('\n')
  return `it breaks at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function unstorable(value: unknown, name: string): Mistake[] {
  if (typeof value === 'string') {
    return storable(value)
      ? []
      : [{ in: 'body', name, message: 'must not contain a NUL character or half of a surrogate pair' }]
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
