import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aDetection, anEmployee, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let full: SignedIn
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      org = await h.addOrganization('default')
      full = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'), 'OWNER')
    })

    const detection = async () => {
      const record = aDetection({ archived: false, classification: 'NOT_CLASSIFIED' })
      await put(h, org, detections, [record])
      return record
    }

    test('returns a record as /v1 does', async () => {
      const record = await detection()
      const { status, body } = await reader.call('GET', `records/detections/${record.id}`)
      expect(status).toBe(200)
      expect(body).toEqual(record)
    })

    test('an administrator with full access can run an action of /v1', async () => {
      const { id } = await detection()
      const changed = await full.call('PATCH', `records/detections/${id}`, { archived: true })
      expect(changed.body).toMatchObject({ id, archived: true })
      expect((await reader.call('GET', `records/detections/${id}`)).body.archived).toBe(true)
    })

    test('a read-only administrator cannot change a record', async () => {
      const { id } = await detection()
      const refused = await reader.call('PATCH', `records/detections/${id}`, { archived: true })
      expectProblem(refused, 'role_too_low')
      expect((await reader.call('GET', `records/detections/${id}`)).body.archived).toBe(false)
    })

    test('returns 404 for records of another organization', async () => {
      const { id } = await detection()
      expectProblem(await stranger.call('GET', `records/detections/${id}`), 'not_found')
      const change = await stranger.call('PATCH', `records/detections/${id}`, { archived: true })
      expectProblem(change, 'not_found')
    })

    test('rejects calls without a session, from another site, or with only an API key', async () => {
      const { id } = await detection()
      const path = `records/detections/${id}`
      expectProblem(await consoleBrowser(h).call('GET', path), 'signed_out')
      const foreign = await full.call('PATCH', path, { archived: true }, { origin: 'https://evil.test' })
      expectProblem(foreign, 'cross_site_request')
      const { key } = await h.addKey(org, 'FULL_ACCESS')
      const byKey = await consoleBrowser(h).call('GET', path, undefined, { 'x-api-key': key })
      expectProblem(byKey, 'signed_out')
    })

    test('a console session does not authenticate /v1', async () => {
      const answer = await full.call('GET', '/v1/detections')
      expectProblem(answer, 'unauthenticated')
    })

    test('returns several people at once, without those of other organizations', async () => {
      const [ada, grace, mallory] = [anEmployee(), anEmployee(), anEmployee()]
      await put(h, org, employees, [ada, grace])
      await put(h, stranger.org, employees, [mallory])
      const ids = [ada, mallory, grace].map(({ id }) => `id=${id}`).join('&')
      const { body } = await reader.call('GET', `people?${ids}&id=${unknownId()}`)
      expect(body.records).toEqual([ada, grace])
      expectProblem(await reader.call('GET', 'people'), 'invalid_request', [
        { in: 'query', name: 'id', message: 'is required: the ID of an employee' },
      ])
      expectProblem(await consoleBrowser(h).call('GET', `people?${ids}`), 'signed_out')
    })
  })
}
