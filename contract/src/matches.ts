import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/schema'

/**
 * Whether a value is what a schema declares. It interprets the schema and makes no code, which browsers
 * forbid in extensions; a server compiles instead.
 */
export function matches<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Check(schema, value)
}
