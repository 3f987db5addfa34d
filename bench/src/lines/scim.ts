import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DataPlan, once, recreateDatabase } from '../bench-data.ts'
import { type HttpConnection, openConnection, scimRequestBytes } from '../http-connection.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import { peakMebibytesOf } from '../process-figures.ts'
import type { Line } from '../report.ts'
import { type MusterStore, runMuster, type ServerProcess, startMuster } from '../server-process.ts'
import { percentile } from '../statistics.ts'

const schemas = 'urn:ietf:params:scim:schemas:core:2.0:'
const messages = 'urn:ietf:params:scim:api:messages:2.0:'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Users of a bulk request, and members that a PATCH adds. The size of a body allows no more. */
const usersPerRequest = 100
const membersPerRequest = 10_000
/** Number of users whose IDs are kept for requests. */
const keptIds = 1000

/** A store with users in one group that has them all. */
interface FilledDirectory {
  readonly groupId: string
  readonly userIds: readonly string[]
  readonly seconds: number
}

const userOf = (number: number) => ({
  schemas: [`${schemas}User`, enterprise],
  userName: `user${number}@bench.example`,
  externalId: `e${number}`,
  displayName: `User ${number}`,
  name: { givenName: `Given ${number % 1000}`, familyName: `Family ${number % 10_000}` },
  title: `Title ${number % 200}`,
  emails: [{ value: `user${number}@bench.example`, type: 'work', primary: true }],
  addresses: [{ type: 'work', locality: `City ${number % 50}`, country: 'DE' }],
  [enterprise]: { department: `Department ${number % 40}` },
})

const patchOf = (...operations: object[]) =>
  JSON.stringify({ schemas: [`${messages}PatchOp`], Operations: operations })

type Send = (connection: HttpConnection, method: string, path: string, body?: string) => Promise<string>

/** Returns a function that sends a request with a token and requires that it succeeds. */
const sender =
  (token: string): Send =>
  async (connection, method, path, body) => {
    const answer = await connection.ask(scimRequestBytes(method, `/scim/v2${path}`, token, body))
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
    return answer.body
  }

async function fill(muster: ServerProcess, send: Send, users: number): Promise<FilledDirectory> {
  const beganMs = performance.now()
  const ids: string[] = []
  const connections = await Promise.all(
    Array.from({ length: 4 }, () => openConnection(muster.address, { keepBodies: true })),
  )
  const [first] = connections
  if (!first) throw new Error('no connection')
  let next = 0
  const addUsers = async (connection: HttpConnection): Promise<void> => {
    while (next < users) {
      const from = next
      next = Math.min(users, from + usersPerRequest)
      const operations = Array.from({ length: next - from }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: String(from + at),
        data: userOf(from + at),
      }))
      const body = JSON.stringify({ schemas: [`${messages}BulkRequest`], Operations: operations })
      const answer = JSON.parse(await send(connection, 'POST', '/Bulk', body)) as {
        Operations: { bulkId: string; location: string }[]
      }
      for (const { bulkId, location } of answer.Operations)
        ids[Number(bulkId)] = location.slice(location.lastIndexOf('/') + 1)
    }
  }
  await Promise.all(connections.map(addUsers))
  const group = JSON.stringify({ schemas: [`${schemas}Group`], displayName: 'Everyone' })
  const { id: groupId } = JSON.parse(await send(first, 'POST', '/Groups', group)) as { id: string }
  for (let from = 0; from < users; from += membersPerRequest) {
    const value = ids.slice(from, from + membersPerRequest).map((id) => ({ value: id }))
    await send(first, 'PATCH', `/Groups/${groupId}`, patchOf({ op: 'add', path: 'members', value }))
  }
  for (const connection of connections) connection.close()
  const seconds = (performance.now() - beganMs) / 1000
  const every = Math.ceil(users / keptIds)
  return { groupId, userIds: ids.filter((_, at) => at % every === 0), seconds }
}

/**
 * Line 18: requests of a directory by SCIM, with a tenth as many users as there are rows and a group that has them all. Filling a
 * store takes minutes, so the line runs only if it is named: `--lines 18`.
 */
export async function* scim(plan: DataPlan, server?: PostgresProcess): AsyncGenerator<Line> {
  const name = server ? 'postgres' : 'sqlite'
  const users = Math.ceil(plan.rows / 10)
  const store: MusterStore = {
    dataDir: join(plan.folder, `scim-${name}`),
    databaseUrl: server?.urlOf('muster_scim'),
  }
  const { groupId, userIds, seconds } = await once(join(plan.folder, `scim-${name}.json`), async () => {
    rmSync(store.dataDir, { recursive: true, force: true })
    if (server) await recreateDatabase(server, 'muster_scim')
    const muster = await startMuster(store, false)
    try {
      return await fill(muster, sender(await createToken(store)), users)
    } finally {
      await muster.stop()
    }
  })
  const line = (workload: string, measured: string, figures?: unknown): Line => ({
    number: 18,
    workload: `SCIM: ${workload}, ${server ? 'PostgreSQL' : 'SQLite'}`,
    target: 'none set',
    measured,
    met: undefined,
    figures,
  })
  yield line(`${users} users, one group`, `${seconds.toFixed(0)} s (when the data was created)`, {
    seconds,
  })
  const send = sender(await createToken(store))
  const muster = await startMuster(store, false)
  const connection = await openConnection(muster.address)
  const run = Date.now()
  const idAt = (at: number) => userIds[(at * 7919) % userIds.length] ?? ''
  const numberAt = (at: number) => (at * 7919) % users
  const filter = (text: string) => `/Users?filter=${encodeURIComponent(text)}`
  const member = (at: number) => `members[value eq "${idAt(at)}"]`
  const group = `/Groups/${groupId}`
  const requests: readonly (readonly [string, number, (at: number) => readonly [string, string, string?]])[] =
    [
      ['get a user', 500, (at) => ['GET', `/Users/${idAt(at)}`]],
      ['filter by userName', 500, (at) => ['GET', filter(`userName eq "USER${numberAt(at)}@bench.example"`)]],
      ['filter by externalId', 500, (at) => ['GET', filter(`externalId eq "e${numberAt(at)}"`)]],
      ['list 100 users', 50, (at) => ['GET', `/Users?startIndex=${1 + at * 100}&count=100`]],
      [
        'list 100 users, late',
        50,
        (at) => ['GET', `/Users?startIndex=${Math.ceil(users * 0.9) + at}&count=100`],
      ],
      ['filter by title', 5, (at) => ['GET', filter(`title eq "Title ${at}"`)]],
      [
        'create a user',
        200,
        (at) => [
          'POST',
          '/Users',
          JSON.stringify({ ...userOf(users), userName: `new${run}.${at}@bench.example`, emails: [] }),
        ],
      ],
      [
        'PATCH of the department',
        200,
        (at) => [
          'PATCH',
          `/Users/${idAt(at)}`,
          patchOf({ op: 'replace', path: `${enterprise}:department`, value: `Department ${run} ${at}` }),
        ],
      ],
      ['remove 1 member', 100, (at) => ['PATCH', group, patchOf({ op: 'remove', path: member(at) })]],
      [
        'add 1 member',
        100,
        (at) => ['PATCH', group, patchOf({ op: 'add', path: 'members', value: [{ value: idAt(at) }] })],
      ],
      ['group without members', 100, () => ['GET', `${group}?excludedAttributes=members`]],
      ['group with members', 5, () => ['GET', group]],
    ]
  try {
    for (const [workload, count, requestAt] of requests) {
      const times: number[] = []
      for (let at = 0; at < count; at += 1) {
        const beganMs = performance.now()
        await send(connection, ...requestAt(at))
        times.push(performance.now() - beganMs)
      }
      const sorted = Float64Array.from(times).sort()
      const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
      yield line(workload, `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`, { p50Ms: p50, p99Ms: p99 })
    }
    yield line('memory', `${peakMebibytesOf(muster.pid).toFixed(0)} MiB at most`)
    const clients = await Promise.all(Array.from({ length: 8 }, () => openConnection(muster.address)))
    await Promise.all(clients.map((client) => send(client, 'GET', group)))
    for (const client of clients) client.close()
    yield line('memory, 8 clients, group', `${peakMebibytesOf(muster.pid).toFixed(0)} MiB at most`)
  } finally {
    connection.close()
    await muster.stop()
  }
}

async function createToken(store: MusterStore): Promise<string> {
  const output = await runMuster(store, ['scim', 'token', 'create', '--name', 'bench', '--json'])
  return (JSON.parse(output) as { token: string }).token
}
