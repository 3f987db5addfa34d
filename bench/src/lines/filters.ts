import { type OperationId, operations } from '@muster/contract/api/api'
import type { Operation } from '@muster/contract/api/operation'
import type { FilledStore } from '../bench-data.ts'
import { type HttpConnection, openConnection, requestBytes } from '../http-connection.ts'
import type { Line } from '../report.ts'
import { type ServerProcess, startMuster } from '../server-process.ts'
import { median, percentile } from '../statistics.ts'
import { filterChoices, queriesOf } from './filter-requests.ts'

/** Response time of a list with certain filters. */
interface FilterTime {
  readonly path: string
  readonly kinds: string
  /** Median of the repetitions. */
  readonly ms: number
}

/** Line 5: every filter and every pair of filters of every list, with common and rare values. */
export async function filters(store: FilledStore, repetitions: number): Promise<Line> {
  const muster = await startMuster(store, false)
  const times: FilterTime[] = []
  const all: number[] = []
  try {
    const connection = await openConnection(muster.address)
    for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
      if (operation.kind !== 'list' || operation.collection.parent || id.startsWith('listBlocked')) continue
      const choices = await filterChoices(muster.address, store.apiKey, operation.path, operation.collection)
      for (const query of queriesOf(choices)) {
        const path = `${operation.path}?${query.map((choice) => choice.query).join('&')}`
        const measured = await timesOf(connection, store.apiKey, path, repetitions)
        all.push(...measured)
        times.push({
          path,
          kinds: query.map(({ filter, frequency }) => `${filter} ${frequency}`).join(' + '),
          ms: median(measured),
        })
      }
    }
    connection.close()
  } finally {
    await muster.stop()
  }
  return lineOf(store, times, all)
}

async function timesOf(
  connection: HttpConnection,
  apiKey: string,
  path: string,
  repetitions: number,
): Promise<number[]> {
  const bytes = requestBytes('GET', path, apiKey)
  const taken: number[] = []
  for (let number = 0; number <= repetitions; number += 1) {
    const { status, ms } = await connection.ask(bytes)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    // The first request fills the page cache and prepares the statement.
    if (number > 0) taken.push(ms)
  }
  return taken
}

function lineOf(store: FilledStore, times: readonly FilterTime[], all: readonly number[]): Line {
  const limitMs = store.name === 'SQLite' ? 5 : 10
  const sorted = all.toSorted((one, other) => one - other)
  const p99Ms = percentile(sorted, 0.99)
  const slowest = times.toSorted((one, other) => other.ms - one.ms)
  const over = slowest.filter(({ ms }) => ms > limitMs)
  const [worst] = slowest
  const worstText = worst
    ? `; worst ${worst.ms.toFixed(1)} ms: ${worst.path.split('?')[0]} ${worst.kinds}`
    : ''
  return {
    number: 5,
    workload: `${times.length} single filters and pairs, ${store.name}`,
    target: `p99 ≤ ${limitMs} ms`,
    measured: `p99 ${p99Ms.toFixed(1)} ms, p50 ${percentile(sorted, 0.5).toFixed(2)} ms, ${over.length} over ${limitMs} ms${worstText}`,
    met: p99Ms <= limitMs,
    figures: { p99Ms, over, slowest: slowest.slice(0, 40) },
  }
}

/** Returns paths with each single filter of a list, for other lines. */
export const filterPaths = async (
  { address }: ServerProcess,
  apiKey: string,
  path: string,
  id: OperationId,
): Promise<string[]> => {
  const operation: Operation = operations[id]
  if (operation.kind !== 'list') return []
  const choices = await filterChoices(address, apiKey, path, operation.collection)
  return choices.map((choice) => `${path}?${choice.query}`)
}
