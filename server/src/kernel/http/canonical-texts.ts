import type { JsonSchema } from '@muster/contract/json-schema'
import { canonicalText } from '@muster/contract/text-format'

/** Brings the texts of a value into their canonical form. Changes objects and lists in place; anything odd is left as it is. */
export type Canonicalizer = (value: unknown) => unknown

/** Makes the canonicalizer of a schema: each text whose schema names a format gets the form of that format. */
export const canonicalizer = (schema: JsonSchema): Canonicalizer => partOf(schema) ?? ((value) => value)

/** Returns undefined where the schema has no text with a canonical form, so that nothing is walked in vain. */
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
