import type { FilledStore } from '../bench-data.ts'
import { openConnection, requestBytes } from '../http-connection.ts'
import { runLoad } from '../load.ts'
import { residentMebibytesOf } from '../process-figures.ts'
import type { Line } from '../report.ts'
import { startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'
import { filterPaths } from './filters.ts'
import type { ReadSetting } from './reads.ts'

/** Line 8: `muster import`, the whole process including indexes. */
export function importRate({ name, imported }: FilledStore): Line {
  const perSecond = imported.records / imported.seconds
  return {
    number: 8,
    workload: `import of ${imported.records} records, ${name}`,
    target: name === 'SQLite' ? '≥ 20,000 records/s' : 'none set',
    measured: `${perSecond.toFixed(0)} records/s, ${imported.seconds.toFixed(0)} s (when the data was created)`,
    met: name === 'SQLite' ? perSecond >= 20_000 : undefined,
    figures: imported,
  }
}

const mixedRequests = 100_000
const stages = 5

/** Line 9: resident memory during requests of lists, single records and filters. */
export async function memory({ store, servers, tokens, ids }: ReadSetting): Promise<Line> {
  const { muster } = servers
  const filtered = await filterPaths(muster, store.apiKey, '/v1/browserExtensions', 'listBrowserExtensions')
  const paths = ids.flatMap((id, at) => [
    `/v1/accounts/${id}`,
    `/v1/browserExtensions?nextToken=${tokens[at % (tokens.length - 1)]}`,
    filtered[at % filtered.length] ?? '/v1/apps',
  ])
  const load = { paths, apiKey: store.apiKey, connections: 20, amount: mixedRequests / stages }
  const samples: number[] = []
  for (let stage = 0; stage < stages; stage += 1) {
    await runLoad(muster, load)
    samples.push(residentMebibytesOf(muster.pid))
  }
  const last = samples.at(-1) ?? 0
  return {
    number: 9,
    workload: `memory after ${mixedRequests} mixed requests, ${store.name}`,
    target: '≤ 256 MiB, flat',
    measured: `${last.toFixed(0)} MiB (after each fifth: ${samples.map((mebibytes) => mebibytes.toFixed(0)).join(', ')})`,
    met: last <= 256,
    figures: { mebibytes: samples },
  }
}

/** Line 10: time from the start of the process to the first response of a list. */
export async function startTime(store: FilledStore, rounds: number): Promise<Line> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const beganMs = performance.now()
    const muster = await startMuster(store, true)
    const connection = await openConnection(muster.address)
    const { status } = await connection.ask(requestBytes('GET', '/v1/browserExtensions', store.apiKey))
    times.push(performance.now() - beganMs)
    connection.close()
    await muster.stop()
    if (status !== 200) throw new Error(`the first response was ${status}`)
  }
  const ms = median(times)
  return {
    number: 10,
    workload: `start to first response, TLS, ${store.name}`,
    target: '≤ 1.0 s',
    measured: `${(ms / 1000).toFixed(2)} s`,
    met: ms <= 1000,
    figures: { ms: times },
  }
}
