import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mistakesMaximum } from '@muster/contract/api/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryRateLimiter } from '../../server/src/kernel/http/rate-limit/rate-limit.ts'
import { fakeClock } from '../../server/src/kernel/lib/clock.ts'
import { allOperations, exampleRequests } from '../support/example-requests.ts'
import { fc } from '../support/fast-check.ts'
import { type Caller, type Harness, startHarness } from '../support/harness.ts'
import { type OddRequest, oddRequest } from '../support/odd-requests.ts'
import { STORES } from '../support/stores.ts'
import { wholeRows } from '../support/whole-rows.ts'

/** Number of requests per operation. Most errors are found before a store is involved. */
const runs = { sqlite: 30, postgres: 10 } as const
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Seen {
  status: number
  type: string
  text: string
}

/** Sends a request unchanged. A response before the end of the request counts, too. */
function send(port: number, key: string, { method, path, headers, body }: OddRequest): Promise<Seen> {
  return new Promise((resolve, reject) => {
    // Node omits the length for DELETE, and the body would be parsed as another request.
    const length = body === undefined ? {} : { 'content-length': body.length }
    const sentHeaders = { 'x-api-key': key, ...length, ...headers }
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers: sentHeaders })
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text })
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Returns the content of the store, except for traces of reads and refused requests. */
async function storeDigest({ db }: Harness): Promise<string> {
  const tables =
    db.dialect.name === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%substrings%' AND name NOT LIKE 'sqlite%'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
  const hash = createHash('sha256')
  for (const { name } of await db.all<{ name: string }>(`${tables} ORDER BY name`)) {
    if (['api_keys', 'api_key_hours', 'idempotency_keys', 'counters'].includes(name)) continue
    const rows = await wholeRows(db, name)
    hash.update(name).update(
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    )
  }
  return hash.digest('hex')
}

for (const store of STORES) {
  describe(store, () => {
    let harness: Harness
    let caller: Caller
    let port = 0
    let examples: Awaited<ReturnType<typeof exampleRequests>>

    beforeAll(async () => {
      const rateLimiter = memoryRateLimiter({ sustained: 1_000_000, burst: 1_000_000, clock: fakeClock() })
      harness = await startHarness(store, { app: { rateLimiter } })
      caller = await harness.addKey(await harness.addOrganization('one'))
      examples = await exampleRequests(harness, caller.org)
      await harness.app.listen({ port: 0, host: '127.0.0.1' })
      port = (harness.app.server.address() as AddressInfo).port
    })
    afterAll(() => harness.close())

    test.each(allOperations)(
      '%s responds to any input, names the errors, and then changes nothing',
      async (id, operation) => {
        let before = await storeDigest(harness)
        const property = fc.asyncProperty(oddRequest(operation, examples[id]), async (odd) => {
          const { status, type, text } = await send(port, caller.key, odd)
          expect(status).toBeGreaterThanOrEqual(200)
          expect(status).toBeLessThan(500)
          const after = await storeDigest(harness)
          if (status === 200) {
            before = after
            return
          }
          expect(after).toBe(before)
          expect(type).toBe('application/problem+json; charset=utf-8')
          const problem = JSON.parse(text)
          expect(problem.status).toBe(status)
          // Only a 400 lists mistakes.
          for (const { name, message } of problem.errors ?? []) {
            expect(name.length).toBeGreaterThan(0)
            expect(message.length).toBeGreaterThan(3)
          }
          expect((problem.errors ?? []).length > 0).toBe(status === 400)
          const named = (problem.errors ?? []).length
          expect(named).toBeLessThanOrEqual(mistakesMaximum)
          // A response with many mistakes may be longer.
          expect(text.length).toBeLessThan(20_000 + 400 * Math.max(0, named - 50))
        })
        await fc.assert(property, { numRuns: runs[store] })
      },
    )
  })
}
