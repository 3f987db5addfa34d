import { detections } from '@muster/contract/records/detection'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, page } from '../../../../test/support/answers.ts'
import { aDetection, put, stateOf, unknownId } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

const classifications = ['NOT_CLASSIFIED', 'TRUE_POSITIVE', 'BENIGN_TRUE_POSITIVE', 'FALSE_POSITIVE']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/detections', () => {
      describeList(h, {
        path: '/v1/detections',
        collection: detections,
        make: aDetection,
        members:
          'id employeeId employee browserId severity detectionType response classification archived appId appType url referrerUrl sourceIpAddress userAgent detectionLink creationTimestamp lastActivityTimestamp',
        exact: { employeeId: [unknownId(), unknownId()], browserId: [unknownId(), unknownId()] },
        choices: {
          detectionType: [
            'PHISHING',
            'STOLEN_CREDENTIALS',
            'BLOCKED_URL',
            'MALWARE_DELIVERY',
            'MALICIOUS_BROWSER_EXTENSION',
          ],
          severity: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
          response: ['MONITORED', 'EMPLOYEE_WARNED', 'EMPLOYEE_IGNORED_WARNING', 'BLOCKED'],
          classification: classifications,
        },
        flags: ['archived'],
        windows: ['creationTimestamp', 'lastActivityTimestamp'],
      })

      test('shows the employee without groups, secondary addresses and merges', async () => {
        const caller = await h.addCaller()
        const detection = aDetection()
        await put(h, caller.org, detections, [detection])
        const { body } = await h.call(caller, 'GET', `/v1/detections/${detection.id}`)
        expect(Object.keys(body.employee).sort()).toEqual([
          'chatopsEnabled',
          'creationTimestamp',
          'department',
          'email',
          'firstName',
          'id',
          'lastName',
          'licensed',
          'location',
        ])
      })
    })

    describe('GET /v1/detections/{id}', () => {
      describeGet(h, { path: '/v1/detections', collection: detections, make: aDetection })
    })

    describe('PATCH /v1/detections/{id}', () => {
      let caller: Caller
      const detection = aDetection()
      const bystander = aDetection()
      beforeEach(async () => {
        caller = await h.addCaller()
        await put(h, caller.org, detections, [detection, bystander])
      })
      const patch = (body: unknown) => h.call(caller, 'PATCH', `/v1/detections/${detection.id}`, { body })

      test.each([
        { archived: true },
        { archived: false },
        ...classifications.map((classification) => ({ classification })),
        { archived: true, classification: 'FALSE_POSITIVE' },
      ])('%j changes only those members', async (change) => {
        const after = { ...detection, ...change }
        expectAnswer(await patch(change), after)
        expectAnswer(await h.call(caller, 'GET', '/v1/detections'), page([after, bystander]))
      })

      test('filters match the new values only', async () => {
        await patch({ archived: true, classification: 'TRUE_POSITIVE' })
        const after = { ...detection, archived: true, classification: 'TRUE_POSITIVE' }
        const list = (query: string) => h.call(caller, 'GET', `/v1/detections?${query}`)
        expectAnswer(await list('archived=true'), page([after]))
        expectAnswer(await list('archived=false'), page([bystander]))
        expectAnswer(await list('classification=TRUE_POSITIVE'), page([after]))
        expectAnswer(await list('classification=NOT_CLASSIFIED'), page([bystander]))
      })

      test('reports all mistakes at once without coercion, and changes nothing', async () => {
        const before = await stateOf(h, caller.org)
        const message = `must be one of ${classifications.join(', ')}`
        expectProblem(await patch({ archived: 'true', classification: 'WRONG' }), 'invalid_request', [
          inBody('archived', 'must be true or false'),
          inBody('classification', message),
        ])
        expectProblem(await patch({ archived: null, classification: null }), 'invalid_request', [
          inBody('archived', 'must be true or false'),
          inBody('classification', message),
        ])
        expectProblem(await patch({}), 'invalid_request', [
          inBody('body', 'must have at least one of archived, classification'),
        ])
        expectProblem(await patch({ severity: 'LOW', archived: true }), 'invalid_request', [
          inBody('severity', 'is not a member of this object; it takes archived, classification'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })
  })
}
