import type { CollectionName } from '@muster/contract/api'
import { patternLengthMaximum } from '@muster/contract/blocked-url'
import { hasType, type JsonSchema } from '@muster/contract/json-schema'
import { isEmailAddress } from '@muster/contract/text-format'
import { Compile } from 'typebox/schema'
import { canonicalizer } from '../../kernel/http/canonical-texts.ts'
import { type SchemaError, schemaMistakes } from '../../kernel/http/schema-mistakes.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { readPattern } from '../../kernel/lib/net/canonical-pattern.ts'
import { httpUrl } from '../../kernel/lib/net/http-url.ts'
import { storable } from '../../kernel/lib/text.ts'
import { lineSchema, membersOf } from './resources.ts'

/** A record whose shape was checked against its schema. */
export type CheckedRecord = Readonly<Record<string, unknown>>

/** Told of a member that was left out, by its place in the record: `employee.phone`. */
export type LeftOut = (member: string) => void

/** Checks a record; members that are not known are left out if somebody is told of them, and else refused. */
export type RecordCheck = (value: unknown, leftOut?: LeftOut) => CheckResult

/** Either the record as it is stored, or why it cannot be. */
export type CheckResult = { readonly record: CheckedRecord } | { readonly reason: string }

/**
 * Checks records of one resource. They must be as the API shows them, with one kindness: a member that may be null may
 * be missing. Nothing else is filled in, and members that are not declared are refused, since what is not understood
 * would be lost: unless the caller wants them left out, as clients of the API must accept members that are new. The result has its members in the order in which the API shows them.
 */
export function recordChecker(name: CollectionName): RecordCheck {
  const schema = lineSchema(name)
  const validator = Compile(schema)
  const canonical = canonicalizer(schema as JsonSchema)
  const order = orderer(schema as JsonSchema)
  return (value, leftOut) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { reason: 'must be a JSON object, one per line' }
    }
    let record = withoutEmptyNames(canonical(value) as CheckedRecord)
    if (!validator.Check(record)) {
      if (leftOut) record = withoutUnknown(schema as JsonSchema, record, leftOut) as CheckedRecord
      record = withNulls(schema as JsonSchema, record)
      const [valid, errors] = validator.Errors(record)
      if (!valid) return { reason: reasonOf(schemaMistakes(schema, errors as SchemaError[])) }
    }
    const unstorable = firstUnstorable(record, '')
    if (unstorable !== undefined) {
      return { reason: `${unstorable} holds a NUL or half of a surrogate pair, which no store keeps` }
    }
    const ordered = order(record)
    return asKept[name]?.(ordered) ?? { record: ordered }
  }
}

/** Brings records into the form in which the API keeps them, where it takes others. */
const asKept: Partial<Record<CollectionName, (record: CheckedRecord) => CheckResult>> = {
  blockedUrls: withPattern,
  employees: (record) => wrongAddress(record) ?? withNames('groups', (group) => group)(record),
  apps: withNames('labels', foldCase),
  browserExtensions: (record) => ({
    record: { ...record, homePageUrl: httpUrl(record.homePageUrl as string | null) },
  }),
}

/** Leaves out the empty names of groups and labels, such as those that were only blanks. */
function withoutEmptyNames(record: CheckedRecord): CheckedRecord {
  const members = ['groups', 'labels'].filter((member) => {
    const names = record[member]
    return Array.isArray(names) && names.includes('')
  })
  const named = members.map((member) => [member, (record[member] as unknown[]).filter((name) => name !== '')])
  return members.length === 0 ? record : { ...record, ...Object.fromEntries(named) }
}

/**
 * Refuses an employee with an address that the API would not accept. A text without `@` is a user name: other systems
 * have those in the place of addresses, and nobody moves in without those people.
 */
function wrongAddress({ email, secondaryEmails }: CheckedRecord): CheckResult | undefined {
  const addresses = [String(email), ...(secondaryEmails as readonly string[])]
  const at = addresses.findIndex((address) => address.includes('@') && !isEmailAddress(address))
  if (at < 0) return undefined
  return { reason: `${at === 0 ? 'email' : `secondaryEmails[${at - 1}]`} must be an e-mail address` }
}

/** The blocked URL with its pattern in the form in which the API keeps it, so that two spellings of one are one. */
function withPattern(record: CheckedRecord): CheckResult {
  const read = readPattern(String(record.url), patternLengthMaximum)
  return 'pattern' in read ? { record: { ...record, url: read.pattern } } : { reason: `url ${read.mistake}` }
}

/**
 * The record with the names of a list each once, as it was first written.
 *
 * @param foldOf gives what two spellings of a name have in common
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
  // What does not belong there explains more than what is missing: it comes first.
  const isOdd = ({ message }: { message: string }) => message.startsWith('is not a member')
  const sorted = [...mistakes.filter(isOdd), ...mistakes.filter((mistake) => !isOdd(mistake))]
  const told = sorted.slice(0, reasonsMaximum).map(({ name, message }) => `${name} ${message}`)
  const more = mistakes.length - told.length
  return `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** The value without the members that its schema does not declare. */
function withoutUnknown(schema: JsonSchema, value: unknown, leftOut: LeftOut, place = ''): unknown {
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const known: Record<string, unknown> = {}
  for (const [member, held] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, member) ? properties[member] : undefined
    if (declared) known[member] = withoutUnknown(declared, held, leftOut, `${place}${member}.`)
    else leftOut(place + member)
  }
  return known
}

/** The record with null for every member that is missing and may be null. */
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

/** Puts the members into the order of the schema, where they are not in it already. */
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

/** Where a text stands that a store cannot keep. */
function firstUnstorable(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return storable(value) ? undefined : place
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      if (typeof value[at] === 'string' && storable(value[at])) continue
      const found = firstUnstorable(value[at], `${place}[${at}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const name in value) {
    const found = firstUnstorable((value as CheckedRecord)[name], place === '' ? name : `${place}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
