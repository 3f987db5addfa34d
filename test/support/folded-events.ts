import { recordsMemberDefault } from '@muster/contract/api'
import type { WebhookEvent } from '@muster/contract/event-objects'
import type { Caller, Harness, JsonValue } from './harness.ts'

/** Where `/v1` lists what the ENTITY and DETECTION events tell of. */
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

/** A change of these alone is told by no event, so what is known of them may be old. */
const quietMembers = ['notes', 'lastUsedTimestamp', 'lastOnlineTimestamp']

type Known = Record<string, JsonValue>

/** A record in one form for events and `/v1`: events of accounts have no null `mfaMethods`, those of findings name the employee. */
const withoutQuiet = ({ mfaMethods, employee, ...record }: JsonValue): Known => ({
  ...Object.fromEntries(Object.entries(record).filter(([member]) => !quietMembers.includes(member))),
  ...(mfaMethods === undefined ? {} : { mfaMethods: mfaMethods ?? [] }),
  ...(record.detectionType === undefined ? {} : { employee }),
})

/**
 * What somebody knows who was told nothing but events: all records by their ids.
 *
 * @param start what was known before
 * @throws if an event does not follow from those before
 */
export function folded(
  start: ReadonlyMap<string, Known>,
  events: readonly WebhookEvent[],
): Map<string, Known> {
  const known = new Map(start)
  for (const event of events) {
    if (!('type' in event)) continue
    const { id } = (event.new ?? event.old) as { id: string }
    const before = known.get(id)
    const told = `${event.type} ${event.object} ${id}`
    if ((event.type === 'CREATE') !== (before === undefined))
      throw new Error(`${told}, and it ${before ? 'was there' : 'was not there'}`)
    if (event.old && JSON.stringify(withoutQuiet(event.old)) !== JSON.stringify(before))
      throw new Error(`${told}: it was ${JSON.stringify(before)}, not ${JSON.stringify(event.old)}`)
    if (event.new) known.set(id, withoutQuiet(event.new))
    else known.delete(id)
  }
  return known
}

/** The same as `/v1` shows it: all that is listed, and the employees that are not because they are merged. */
export async function shown(h: Harness, caller: Caller): Promise<Map<string, Known>> {
  const records: JsonValue[] = []
  const add = async (path: string) => {
    const { body } = await h.call(caller, 'GET', `/v1/${path}limit=1000`)
    records.push(...body[recordsMemberDefault])
  }
  for (const path of lists) await add(`${path}?`)
  const primaries = records.filter(({ secondaryEmails }) => secondaryEmails?.length > 0)
  for (const { id } of primaries) await add(`employees?mergedIntoId=${id}&`)
  return new Map(records.map((record) => [record.id, withoutQuiet(record)]))
}
