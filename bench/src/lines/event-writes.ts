import { randomUUID } from 'node:crypto'
import { eventObjects } from '@muster/contract/events/event-objects'
import { openStore } from '../../../server/src/kernel/store/lifecycle/open.ts'
import { createKey, type FilledStore } from '../bench-data.ts'
import { type Load, type Run, runLoad } from '../load.ts'
import type { Line } from '../report.ts'
import { runMuster, startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'

const organization = 'subscribed'

/** Creates an organization with a subscription to all events that is never due. Returns its API key. */
async function subscribedKey(store: FilledStore): Promise<string> {
  await runMuster(store, ['org', 'add', organization])
  const db = await openStore(store, Math.floor(Date.now() / 1000))
  try {
    const row = await db.get<{ no: number }>('SELECT no FROM organizations WHERE name = ?', [organization])
    const subscriptions = eventObjects.map((object) => [row?.no ?? 0, object, 'nobody'])
    await db.inTransaction((tx) =>
      tx.insert('webhook_wishes', ['org', 'object', 'webhook_id'], subscriptions),
    )
  } finally {
    await db.close()
  }
  return createKey(store, organization)
}

/** A new employee causes two events: the change, and its audit event. */
const eventsPerWrite = 2

/** Line 13: cost of events, from adding single employees with and without a subscription to all events. */
export async function eventWrites(store: FilledStore, connections: number, rounds: number): Promise<Line> {
  const keys = { unsubscribed: store.apiKey, subscribed: await subscribedKey(store) }
  const muster = await startMuster(store, false)
  const run = randomUUID()
  let added = 0
  const load = (apiKey: string): Load => ({
    apiKey,
    connections,
    amount: connections === 1 ? 1000 : 6000,
    method: 'POST',
    paths: ['/v1/employees'],
    body: () =>
      JSON.stringify({ email: `${run}.${added++}@example.com`, firstName: 'New', lastName: 'Employee' }),
  })
  try {
    const unsubscribed: Run[] = []
    const subscribed: Run[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const one = await runLoad(muster, load(keys.unsubscribed))
      const other = await runLoad(muster, load(keys.subscribed))
      // The first round is a warm-up.
      if (round === 0) continue
      unsubscribed.push(one)
      subscribed.push(other)
    }
    const total =
      median(subscribed.map((it, at) => it.cpuMicroseconds / (unsubscribed[at]?.cpuMicroseconds ?? 1))) - 1
    const cost = total / eventsPerWrite
    const side = (runs: readonly Run[]) => {
      const [cpu, rate] = [runs.map((it) => it.cpuMicroseconds), runs.map((it) => it.requestsPerSecond)]
      return `${median(cpu).toFixed(0)} µs, ${median(rate).toFixed(0)}/s`
    }
    return {
      number: 13,
      workload: `event of a POST, ${connections} client${connections === 1 ? '' : 's'}, ${store.name}`,
      target: '< 15 % of the write',
      measured: `${(cost * 100).toFixed(1)} % for each of ${eventsPerWrite}  (without ${side(unsubscribed)}; with ${side(subscribed)})`,
      met: cost < 0.15,
      figures: { unsubscribed, subscribed, cost },
    }
  } finally {
    await muster.stop()
  }
}
