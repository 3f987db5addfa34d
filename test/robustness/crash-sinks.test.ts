import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKey, type MusterProcess, startMuster } from '../support/muster-process.ts'
import { linesBehavior, type SinkReceiver, startSinkReceiver } from '../support/sink-receiver.ts'
import { until } from '../support/until.ts'

let folder: string
let receiver: SinkReceiver
let server: MusterProcess | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-sinks-'))
  receiver = await startSinkReceiver(linesBehavior())
})
afterEach(async () => {
  await server?.kill()
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a killed process loses no event of a sink, and repeated events keep their IDs', async () => {
  const settings = {
    MUSTER_DATA: join(folder, 'data'),
    MUSTER_EVENTS_HTTP_URL: receiver.url,
    MUSTER_EVENTS_OBJECTS: 'EMPLOYEE',
    MUSTER_RATE_LIMIT_SUSTAINED: '10000',
  }
  server = await startMuster(settings)
  const { key } = await createKey({ MUSTER_DATA: settings.MUSTER_DATA }, 'ada@example.com')
  const added: string[] = []
  const add = async (round: number): Promise<void> => {
    for (let number = 0; number < 40; number += 1) {
      const email = `p${round}-${number}@example.com`
      const response = await fetch(`${server?.address}/v1/employees`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
      if (response.status === 200) added.push(email)
    }
  }
  const seen = () =>
    receiver.requests.flatMap(({ text }) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    )
  // The receiver takes the events, but the process is killed before it knows.
  receiver.delayMs = 1000
  for (const round of [0, 1]) {
    await add(round)
    const count = receiver.requests.length
    await until(
      'a request in flight',
      () => receiver.requests.length > count || seen().length >= added.length,
    )
    await server.kill()
    server = await startMuster(settings)
  }
  receiver.delayMs = 0
  await add(2)
  const idsByEmail = () => Map.groupBy(seen(), (event) => event.new.email as string)
  await until('all events', () => added.every((email) => idsByEmail().has(email)))
  for (const events of idsByEmail().values()) expect(new Set(events.map(({ id }) => id)).size).toBe(1)
  expect(receiver.ids.length).toBeGreaterThan(added.length)
})
