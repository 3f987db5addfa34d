import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { createKey, type MusterProcess, startMuster } from '../support/muster-process.ts'

/** Result of killing a server during writes. */
export interface CrashRound {
  /** Milliseconds of writing before the kill. */
  killedAfterMs: number
  acknowledged: number
  /** Acknowledged writes that are missing or duplicated. */
  lost: string[]
  /** Number of writes sent again with their Idempotency-Key, and those that are duplicated. */
  repeated: number
  doubled: string[]
  integrity: string
}

interface Write {
  path: string
  body: object
  idempotencyKey: string
}

/** Write that leaves a unique text. */
interface Planned {
  mark: string
  write: Write
}

const clients = 8

/** Starts a server on an empty folder, writes to it, kills and restarts it, and inspects the store. */
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
    // The restart uses the same command, without any repair.
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
    // Create an employee, add a group and a link to them, then start over.
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

/** Counts each mark as an employee's address or group. */
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

/** Returns the result of SQLite's integrity check on the file after the crash. */
export const soundness = (path: string): string =>
  inCopyOf(path, (database) => {
    const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).join('; ')
  })

/**
 * Inspects a copy of the file after a crash: opening the original would roll back its journal, which the restart
 * must do.
 */
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
