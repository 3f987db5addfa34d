import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, inQuery, page } from '../../../../test/support/answers.ts'
import { anApp, anEmployee, put, stateOf, unknownId } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    const app = anApp({ labels: ['GenAI', 'Ünïcode'] })
    beforeEach(async () => {
      caller = await h.addCaller()
      await put(h, caller.org, apps, [app])
    })
    const read = () => h.call(caller, 'GET', `/v1/apps/${app.id}`)

    describe('GET /v1/apps', () => {
      describeList(h, {
        path: '/v1/apps',
        collection: apps,
        make: anApp,
        members:
          'id type approvalStatus sensitivityLevel ownerId notes website description friendlyName labels creationTimestamp',
        exact: { type: ['ZAPIER', 'SLACK'], ownerId: [unknownId(), unknownId()] },
        choices: {
          approvalStatus: ['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'],
          sensitivityLevel: ['HIGH', 'MEDIUM', 'LOW'],
        },
        windows: ['creationTimestamp'],
        arrays: ['labels'],
      })

      test('compares labels regardless of case', async () => {
        for (const query of ['labels=genai', 'labels=GENAI&labels=%C3%BCN%C3%8FCODE'])
          expectAnswer(await h.call(caller, 'GET', `/v1/apps?${query}`), page([app]))
      })
    })

    describe('GET /v1/apps/{id}', () => {
      describeGet(h, { path: '/v1/apps', collection: apps, make: anApp })
    })

    describe('PATCH /v1/apps/{id}', () => {
      const patch = (body: unknown) => h.call(caller, 'PATCH', `/v1/apps/${app.id}`, { body })

      test.each([
        [{ approvalStatus: 'NOT_APPROVED' }],
        [{ approvalStatus: 'UNDER_REVIEW' }],
        [{ sensitivityLevel: 'LOW' }],
        [{ notes: 'x'.repeat(10_000) }],
        [{ notes: '' }],
        [{ approvalStatus: null, sensitivityLevel: null, ownerId: null }],
      ])('%j changes only those members, also in lists', async (change) => {
        const after = { ...app, ...change }
        expectAnswer(await patch(change), after)
        expectAnswer(await read(), after)
        expectAnswer(await h.call(caller, 'GET', '/v1/apps'), page([after]))
      })

      test('null makes notes empty', async () => {
        expectAnswer(await patch({ notes: null }), { ...app, notes: '' })
      })

      test('filters match the new values only', async () => {
        await patch({ approvalStatus: 'NOT_APPROVED', sensitivityLevel: null })
        const after = { ...app, approvalStatus: 'NOT_APPROVED', sensitivityLevel: null }
        expectAnswer(await h.call(caller, 'GET', '/v1/apps?approvalStatus=NOT_APPROVED'), page([after]))
        expectAnswer(await h.call(caller, 'GET', '/v1/apps?approvalStatus=APPROVED'), page([]))
        expectAnswer(await h.call(caller, 'GET', '/v1/apps?sensitivityLevel=HIGH'), page([]))
      })

      test('ownerId must be an employee of the organization', async () => {
        const [owner, stranger] = [anEmployee(), anEmployee()]
        await put(h, caller.org, employees, [owner])
        await put(h, (await h.addCaller()).org, employees, [stranger])
        expectAnswer(await patch({ ownerId: owner.id }), { ...app, ownerId: owner.id })
        const before = await stateOf(h, caller.org)
        for (const ownerId of [stranger.id, unknownId(), 'x', app.id]) {
          expectProblem(await patch({ ownerId, notes: 'not kept' }), 'invalid_request', [
            inBody('ownerId', 'must be the ID of an employee of the organization, or null'),
          ])
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('reports all mistakes at once, and changes nothing', async () => {
        const before = await stateOf(h, caller.org)
        const body = {
          approvalStatus: 'approved',
          sensitivityLevel: 'EXTREME',
          ownerId: 1,
          notes: 'x'.repeat(10_001),
        }
        expectProblem(await patch(body), 'invalid_request', [
          inBody('approvalStatus', 'must be one of UNDER_REVIEW, APPROVED, NOT_APPROVED, null'),
          inBody('sensitivityLevel', 'must be one of HIGH, MEDIUM, LOW, null'),
          inBody('ownerId', 'must be a text or null'),
          inBody('notes', 'must have at most 10000 characters'),
        ])
        expectProblem(await patch({}), 'invalid_request', [
          inBody('body', 'must have at least one of approvalStatus, sensitivityLevel, ownerId, notes'),
        ])
        expectProblem(await patch({ notes: 'a\u0000b' }), 'invalid_request', [
          inBody(
            'notes',
            'must not contain control characters, except line breaks and tabs, or text-direction controls',
          ),
        ])
        expectProblem(await patch({ notes: 'a\ud800b' }), 'invalid_request', [
          inBody('notes', 'must not contain a NUL character or an unpaired surrogate'),
        ])
        expectProblem(await patch({ labels: ['x'] }), 'invalid_request', [
          inBody(
            'labels',
            'is not a member of this object; it takes approvalStatus, sensitivityLevel, ownerId, notes',
          ),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe('POST /v1/apps/{id}/labels', () => {
      const add = (label: unknown) => h.call(caller, 'POST', `/v1/apps/${app.id}/labels`, { body: { label } })

      test('appends the trimmed label with its original spelling', async () => {
        const after = { ...app, labels: [...app.labels, 'Needs Review'] }
        expectAnswer(await add('  Needs Review\t'), after)
        expectAnswer(await read(), after)
        expectAnswer(await h.call(caller, 'GET', '/v1/apps?labels=needs%20review'), page([after]))
      })

      test('changes nothing for an existing label, regardless of case', async () => {
        const before = await stateOf(h, caller.org)
        for (const label of ['GenAI', ' GENAI ', 'üNÏCODE']) expectAnswer(await add(label), app)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('a label has 1 to 64 characters after trimming', async () => {
        const before = await stateOf(h, caller.org)
        for (const [label, message] of [
          ['', 'must not be empty'],
          ['   ', 'must not be empty'],
          ['x'.repeat(65), 'must have at most 64 characters'],
          [`  ${'x'.repeat(65)}  `, 'must have at most 64 characters'],
          [null, 'must be a text'],
          [['GenAI'], 'must be a text'],
        ])
          expectProblem(await add(label), 'invalid_request', [inBody('label', String(message))])
        expectProblem(
          await h.call(caller, 'DELETE', `/v1/apps/${app.id}/labels?label=%20`),
          'invalid_request',
          [inQuery('label', 'must have 1 to 64 characters')],
        )
        expect(await stateOf(h, caller.org)).toEqual(before)
        expectAnswer(await add('x'.repeat(64)), { ...app, labels: [...app.labels, 'x'.repeat(64)] })
        const longest = `  ${'y'.repeat(64)}  `
        expect((await add(longest)).body.labels).toContain('y'.repeat(64))
      })

      test('an app has at most 50 labels', async () => {
        const labels = Array.from({ length: 49 }, (_, at) => `label ${at}`)
        const full = anApp({ labels })
        await put(h, caller.org, apps, [full])
        const url = `/v1/apps/${full.id}/labels`
        expect((await h.call(caller, 'POST', url, { body: { label: 'fiftieth' } })).status).toBe(200)
        const before = await stateOf(h, caller.org)
        expectProblem(await h.call(caller, 'POST', url, { body: { label: 'too many' } }), 'invalid_request', [
          inBody('label', 'exceeds the limit: an app can have at most 50 labels'),
        ])
        expect((await h.call(caller, 'POST', url, { body: { label: 'FIFTIETH' } })).status).toBe(200)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe('DELETE /v1/apps/{id}/labels', () => {
      const remove = (label: string) =>
        h.call(caller, 'DELETE', `/v1/apps/${app.id}/labels`, { body: { label } })

      test('removes the label, regardless of case', async () => {
        const after = { ...app, labels: ['Ünïcode'] }
        expectAnswer(await remove(' genai '), after)
        expectAnswer(await read(), after)
        expectAnswer(await h.call(caller, 'GET', '/v1/apps?labels=GenAI'), page([]))
      })

      test('returns 404 for an unknown label', async () => {
        const before = await stateOf(h, caller.org)
        const answer = await remove('Finance')
        expectProblem(answer, 'not_found')
        expect(answer.body.detail).toBe('The app has no label "Finance".')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('accepts the label in the query', async () => {
        const answer = await h.call(caller, 'DELETE', `/v1/apps/${app.id}/labels?label=GENAI`)
        expectAnswer(answer, { ...app, labels: ['Ünïcode'] })
      })
    })
  })
}
