import { type AgentEvent, agentEvents, type BatchRejection } from '@muster/contract/agent/agent-event'
import { canonicalHost } from '@muster/contract/catalog/host-name'
import { canonicalText, textFormats } from '@muster/contract/text/text-format'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { schemaMistakes } from '../../kernel/http/schema-mistakes.ts'
import { storable } from '../../kernel/lib/text.ts'
import { msOfId } from '../../kernel/store/raw-event-tables.ts'
import { hostOfUrl, stripUrl } from './page-address.rules.ts'

/** Limits on the time of an event. */
export interface EventBounds {
  /** Time of receipt. */
  readonly nowMs: number
  /** Retention of raw events; older events are rejected. */
  readonly retentionMs: number
}

type EventRejection = Pick<BatchRejection, 'code' | 'message'>

const dayMs = 24 * 60 * 60 * 1000

const schemas: Readonly<Record<string, TSchema>> = agentEvents
const validators = new Map<string, ReturnType<typeof Compile>>()

/** Returns the validator of a kind; compiled on first use. */
function validatorOf(kind: string, schema: TSchema): ReturnType<typeof Compile> {
  const known = validators.get(kind)
  if (known) return known
  const compiled = Compile(schema)
  validators.set(kind, compiled)
  return compiled
}

/**
 * Checks and normalizes one event of a batch. URLs lose user, query and fragment; a time after the receipt
 * becomes the time of receipt.
 */
export function checkEvent(value: unknown, bounds: EventBounds): { event: AgentEvent } | EventRejection {
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
  const event = (everyTextStorable(value) ? value : withStorableTexts(value)) as AgentEvent
  const rejection = checkTime(event, bounds)
  if (rejection) return rejection
  return normalized({ ...event, timestamp: Math.min(event.timestamp, Math.floor(bounds.nowMs / 1000)) })
}

const invalid = (message: string): EventRejection => ({ code: 'invalid_event', message })

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
 * Replaces NUL and lone surrogates, which the stores cannot hold, by U+FFFD. If such events were rejected, an
 * extension with a NUL in its name could hide all extensions of its browser.
 */
function withStorableTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withStorableTexts)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStorableTexts(member)]))
}

function checkTime({ id }: AgentEvent, { nowMs, retentionMs }: EventBounds): EventRejection | undefined {
  const createdMs = msOfId(id)
  if (createdMs < nowMs - retentionMs) {
    return {
      code: 'too_old',
      message: `id must be at most ${retentionMs / dayMs} days old; do not send the event again`,
    }
  }
  if (createdMs > nowMs + dayMs)
    return { code: 'in_the_future', message: 'id must not be more than a day in the future; check the clock' }
  return undefined
}

/** Normalizes URLs, host and email of an event. */
function normalized(event: AgentEvent): { event: AgentEvent } | EventRejection {
  const members = event as Record<string, unknown>
  const plain: Record<string, unknown> = { ...members }
  for (const member of ['url', 'loginUrl', 'referrerUrl']) {
    const address = members[member]
    if (typeof address !== 'string') continue
    const page = stripUrl(address)
    // An invalid referrer is dropped: it is no reason to reject the event.
    if (page === undefined && member !== 'referrerUrl')
      return invalid(`${member} must be an absolute http or https URL`)
    plain[member] = page ?? null
    if (page !== undefined && member === 'loginUrl' && hostOfUrl(page) === undefined)
      return invalid(`${member} must have a host`)
  }
  if (typeof members.email === 'string') {
    // Different spellings of an address are one account.
    const email = canonicalText(textFormats.lookup, members.email)
    if (email === '' || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(email))
      return invalid('email must not be empty and must be a single line')
    plain.email = email
  }
  if (typeof members.host === 'string') {
    const host = canonicalHost(members.host)
    if (host === undefined) return invalid('host must be a host name or IP address without a port')
    plain.host = host
  }
  return { event: plain as unknown as AgentEvent }
}
