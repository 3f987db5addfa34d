import { type Static, type TSchema, Type } from 'typebox'
import { emailLengthMaximum, type TextFormat, textFormats } from '../text/text-format.ts'

/**
 * Field types of records. Every text and list has a maximum size, and every field has a description and an example.
 */

type Words = { description: string; examples: unknown[] }

const words = (description: string, example: unknown): Words => ({ description, examples: [example] })

/** An id that Muster gives: a lower-case UUID. */
export const id = (description: string, example = '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90') =>
  exact(description, example, 64, 1)

/** UNIX seconds, UTC. The upper bound is the largest second that a sequence number can hold. */
export const timestamp = (description: string, example = 1763712000) =>
  Type.Integer({ ...words(description, example), minimum: 0, maximum: 4_294_967_295 })

/**
 * A text of at most `maxLength` characters: any of them, so only for what Muster shows or browsers report. What people
 * and clients send is one of the kinds below (text-format.ts).
 */
export const text = (description: string, example: string, maxLength: number, minLength = 0) =>
  Type.String({ ...words(description, example), minLength, maxLength })

const textOf =
  (format: TextFormat) =>
  (description: string, example: string, maxLength: number, minLength = 0) =>
    Type.String({ ...words(description, example), format, minLength, maxLength })

/** Single-line text. */
export const line = textOf(textFormats.line)

/** Text of one or more lines. */
export const lines = textOf(textFormats.lines)

/** Single-line text that is stored unchanged, such as a URL or an opaque token. */
export const exact = textOf(textFormats.exact)

/** A value that is compared with stored ones. It may contain characters that new values must not have. */
export const lookup = textOf(textFormats.lookup)

/** A secret. */
export const secret = textOf(textFormats.secret)

/** A text that people type as a name: `minLength` (1) to `maxLength` characters, not counting the blanks around them. */
export const typedName = (description: string, example: string, maxLength: number, minLength = 1) =>
  textOf(textFormats.name)(description, example, maxLength, minLength)

/** An e-mail address or, on apps that have none, a user name. */
export const email = (description: string, example = 'ada.byron@example.com') =>
  text(description, example, emailLengthMaximum, 1)

/** An e-mail address that the API accepts; see `isEmailAddress`. */
export const strictEmail = (description: string, example = 'ada.byron@example.com') =>
  textOf(textFormats.email)(description, example, emailLengthMaximum, 3)

export const urlLengthMaximum = 8192

export const url = (description: string, example: string) => text(description, example, urlLengthMaximum)

export const flag = (description: string, example = true) => Type.Boolean(words(description, example))

export const oneOf = <const T extends string>(
  values: readonly T[],
  description: string,
  example: NoInfer<T>,
) => Type.Enum<T[]>(values, words(description, example))

export const listOf = <T extends TSchema>(
  items: T,
  description: string,
  example: unknown[],
  maxItems: number,
  options: { minItems?: number; uniqueItems?: boolean } = {},
) => Type.Array(items, { ...words(description, example), maxItems, ...options })

/** A count. */
export const count = (description: string, example = 1) =>
  Type.Integer({ ...words(description, example), minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Makes a field nullable: `unset is null` (REST contract, rule 4). */
export const nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  const widened = values ? { ...rest, enum: [...values, null] } : { ...rest, type: [type, 'null'] }
  return Type.Unsafe<Static<T> | null>(widened)
}

/** A closed object: what is not declared is refused on the way in and never leaves on the way out. */
export const closed = <const P extends Record<string, TSchema>>(
  properties: P,
  options: { $id?: string; description: string; minProperties?: number },
) => Type.Object(properties, { ...options, additionalProperties: false })
