import { type AgentEvent, agentEvents, type BatchRejection } from '@muster/contract/agent-event'
import { canonicalHost } from '@muster/contract/catalog/host-name'
import { canonicalText, textFormats } from '@muster/contract/text-format'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { schemaMistakes } from '../../kernel/http/schema-mistakes.ts'
import { storable } from '../../kernel/lib/text.ts'
import { msOfId } from '../../kernel/store/raw-event-tables.ts'
import { hostOfUrl, plainUrl } from './page-address.ts'

/** What an event must keep to besides its form. */
export interface EventBounds {
  /** The time of receipt. */
  readonly nowMs: number
  /** Events are kept for so long; older ones are refused. */
  readonly retentionMs: number
}

type Refusal = Pick<BatchRejection, 'code' | 'message'>

const dayMs = 24 * 60 * 60 * 1000

const schemas: Readonly<Record<string, TSchema>> = agentEvents
const validators = new Map<string, ReturnType<typeof Compile>>()

/** Compiled for the first event of a kind. */
function validatorOf(kind: string, schema: TSchema): ReturnType<typeof Compile> {
  const known = validators.get(kind)
  if (known) return known
  const made = Compile(schema)
  validators.set(kind, made)
  return made
}

/**
 * Checks one event of a batch: its form as the contract declares it, its texts, its addresses, its time. What is taken
 * carries no more than it may: addresses lose user, query and fragment; a time later than the receipt becomes that.
 */
export function checkEvent(value: unknown, bounds: EventBounds): { event: AgentEvent } | Refusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid('an event must be an object')
  const { kind } = value as { kind?: unknown }
  const schema = typeof kind === 'string' && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined
  if (typeof kind !== 'string' || !schema)
    return {
      code: 'unknown_kind',
      message: `kind must be one of ${Object.keys(agentEvents).join(', ')}`,
    }
  const validator = validatorOf(kind, schema)
  if (!validator.Check(value)) return invalid(mistakesOf(schema, validator.Errors(value)[1]))
  const event = (everyTextStorable(value) ? value : repaired(value)) as AgentEvent
  const refusal = checkTime(event, bounds)
  if (refusal) return refusal
  return tidied({ ...event, timestamp: Math.min(event.timestamp, Math.floor(bounds.nowMs / 1000)) })
}

const invalid = (message: string): Refusal => ({ code: 'invalid_event', message })

const reportedMistakes = 10

const mistakesOf = (schema: TSchema, errors: Parameters<typeof schemaMistakes>[1]): string =>
  schemaMistakes(schema, errors)
    .slice(0, reportedMistakes)
    .map(({ name, message }) => `${name} ${message}`)
    .join('; ')

function everyTextStorable(value: unknown): boolean {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(everyTextStorable)
}

/**
 * Replaces NUL and halves of surrogate pairs, which no store can hold, by U+FFFD. Refusing the event would let an extension
 * hide all others of its browser by a NUL in its name.
 */
function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(repaired)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, repaired(member)]))
}

function checkTime({ id }: AgentEvent, { nowMs, retentionMs }: EventBounds): Refusal | undefined {
  const madeMs = msOfId(id)
  if (madeMs < nowMs - retentionMs) {
    return {
      code: 'too_old',
      message: `id must have been made within the last ${retentionMs / dayMs} days; do not send it again`,
    }
  }
  if (madeMs > nowMs + dayMs)
    return { code: 'in_the_future', message: 'id must not be of a time more than a day ahead; set the clock' }
  return undefined
}

/** The event with its addresses, hosts and names in their plain form. */
function tidied(event: AgentEvent): { event: AgentEvent } | Refusal {
  const members = event as Record<string, unknown>
  const plain: Record<string, unknown> = { ...members }
  for (const member of ['url', 'loginUrl', 'referrerUrl']) {
    const address = members[member]
    if (typeof address !== 'string') continue
    const page = plainUrl(address)
    // Where one came from is told if it can be; it is no reason to refuse what happened.
    if (page === undefined && member !== 'referrerUrl')
      return invalid(`${member} must be an absolute http or https address`)
    plain[member] = page ?? null
    if (page !== undefined && member === 'loginUrl' && hostOfUrl(page) === undefined)
      return invalid(`${member} must name a host`)
  }
  if (typeof members.email === 'string') {
    // Who signs in is one person, however the name was typed or cut out of a page.
    const email = canonicalText(textFormats.lookup, members.email)
    if (email === '' || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(email))
      return invalid('email must name somebody, on one line')
    plain.email = email
  }
  if (typeof members.host === 'string') {
    const host = canonicalHost(members.host)
    if (host === undefined) return invalid('host must be a host name or an address, without port')
    plain.host = host
  }
  return { event: plain as unknown as AgentEvent }
}
