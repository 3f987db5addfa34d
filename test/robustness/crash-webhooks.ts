import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { createKey, type MusterProcess, runMuster, startMuster } from '../support/muster-process.ts'
import { until } from '../support/until.ts'
import { type ReceivedRequest, startReceiver } from '../support/webhook-receiver.ts'
import { soundness } from './crash-round.ts'

/** Result of killing a server during deliveries. */
export interface WebhookCrash {
  killedAfterMs: number
  /** Number of changes in the store. */
  changes: number
  /** Number of received requests, and of those that repeat an event with the same ID and body. */
  requests: number
  repeats: number
  /** Changes without a received event, received events without a change, and IDs with different bodies. */
  lost: string[]
  invented: string[]
  altered: string[]
  /** Events whose attempts are not numbered without gaps, or do not match the delivery's count. */
  disordered: string[]
  integrity: string
}

const clients = 4

/** Refuses every second event, so some are retried. */
const isRefused = (id: string): boolean => Number.parseInt(id.slice(-1), 16) % 2 === 0

/**
 * Starts a server with an endpoint, makes changes, kills and restarts it, and waits until all deliveries were
 * attempted.
 */
export async function webhookCrash(killedAfterMs: number): Promise<WebhookCrash> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-crash-'))
  const settings = {
    MUSTER_DATA: folder,
    MUSTER_WEBHOOKS_ALLOW_PRIVATE: '1',
    MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
    MUSTER_RATE_LIMIT_BURST: '1000000',
  }
  const receiver = await startReceiver(
    (response, { id }) => void response.writeHead(isRefused(id) ? 500 : 200).end(),
  )
  let server: MusterProcess | undefined
  try {
    server = await startMuster(settings)
    const { key } = await createKey(settings, 'ada@example.com')
    const add = ['webhooks', 'add', '--url', receiver.url, '--objects', 'EMPLOYEE', '--json']
    const { code, stderr } = await runMuster(add, settings)
    if (code !== 0) throw new Error(`no endpoint was added: ${stderr}`)
    const { address } = server
    const writing = Array.from({ length: clients }, () => writeUntilRefused(address, key))
    await until('first request', () => receiver.requests.length > 0)
    await wait(killedAfterMs)
    await server.kill()
    await Promise.all(writing)
    const file = join(folder, 'muster.db')
    const integrity = soundness(file)
    server = await startMuster(settings)
    await until('end of all first attempts', () => untried(file) === 0, 120_000)
    await server.stop()
    server = undefined
    return {
      killedAfterMs,
      integrity: `${integrity}, ${soundness(file)}`,
      ...compared(file, receiver.requests),
    }
  } finally {
    await server?.kill()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds employees until the server is gone. */
export async function writeUntilRefused(address: string, key: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/v1/employees`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${randomUUID()}@example.com` }),
    })
      .then((response) => response.text())
      .catch(() => undefined)
    if (answer === undefined) return
  }
}

function query<T>(file: string, sql: string): T[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all() as T[]
  } finally {
    database.close()
  }
}

const untried = (file: string): number =>
  query<{ count: number }>(
    file,
    'SELECT count(*) AS count FROM webhook_deliveries WHERE attempts = 0 OR lease IS NOT NULL',
  )[0]?.count ?? 0

function compared(file: string, requests: readonly ReceivedRequest[]) {
  const ids = query<{ id: string }>(file, 'SELECT id FROM employees').map(({ id }) => id)
  const bodies = new Map<string, Set<string>>()
  const received = new Map<string, Set<string>>()
  for (const { id, body } of requests) {
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    const employee = (JSON.parse(body) as { new: { id: string } }).new.id
    received.set(employee, (received.get(employee) ?? new Set()).add(id))
  }
  const rows = query<{ id: string; attempts: number; made: number; last: number }>(
    file,
    `SELECT d.event_id AS id, d.attempts, count(*) AS made, max(a.attempt) AS last FROM webhook_deliveries d
     LEFT JOIN webhook_attempts a ON a.event_id = d.event_id GROUP BY d.event_id`,
  )
  return {
    changes: ids.length,
    requests: requests.length,
    repeats: requests.length - bodies.size,
    // Every change has one event with the same ID in each delivery.
    lost: ids.filter((id) => received.get(id)?.size !== 1),
    invented: [...received.keys()].filter((id) => !ids.includes(id)),
    altered: [...bodies].filter(([, texts]) => texts.size > 1).map(([id]) => id),
    disordered: rows
      .filter(({ attempts, made, last }) => attempts !== made || attempts !== last)
      .map(({ id }) => id),
  }
}
