import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { blockProcess } from '../../../../test/support/block-process.ts'
import { version } from '../lib/version.ts'
import { registerHealth } from './health.ts'

test('/healthz answers with the version', async () => {
  const app = Fastify()
  registerHealth(app, [])
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version })
  await app.close()
})

test('a check passes if its answer arrived in time but the process was too busy to read it', async () => {
  const part = createServer((socket) => {
    socket.once('data', () => socket.write('!', () => blockProcess(2000)))
  }).listen(0, '127.0.0.1')
  await once(part, 'listening')
  const socket = connect((part.address() as AddressInfo).port, '127.0.0.1')
  const app = Fastify()
  const run = async () => {
    socket.write('?')
    await once(socket, 'data')
    return true
  }
  registerHealth(app, [{ name: 'store', required: true, run }])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answer = await app.inject('/readyz').finally(vi.useRealTimers)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', checks: { store: 'ok' } }])
  socket.destroy()
  part.close()
  await app.close()
})
