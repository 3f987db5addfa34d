import type { JsonSchema } from '@muster/contract/api/json-schema'
import { canonicalText } from '@muster/contract/text/text-format'

/** Converts the texts in a value to their canonical form. Changes objects and lists in place and ignores unexpected types. */
export type Canonicalizer = (value: unknown) => unknown

/** Creates the canonicalizer of a schema, which converts texts with a declared format. */
export const canonicalizer = (schema: JsonSchema): Canonicalizer => partOf(schema) ?? ((value) => value)

/** Returns undefined if the schema has no text with a canonical form, to skip the traversal. */
function partOf(schema: JsonSchema): Canonicalizer | undefined {
  const { format, items, properties = {}, anyOf = [] } = schema
  const steps: Canonicalizer[] = []
  if (format !== undefined)
    steps.push((value) => (typeof value === 'string' ? canonicalText(format, value) : value))
  const ofItem = items && partOf(items)
  if (ofItem) steps.push((value) => (Array.isArray(value) ? value.map(ofItem) : value))
  for (const [name, member] of Object.entries(properties)) {
    const ofMember = partOf(member)
    if (ofMember) steps.push((value) => withMember(value, name, ofMember))
  }
  for (const choice of anyOf) {
    const ofChoice = partOf(choice)
    if (ofChoice) steps.push(ofChoice)
  }
  return steps.length === 0 ? undefined : (value) => steps.reduce((before, step) => step(before), value)
}

function withMember(value: unknown, name: string, change: Canonicalizer): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
    const members = value as Record<string, unknown>
    members[name] = change(members[name])
  }
  return value
}
