import { getPage, tokensOf } from '../api-client.ts'
import type { FilledStore } from '../bench-data.ts'
import { type Comparison, compare, type ServerPair, startServerPair } from '../compare.ts'
import type { Line } from '../report.ts'

/** Both servers on a store, and positions all over the list. */
export interface ReadSetting {
  readonly store: FilledStore
  readonly servers: ServerPair
  readonly tls: boolean
  readonly tokens: readonly string[]
  readonly floorTokens: readonly string[]
  readonly ids: readonly string[]
  readonly rounds: number
}

const extensions = '/v1/browserExtensions'
const connections = 10
const positions = 1000

/** Starts both servers and collects tokens and IDs to request. */
export async function readSetting(store: FilledStore, tls: boolean, rounds: number): Promise<ReadSetting> {
  const servers = await startServerPair(store, tls)
  const { floor, muster } = servers
  const tokens = await tokensOf(
    muster.address,
    store.apiKey,
    (token) => `${extensions}?limit=1000&nextToken=${token}`,
    positions,
  )
  const floorTokens = await tokensOf(
    floor.address,
    store.apiKey,
    (token) => `/list?limit=1000&after=${token || '0'}`,
    positions,
  )
  const ids: string[] = []
  const accounts = (token: string) => `/v1/accounts?limit=10&nextToken=${token}`
  const accountPositions = await tokensOf(
    muster.address,
    store.apiKey,
    (token) => accounts(token).replace('limit=10', 'limit=1000'),
    positions,
  )
  for (const token of accountPositions) {
    const page = await getPage(muster.address, store.apiKey, accounts(token))
    ids.push(...page['the service'].map((record) => String(record.id)))
  }
  return { store, servers, tls, tokens, floorTokens, ids, rounds }
}

const formatRatio = (ratio: number) => ratio.toFixed(2)

function ratioLine(
  setting: ReadSetting,
  number: number,
  workload: string,
  target: number,
  { floor, muster, ratio }: Comparison,
): Line {
  const side = (name: string, { cpuMicroseconds, requestsPerSecond, p50Ms, p99Ms }: typeof floor) =>
    `${name} ${cpuMicroseconds.toFixed(0)} µs, ${requestsPerSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms`
  return {
    number,
    workload: `${workload}, ${setting.store.name}, TLS ${setting.tls ? 'on' : 'off'}`,
    target: `≥ ${formatRatio(target)} of the floor`,
    measured: `${formatRatio(ratio)}  (${side('floor', floor)}; ${side('Muster', muster)})`,
    met: ratio >= target,
    figures: { floor, muster, ratio },
  }
}

/** Line 1: pages of 100 records by token, all over the list. */
export async function listByToken(setting: ReadSetting): Promise<Line> {
  const { store, servers, tokens, floorTokens, rounds } = setting
  const load = { apiKey: store.apiKey, connections, amount: 2000, busyPoll: store.name === 'SQLite' }
  const paths = tokens.slice(0, -1).map((token) => `${extensions}?nextToken=${token}`)
  const floorPaths = floorTokens.slice(0, -1).map((token) => `/list?limit=100&after=${token}`)
  const both = { floor: { ...load, paths: floorPaths }, muster: { ...load, paths } }
  const target = store.name === 'SQLite' ? 0.8 : 0.75
  return ratioLine(setting, 1, 'list of 100 by token', target, await compare(servers, both, rounds))
}

/** Line 2: an account by ID. */
export async function getById(setting: ReadSetting): Promise<Line> {
  const { store, servers, ids, rounds } = setting
  const load = { apiKey: store.apiKey, connections, amount: 40_000, busyPoll: store.name === 'SQLite' }
  const floor = { ...load, paths: ids.map((id) => `/single/${id}`) }
  const muster = { ...load, paths: ids.map((id) => `/v1/accounts/${id}`) }
  return ratioLine(setting, 2, 'by id', 0.65, await compare(servers, { floor, muster }, rounds))
}

/** Line 3: the last page compared with the first one. */
export async function depth(setting: ReadSetting): Promise<Line> {
  const { store, servers, tokens, rounds } = setting
  const load = { apiKey: store.apiKey, connections: 1, amount: 500 }
  const deep = { ...load, paths: [`${extensions}?nextToken=${tokens.at(-1)}`] }
  const first = { ...load, paths: [extensions] }
  // Compares Muster with itself: the first page takes the role of the floor.
  const same = { ...servers, floor: servers.muster }
  const { floor, muster } = await compare(same, { floor: first, muster: deep }, rounds)
  const growth = muster.p50Ms / floor.p50Ms
  const cpuGrowth = muster.cpuMicroseconds / floor.cpuMicroseconds
  return {
    number: 3,
    workload: `depth: last page ÷ first, by token, ${store.name}`,
    target: '≤ 1.15',
    measured: `${cpuGrowth.toFixed(2)} in CPU, ${growth.toFixed(2)} in time  (${floor.p50Ms.toFixed(2)} ms first, ${muster.p50Ms.toFixed(2)} ms last)`,
    met: cpuGrowth <= 1.15,
    figures: { first: floor, last: muster },
  }
}
