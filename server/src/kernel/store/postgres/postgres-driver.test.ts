import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../../test/support/database.ts'
import postgres from '../../../../vendor/postgres/src/index.js'
import { commitError } from './postgres-errors.ts'

const queueFile = new URL('../../../../vendor/postgres/src/queue.js', import.meta.url)

let database: FreshDatabase
let sql: postgres.Sql

beforeEach(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 3, fetch_types: false, backoff: () => 0 })
})
afterEach(async () => {
  await sql.end({ timeout: 0 })
  await database.drop()
})

const pause = () => new Promise((resolve) => setTimeout(resolve, 100))

test('rejects a statement on a closed connection, and leaves nothing of it to the next one', async () => {
  const late = Promise.withResolvers<unknown>()
  const work = sql.begin(async (tx) => {
    await tx.unsafe('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    // The driver rejects the transaction at once, but its work may still send statements.
    await pause()
    await tx.unsafe('SELECT 1 AS late').then(late.resolve, late.resolve)
  })
  await expect(work).rejects.toThrow()
  expect(await late.promise).toMatchObject({ code: 'CONNECTION_CLOSED' })
  await pause()
  const answers = [1, 2, 3].map((value) => sql.unsafe(`SELECT ${value} AS value`))
  expect((await Promise.all(answers)).flat()).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }])
})

test('takes the most recently used of the free connections', async () => {
  const pid = async () => (await sql.unsafe('SELECT pg_backend_pid() AS pid'))[0]?.pid
  const sleeps = ['0.15', '0.05', '0.3'].map((seconds) =>
    sql.unsafe(`SELECT pg_sleep(${seconds}), pg_backend_pid() AS pid`),
  )
  const last = (await Promise.all(sleeps))[2]?.[0]?.pid
  const after = [await pid(), await pid(), await pid()]
  expect(after).toEqual([last, last, last])
})

test('queues give up the last of their elements as well as the first', async () => {
  const { default: createQueue } = (await import(queueFile.href)) as {
    default: () => { push(x: string): string; pop(): string; shift(): string; readonly length: number }
  }
  const queue = createQueue()
  for (const name of ['a', 'b', 'c']) queue.push(name)
  expect([queue.pop(), queue.shift(), queue.length, queue.pop(), queue.length]).toEqual(['c', 'a', 1, 'b', 0])
  queue.push('d')
  expect([queue.length, queue.shift(), queue.length]).toEqual([1, 'd', 0])
})

test('reports a COMMIT outside a transaction as an error, not as a notice', async () => {
  await expect(sql.unsafe('COMMIT')).rejects.toMatchObject({ code: '25P01' })
  expect(await sql.unsafe('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

/** Starts a server that answers each statement with success, and COMMIT with ROLLBACK. Returns its port. */
async function startRefusingServer(): Promise<number> {
  const message = (type: string, body: string) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(4 + body.length)
    return Buffer.concat([Buffer.from(type), size, Buffer.from(body)])
  }
  const ready = message('Z', 'I')
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]))
      socket.on('data', (bytes) => {
        const command = /commit/.test(bytes.toString()) ? 'ROLLBACK' : 'BEGIN'
        socket.write(Buffer.concat([message('C', `${command}\0`), ready]))
      })
    })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

test('a transaction whose COMMIT is answered with ROLLBACK is an error', async () => {
  const client = postgres({
    host: '127.0.0.1',
    port: await startRefusingServer(),
    max: 1,
    fetch_types: false,
  })
  const error = await client.begin((tx) => tx.unsafe('SELECT 1')).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'CONNECTION_NOT_COMMITTED' })
  expect(commitError(error)).toMatchObject({ name: 'StoreUnavailableError', mayBeDone: true })
  await client.end({ timeout: 0 })
})
