import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/schema'

/**
 * True if a value matches a schema. It interprets the schema, because browsers forbid generated code in extensions.
 * Servers compile schemas instead.
 */
export function matches<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Check(schema, value)
}
