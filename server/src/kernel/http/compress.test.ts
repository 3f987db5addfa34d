import { gunzipSync } from 'node:zlib'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedIn } from '../../../../test/support/console-browser.ts'
import { anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeAll(async () => {
      caller = await h.addCaller()
      await put(
        h,
        caller.org,
        employees,
        Array.from({ length: 50 }, () => anEmployee()),
      )
    })

    const get = (url: string, acceptEncoding?: string) => {
      h.clock.advanceMs(1000)
      const headers = {
        'x-api-key': caller.key,
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      }
      return h.app.inject({ method: 'GET', url, headers })
    }

    test.each(['gzip', 'GZIP', 'br, gzip;q=0.5', 'gzip;q=0.001', 'gzip, deflate, br, zstd'])(
      'a list is compressed for %s, and is the same list',
      async (acceptEncoding) => {
        const plain = await get('/v1/employees?limit=50')
        const packed = await get('/v1/employees?limit=50', acceptEncoding)
        expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
        expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
        expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
        expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length)
      },
    )

    test.each([
      undefined,
      '',
      'identity',
      'br',
      'gzip;q=0',
      'gzip;Q=0',
      'gzip; q=0.0, br',
      'br, gzip ; q=0.000',
      'gzip-9',
    ])('a list is not compressed for %s', async (acceptEncoding) => {
      const plain = await get('/v1/employees?limit=50', acceptEncoding)
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.headers.vary).toBe('accept-encoding')
      expect(JSON.parse(plain.body)['the service']).toHaveLength(50)
    })

    test('small lists, single records, changes and the console are not compressed', async () => {
      const body = await get('/v1/employees?limit=1', 'gzip')
      const { id } = JSON.parse(body.body)['the service'][0]
      const single = await get(`/v1/employees/${id}`, 'gzip')
      const link = await h.call(caller, 'POST', `/v1/employees/${id}/enrollmentLink`, {
        headers: { 'accept-encoding': 'gzip' },
      })
      const console = await (await signedIn(h, caller.org)).call(
        'GET',
        'lists/employees?limit=50',
        undefined,
        { 'accept-encoding': 'gzip' },
      )
      expect(console.status).toBe(200)
      expect(console.text.length).toBeGreaterThan(4096)
      for (const { headers } of [body, single, link, console])
        expect(headers['content-encoding']).toBeUndefined()
    })
  })
}
