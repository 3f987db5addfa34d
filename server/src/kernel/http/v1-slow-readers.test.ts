import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { employees } from '@muster/contract/records/employee'
import { describe, expect, test } from 'vitest'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { insertRecords } from '../store/records.ts'

/** Number of requests that the rate limit allows at once: more data than fits into the buffers of a connection. */
const pages = 10
const people = 1000
const groups = Array.from({ length: 20 }, (_, at) => `group ${at} `.repeat(6))

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    test('pages for a slow reader are complete, and so are those on other connections', async () => {
      const caller = await h.addCaller()
      const rows = Array.from({ length: people }, () => anEmployee({ groups }))
      await h.db.inTransaction((tx) =>
        insertRecords(
          tx,
          employees,
          caller.org,
          rows.map((record) => ({ id: record.id, record, createdAtSeconds: record.creationTimestamp })),
        ),
      )
      await h.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = h.app.server.address() as AddressInfo
      const url = `/v1/employees?limit=${people}`
      const expected = (await h.call(caller, 'GET', url)).text
      h.clock.advanceMs(5_000)

      const socket = connect(port, '127.0.0.1').pause()
      await once(socket, 'connect')
      const ask = (end: string) => `GET ${url} HTTP/1.1\r\nhost: x\r\nx-api-key: ${caller.key}\r\n${end}\r\n`
      socket.write(ask('').repeat(pages - 1) + ask('connection: close\r\n'))
      const other = await h.addKey(caller.org)
      for (let at = 0; at < pages; at += 1) expect((await h.call(other, 'GET', url)).text).toBe(expected)

      const received = await text(socket.resume())
      const bodies = received
        .split(/(?=HTTP\/1\.1 )/)
        .map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))
      expect(bodies).toHaveLength(pages)
      for (const body of bodies) expect(body).toBe(expected)
    })
  })
}
