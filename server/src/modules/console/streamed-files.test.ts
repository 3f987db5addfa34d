import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { employees } from '@muster/contract/records/employee'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleOrigin, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Harness, startHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { makeSelfSigned } from '../../kernel/http/self-signed.ts'

/** High-water mark of a socket: larger writes wait for `drain`. */
const socketBuffer = 64 * 1024
const records = 40
/** Three bytes per character in UTF-8, so a page exceeds the buffer in bytes but not in characters. */
const longText = '社'.repeat(900)

for (const store of STORES) {
  describe(store, () => {
    let h: Harness
    let reader: SignedIn
    let port: number

    beforeAll(async () => {
      h = await startHarness(store, { app: { tls: await makeSelfSigned(['localhost'], Date.now()) } })
      reader = await signedIn(h, await h.addOrganization('default'))
      const groups = Array.from({ length: 9 }, (_, at) => longText.slice(0, 100 - at))
      await put(
        h,
        reader.org,
        employees,
        Array.from({ length: records }, () => anEmployee({ groups })),
      )
      await h.db.inTransaction(async (tx) => {
        for (let at = 0; at < records; at += 1)
          await recordAudit(tx, reader.org, 'LICENSE_REMOVED', {
            actor: null,
            timestamp: 1_763_000_000 + at,
            new: { employeeId: 'x', employeeEmail: longText },
          })
      })
      await h.app.listen({ port: 0, host: '127.0.0.1' })
      port = (h.app.server.address() as AddressInfo).port
    })
    afterAll(async () => {
      h.app.server.closeAllConnections()
      await h.close()
    })

    const download = async (path: string): Promise<string> => {
      const cookie = [...reader.cookies].map((pair) => pair.join('=')).join('; ')
      const headers = { cookie, origin: consoleOrigin, 'sec-fetch-site': 'same-origin' }
      const target = { port, path: `/console/api/${path}`, headers, agent: false, rejectUnauthorized: false }
      const [answer] = (await once(request({ host: '127.0.0.1', ...target }).end(), 'response')) as [
        IncomingMessage,
      ]
      return text(answer)
    }

    test.each([
      'lists/employees/export?format=csv',
      'lists/employees/export?format=json',
      'audit/export?format=csv&object=LICENSE_REMOVED',
      'audit/export?format=jsonl&object=LICENSE_REMOVED',
    ])('%s completes when a page exceeds the socket buffer in bytes but not in characters', async (path) => {
      const file = await download(path)
      expect(file.split(longText.slice(0, 90)).length).toBeGreaterThan(records)
      expect(file.length).toBeLessThan(socketBuffer)
      expect(Buffer.byteLength(file)).toBeGreaterThan(socketBuffer)
      expect(file).toBe((await reader.call('GET', path)).text)
    })
  })
}
