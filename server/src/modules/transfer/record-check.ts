import type { CollectionName } from '@muster/contract/api/api'
import { hasType, type JsonSchema } from '@muster/contract/api/json-schema'
import { patternLengthMaximum } from '@muster/contract/records/blocked-url'
import { isEmailAddress } from '@muster/contract/text/text-format'
import { Compile } from 'typebox/schema'
import { canonicalizer } from '../../kernel/http/canonical-texts.ts'
import { type SchemaError, schemaMistakes } from '../../kernel/http/schema-mistakes.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { readPattern } from '../../kernel/lib/net/canonical-pattern.ts'
import { httpUrl } from '../../kernel/lib/net/http-url.ts'
import { storable } from '../../kernel/lib/text.ts'
import { lineSchema, membersOf } from './resources.ts'

/** Record that was validated against its schema. */
export type CheckedRecord = Readonly<Record<string, unknown>>

/** Called with the path of an ignored member: `employee.phone`. */
type OnIgnored = (member: string) => void

/** Checks a record. Unknown members are ignored if `onIgnored` is given, otherwise refused. */
export type RecordCheck = (value: unknown, onIgnored?: OnIgnored) => CheckResult

/** Record in the form to store, or the reason why it is refused. */
type CheckResult = { readonly record: CheckedRecord } | { readonly reason: string }

/**
 * Creates the check for records of a resource. They must have the format of the API, except that nullable members may be
 * missing. Unknown members are refused because their content would be lost, unless the caller ignores them, as API clients
 * must. The result has its members in the order of the schema.
 */
export function recordChecker(name: CollectionName): RecordCheck {
  const schema = lineSchema(name)
  const validator = Compile(schema)
  const canonical = canonicalizer(schema as JsonSchema)
  const order = orderer(schema as JsonSchema)
  return (value, onIgnored) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { reason: 'must be a JSON object, one per line' }
    }
    let record = withoutEmptyNames(canonical(value) as CheckedRecord)
    if (!validator.Check(record)) {
      if (onIgnored) record = withoutUnknown(schema as JsonSchema, record, onIgnored) as CheckedRecord
      record = withNulls(schema as JsonSchema, record)
      const [valid, errors] = validator.Errors(record)
      if (!valid) return { reason: reasonOf(schemaMistakes(schema, errors as SchemaError[])) }
    }
    const unstorable = firstUnstorable(record, '')
    if (unstorable !== undefined) {
      return { reason: `${unstorable} contains a NUL or an unpaired surrogate, which cannot be stored` }
    }
    const ordered = order(record)
    return normalize[name]?.(ordered) ?? { record: ordered }
  }
}

/** Converts records to the form that the API stores. */
const normalize: Partial<Record<CollectionName, (record: CheckedRecord) => CheckResult>> = {
  blockedUrls: withPattern,
  employees: (record) => wrongAddress(record) ?? withNames('groups', (group) => group)(record),
  apps: withNames('labels', foldCase),
  browserExtensions: (record) => ({
    record: { ...record, homePageUrl: httpUrl(record.homePageUrl as string | null) },
  }),
}

/** Removes empty names of groups and labels. */
function withoutEmptyNames(record: CheckedRecord): CheckedRecord {
  const members = ['groups', 'labels'].filter((member) => {
    const names = record[member]
    return Array.isArray(names) && names.includes('')
  })
  const named = members.map((member) => [member, (record[member] as unknown[]).filter((name) => name !== '')])
  return members.length === 0 ? record : { ...record, ...Object.fromEntries(named) }
}

/**
 * Refuses an employee with an invalid address. A text without `@` is accepted as a user name: other systems have those
 * in place of addresses, and without them a migration is impossible.
 */
function wrongAddress({ email, secondaryEmails }: CheckedRecord): CheckResult | undefined {
  const addresses = [String(email), ...(secondaryEmails as readonly string[])]
  const at = addresses.findIndex((address) => address.includes('@') && !isEmailAddress(address))
  if (at < 0) return undefined
  return { reason: `${at === 0 ? 'email' : `secondaryEmails[${at - 1}]`} must be an e-mail address` }
}

/** Normalizes the pattern of a blocked URL, so different spellings are equal. */
function withPattern(record: CheckedRecord): CheckResult {
  const read = readPattern(String(record.url), patternLengthMaximum)
  return 'pattern' in read ? { record: { ...record, url: read.pattern } } : { reason: `url ${read.mistake}` }
}

/**
 * Removes repeated names of a list and keeps the first spelling.
 *
 * @param foldOf returns the form in which equal names are compared
 */
function withNames(member: string, foldOf: (name: string) => string): (record: CheckedRecord) => CheckResult {
  return (record) => {
    const given = record[member] as readonly string[]
    const names = new Map<string, string>()
    for (const name of given) if (!names.has(foldOf(name))) names.set(foldOf(name), name)
    return { record: { ...record, [member]: [...names.values()] } }
  }
}

const reasonsMaximum = 5

function reasonOf(mistakes: readonly { name: string; message: string }[]): string {
  // Unknown members explain more than missing ones, so they come first.
  const isOdd = ({ message }: { message: string }) => message.startsWith('is not a member')
  const sorted = [...mistakes.filter(isOdd), ...mistakes.filter((mistake) => !isOdd(mistake))]
  const shown = sorted.slice(0, reasonsMaximum).map(({ name, message }) => `${name} ${message}`)
  const more = mistakes.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** Returns the value without members that its schema does not declare. */
function withoutUnknown(schema: JsonSchema, value: unknown, onIgnored: OnIgnored, prefix = ''): unknown {
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const known: Record<string, unknown> = {}
  for (const [member, held] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, member) ? properties[member] : undefined
    if (declared) known[member] = withoutUnknown(declared, held, onIgnored, `${prefix}${member}.`)
    else onIgnored(prefix + member)
  }
  return known
}

/** Fills missing nullable members with null. */
function withNulls(schema: JsonSchema, value: CheckedRecord): CheckedRecord {
  const filled: Record<string, unknown> = { ...value }
  for (const [member, declared] of membersOf(schema)) {
    const given = filled[member]
    if (given === undefined && hasType(declared, 'null')) filled[member] = null
    else if (given === undefined && declared.enum?.includes(null)) filled[member] = null
    else if (declared.properties && typeof given === 'object' && given !== null && !Array.isArray(given)) {
      filled[member] = withNulls(declared, given as CheckedRecord)
    }
  }
  return filled
}

/** Sorts the members in the order of the schema. */
function orderer(schema: JsonSchema): (record: CheckedRecord) => CheckedRecord {
  const members = membersOf(schema)
  const names = members.map(([name]) => name)
  const inner = members.flatMap(([name, declared]) =>
    declared.properties ? [[name, orderer(declared)] as const] : [],
  )
  return (record) => {
    const inOrder = hasOrder(record, names) ? record : inNamedOrder(record, names)
    if (inner.length === 0) return inOrder
    const ordered: Record<string, unknown> = { ...inOrder }
    for (const [name, order] of inner) ordered[name] = order(ordered[name] as CheckedRecord)
    return ordered
  }
}

function hasOrder(record: CheckedRecord, names: readonly string[]): boolean {
  let at = 0
  for (const name in record) if (names[at++] !== name) return false
  return at === names.length
}

const inNamedOrder = (record: CheckedRecord, names: readonly string[]): CheckedRecord =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

/** Returns the path of the first text that cannot be stored. */
function firstUnstorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return storable(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      if (typeof value[at] === 'string' && storable(value[at])) continue
      const found = firstUnstorable(value[at], `${path}[${at}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const name in value) {
    const found = firstUnstorable((value as CheckedRecord)[name], path === '' ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
