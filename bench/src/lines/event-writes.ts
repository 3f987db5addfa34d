import { randomUUID } from 'node:crypto'
import { eventObjects } from '@muster/contract/event-objects'
import { openStore } from '../../../server/src/kernel/store/lifecycle/open.ts'
import { type FilledStore, makeKey } from '../bench-data.ts'
import { type Load, type Run, runLoad } from '../load.ts'
import type { Line } from '../report.ts'
import { runMuster, startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'

const organization = 'heard'

/** An organization of its own, all of whose events somebody wishes for, to whom they are never due. Gives its key. */
async function keyOfHeard(store: FilledStore): Promise<string> {
  await runMuster(store, ['org', 'add', organization])
  const db = await openStore(store, Math.floor(Date.now() / 1000))
  try {
    const row = await db.get<{ no: number }>('SELECT no FROM organizations WHERE name = ?', [organization])
    const wishes = eventObjects.map((object) => [row?.no ?? 0, object, 'nobody'])
    await db.inTransaction((tx) => tx.insert('webhook_wishes', ['org', 'object', 'webhook_id'], wishes))
  } finally {
    await db.close()
  }
  return makeKey(store, organization)
}

/** An employee who is added is two events: the change, and what the audit trail says of it. */
const eventsPerWrite = 2

/** Line 13: employees added one by one where somebody wishes for every event, and where nobody does. */
export async function eventWrites(store: FilledStore, connections: number, rounds: number): Promise<Line> {
  const keys = { silent: store.apiKey, heard: await keyOfHeard(store) }
  const muster = await startMuster(store, false)
  const run = randomUUID()
  let made = 0
  const load = (apiKey: string): Load => ({
    apiKey,
    connections,
    amount: connections === 1 ? 1000 : 6000,
    method: 'POST',
    paths: ['/v1/employees'],
    body: () =>
      JSON.stringify({ email: `${run}.${made++}@example.com`, firstName: 'New', lastName: 'Employee' }),
  })
  try {
    const silent: Run[] = []
    const heard: Run[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const one = await runLoad(muster, load(keys.silent))
      const other = await runLoad(muster, load(keys.heard))
      // The first round warms up.
      if (round === 0) continue
      silent.push(one)
      heard.push(other)
    }
    const together =
      median(heard.map((it, at) => it.cpuMicroseconds / (silent[at]?.cpuMicroseconds ?? 1))) - 1
    const cost = together / eventsPerWrite
    const side = (runs: readonly Run[]) => {
      const [cpu, rate] = [runs.map((it) => it.cpuMicroseconds), runs.map((it) => it.requestsPerSecond)]
      return `${median(cpu).toFixed(0)} µs, ${median(rate).toFixed(0)}/s`
    }
    return {
      number: 13,
      workload: `event of a POST, ${connections} client${connections === 1 ? '' : 's'}, ${store.name}`,
      target: '< 15 % of the write',
      measured: `${(cost * 100).toFixed(1)} % each of ${eventsPerWrite}  (without ${side(silent)}; with ${side(heard)})`,
      met: cost < 0.15,
      figures: { silent, heard, cost },
    }
  } finally {
    await muster.stop()
  }
}
