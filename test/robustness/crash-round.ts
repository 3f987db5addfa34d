import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { createKey, type MusterProcess, startMuster } from '../support/muster-process.ts'

/** What one round of killing a server in the middle of writes has shown. */
export interface CrashRound {
  /** Milliseconds of writing before the end. */
  killedAfterMs: number
  acknowledged: number
  /** Acknowledged writes that are not there, or not once. */
  lost: string[]
  /** Writes sent again with the Idempotency-Key of their first try, and what was there twice after. */
  repeated: number
  doubled: string[]
  integrity: string
}

interface Write {
  path: string
  body: object
  idempotencyKey: string
}

/** A write whose trace is a text that nothing else holds. */
interface Planned {
  mark: string
  write: Write
}

const clients = 8

/** Starts a server on an empty folder, writes to it, kills it, starts it again and looks. */
export async function crashRound(killedAfterMs: number): Promise<CrashRound> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-crash-'))
  const settings = {
    MUSTER_DATA: folder,
    MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
    MUSTER_RATE_LIMIT_BURST: '1000000',
  }
  let server: MusterProcess | undefined
  try {
    server = await startMuster(settings)
    const { key } = await createKey(settings, 'ada@example.com')
    const acknowledged: Planned[] = []
    const open: Planned[] = []
    const { address } = server
    const writing = Array.from({ length: clients }, () => writeUntilRefused(address, key, acknowledged, open))
    await wait(killedAfterMs)
    await server.kill()
    await Promise.all(writing)
    const integrity = soundness(join(folder, 'muster.db'))
    // The next start is the same command, and nothing else was done.
    server = await startMuster(settings)
    const after = await marks(server.address, key)
    const lost = acknowledged.filter(({ mark }) => after.get(mark) !== 1).map(({ mark }) => mark)
    const again = [...acknowledged.slice(-10), ...open]
    for (const { write } of again) await send(server.address, key, write)
    const repeatedMarks = await marks(server.address, key)
    const doubled = again.filter(({ mark }) => repeatedMarks.get(mark) !== 1).map(({ mark }) => mark)
    await server.stop()
    server = undefined
    return {
      killedAfterMs,
      acknowledged: acknowledged.length,
      lost,
      repeated: again.length,
      doubled,
      integrity,
    }
  } finally {
    await server?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeUntilRefused(
  address: string,
  key: string,
  acknowledged: Planned[],
  open: Planned[],
): Promise<void> {
  for (let employee = ''; ; ) {
    const mark = randomUUID()
    const idempotencyKey = randomUUID()
    // An employee, then a group and a link of that employee, then the next employee.
    const write =
      employee === ''
        ? { path: '/v1/employees', body: { email: `${mark}@example.com` }, idempotencyKey }
        : { path: `/v1/employees/${employee}/groups`, body: { group: mark }, idempotencyKey }
    const planned = { mark, write }
    open.push(planned)
    const answer = await send(address, key, write).catch(() => undefined)
    if (answer === undefined) return
    acknowledged.push(planned)
    open.splice(open.indexOf(planned), 1)
    employee = employee === '' ? answer.id : ''
  }
}

async function send(
  address: string,
  key: string,
  { path, body, idempotencyKey }: Write,
): Promise<{ id: string }> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text) as { id: string }
}

/** How often each mark is there: as the address of an employee, or as a group of one. */
async function marks(address: string, key: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let token = ''; ; ) {
    const url = `${address}/v1/employees?limit=1000&nextToken=${token}`
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    const page = (await response.json()) as {
      'the service': { email: string; groups: string[] }[]
      paging: { nextToken: string | null }
    }
    for (const { email, groups } of page['the service'])
      for (const mark of [email.replace('@example.com', ''), ...groups])
        found.set(mark, (found.get(mark) ?? 0) + 1)
    if (page.paging.nextToken === null) return found
    token = page.paging.nextToken
  }
}

/** What SQLite says of the file as the crash left it. */
export const soundness = (path: string): string =>
  inCopyOf(path, (database) => {
    const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).join('; ')
  })

/** Looks at a copy of a file that a crash left: to look is to undo what was half written, which the next start shall do. */
export function inCopyOf<T>(path: string, look: (database: DatabaseSync) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'muster-copy-'))
  const copy = join(folder, 'muster.db')
  for (const ending of ['', '-wal', '-journal'])
    if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending)
  const database = new DatabaseSync(copy)
  try {
    return look(database)
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
