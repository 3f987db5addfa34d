import { recordsMemberDefault } from '@muster/contract/api/api'
import type { WebhookEvent } from '@muster/contract/events/event-objects'
import type { Caller, Harness, JsonValue } from './harness.ts'

/** Lists of `/v1` with the records of ENTITY and DETECTION events. */
const lists = [
  'accounts',
  'accountsOther',
  'apps',
  'appsOther',
  'browsers',
  'browserExtensions',
  'employees',
  'findings',
  'detections',
] as const

/** Members whose changes alone cause no event, so event consumers may have old values. */
const silentMembers = ['notes', 'lastUsedTimestamp', 'lastOnlineTimestamp']

type Known = Record<string, JsonValue>

/**
 * Returns a record in a common form for events and `/v1`: account events omit null `mfaMethods`, finding events
 * name the employee.
 */
const normalized = ({ mfaMethods, employee, ...record }: JsonValue): Known => ({
  ...Object.fromEntries(Object.entries(record).filter(([member]) => !silentMembers.includes(member))),
  ...(mfaMethods === undefined ? {} : { mfaMethods: mfaMethods ?? [] }),
  ...(record.detectionType === undefined ? {} : { employee }),
})

/**
 * Applies events to records, as a consumer of events would.
 *
 * @param start earlier records, by ID
 * @throws Error if an event contradicts the earlier ones
 */
export function applyEvents(
  start: ReadonlyMap<string, Known>,
  events: readonly WebhookEvent[],
): Map<string, Known> {
  const known = new Map(start)
  for (const event of events) {
    if (!('type' in event)) continue
    const { id } = (event.new ?? event.old) as { id: string }
    const before = known.get(id)
    const label = `${event.type} ${event.object} ${id}`
    if ((event.type === 'CREATE') !== (before === undefined))
      throw new Error(`${label}, but the record ${before ? 'exists' : 'does not exist'}`)
    if (event.old && JSON.stringify(normalized(event.old)) !== JSON.stringify(before))
      throw new Error(`${label}: expected ${JSON.stringify(before)}, not ${JSON.stringify(event.old)}`)
    if (event.new) known.set(id, normalized(event.new))
    else known.delete(id)
  }
  return known
}

/** Returns the records that `/v1` lists, and the merged employees. */
export async function listedRecords(h: Harness, caller: Caller): Promise<Map<string, Known>> {
  const records: JsonValue[] = []
  const add = async (path: string) => {
    const { body } = await h.call(caller, 'GET', `/v1/${path}limit=1000`)
    records.push(...body[recordsMemberDefault])
  }
  for (const path of lists) await add(`${path}?`)
  const primaries = records.filter(({ secondaryEmails }) => secondaryEmails?.length > 0)
  for (const { id } of primaries) await add(`employees?mergedIntoId=${id}&`)
  return new Map(records.map((record) => [record.id, normalized(record)]))
}
