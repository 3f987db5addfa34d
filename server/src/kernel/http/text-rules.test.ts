import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, page, recordsOf } from '../../../../test/support/answers.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { anApp, anEmployee, put, stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const oneLine = 'must not contain control characters, line breaks or text-direction controls'
const severalLines =
  'must not contain control characters, except line breaks and tabs, or text-direction controls'

/** One character of each kind that is not allowed in a line. */
const refused = [
  '\u0001',
  '\t',
  '\n',
  '\r',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\ufeff',
  '\uffff',
]

/** Unusual texts that are valid. */
const accepted = ["Zoë O'Brien-Świątek", '👩‍💻 team', 'می‌خواهم', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'क्‍ष', '日本 🇯🇵', 'שרה', '<b>&"\'']

/** Names of the characters in the rules. */
const oddName = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'B',
        ' ',
        '\u00a0',
        '\u3000',
        '\u0301',
        '\u0327',
        'é',
        'ß',
        'İ',
        '漢',
        '😀',
        '\u200d',
        '\u200b',
        '%',
        '_',
      ],
      ...['\n', '\t', '\u0000', '\u0085', '\u2028', '\u202e', '\u200f', '\ufeff', '\uffff', '\ud800'],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const wrongAddresses = [
  'user@example..com',
  '.a@x.com',
  'a.@x.com',
  'a..b@x.com',
  'user@-bad.com',
  'user@bad-.com',
  'user@.com',
  'user@x.com.',
  `user@${'a'.repeat(64)}.com`,
  `${'a'.repeat(65)}@x.com`,
  'a,b@x.com',
  'a b@x.com',
  'a@b@x.com',
  'a\u202eb@x.com',
  'a\u200bb@x.com',
]
const rightAddresses = [
  'user@example.com',
  "o'brien+tag@sub.example.co.uk",
  'user@localhost',
  'josé@exämple.example',
  '用户@例子.example',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.com`,
]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })
    const post = (url: string, body: object) => h.call(caller, 'POST', url, { body })

    test.each(refused)('%j is refused in each text of one line, and nothing is stored', async (character) => {
      const text = `a${character}b`
      const before = await stateOf(h, caller.org)
      const members = ['firstName', 'lastName', 'department', 'location']
      expectProblem(
        await post('/v1/employees', {
          email: 'x@example.com',
          ...Object.fromEntries(members.map((member) => [member, text])),
          groups: ['fine', text],
        }),
        'invalid_request',
        [...members, 'groups[1]'].map((name) => inBody(name, oneLine)),
      )
      expect(await stateOf(h, caller.org)).toEqual(before)
    })

    test('a group and a label with a line break or a text-direction control are rejected', async () => {
      const employee = anEmployee()
      const app = anApp()
      await put(h, caller.org, employees, [employee])
      await put(h, caller.org, apps, [app])
      expectProblem(
        await post(`/v1/employees/${employee.id}/groups`, { group: 'Eng\nineers' }),
        'invalid_request',
        [inBody('group', oneLine)],
      )
      expectProblem(await post(`/v1/apps/${app.id}/labels`, { label: 'Gen\u202eAI' }), 'invalid_request', [
        inBody('label', oneLine),
      ])
    })

    test('notes may contain line breaks and tabs, but no other control characters', async () => {
      const app = anApp()
      await put(h, caller.org, apps, [app])
      const patch = (notes: string) => h.call(caller, 'PATCH', `/v1/apps/${app.id}`, { body: { notes } })
      expectAnswer(await patch('one\r\n\ttwo\nthree'), { ...app, notes: 'one\r\n\ttwo\nthree' })
      for (const notes of ['a\u0001', 'a\u202e', 'a\u2028', 'a\u009b'])
        expectProblem(await patch(notes), 'invalid_request', [inBody('notes', severalLines)])
    })

    test.each(accepted)('%j is accepted as it is', async (text) => {
      const { status, body } = await post('/v1/employees', {
        email: 'x@example.com',
        firstName: text,
        groups: [text],
      })
      expect({ status, firstName: body.firstName, groups: body.groups }).toEqual({
        ...{ status: 200, firstName: text.normalize('NFC'), groups: [text.normalize('NFC')] },
      })
    })

    test.each(wrongAddresses)('the address %j is refused', async (email) => {
      const wrong = [inBody('email', 'must be an e-mail address')]
      expectProblem(await post('/v1/employees', { email }), 'invalid_request', wrong)
      expectProblem(
        await post('/v1/controls/stolenCredentials', { credentials: [{ email, password: 'x' }] }),
        'invalid_request',
        [inBody('credentials[0].email', 'must be an e-mail address')],
      )
    })

    test.each(rightAddresses)('the address %j is accepted', async (email) => {
      expect((await post('/v1/employees', { email })).body.email).toBe(email)
    })

    test('an address is the same in each Unicode normalization form', async () => {
      const { body } = await post('/v1/employees', { email: 'jose\u0301@example.com' })
      expect(body.email).toBe('jos\u00e9@example.com')
      expectProblem(await post('/v1/employees', { email: 'JOS\u00c9@example.com' }), 'conflict')
      expectAnswer(await h.call(caller, 'GET', `/v1/employees?email=jose%CC%81`), page([body]))
    })

    test('filters and removals find a label and a group in each spelling with the same canonical form', async () => {
      const app = anApp({ labels: [] })
      const employee = anEmployee({ groups: [], department: 'Caf\u00e9' })
      await put(h, caller.org, apps, [app])
      await put(h, caller.org, employees, [employee])
      const labeled = (await post(`/v1/apps/${app.id}/labels`, { label: ' Cafe\u0301 ' })).body
      const grouped = (await post(`/v1/employees/${employee.id}/groups`, { group: ' Cafe\u0301 ' })).body
      expect([labeled.labels, grouped.groups]).toEqual([['Caf\u00e9'], ['Caf\u00e9']])
      for (const value of ['%20caf%C3%A9%20', 'Cafe%CC%81', 'CAF%C3%89'])
        expectAnswer(await h.call(caller, 'GET', `/v1/apps?labels=${value}`), page([labeled]))
      for (const value of ['%20Caf%C3%A9%20', 'Cafe%CC%81'])
        expectAnswer(await h.call(caller, 'GET', `/v1/employees?group=${value}`), page([grouped]))
      expectAnswer(await h.call(caller, 'GET', '/v1/employees?department=Cafe%CC%81'), page([grouped]))
      expectAnswer(
        await h.call(caller, 'DELETE', `/v1/apps/${app.id}/labels`, { body: { label: ' CAFE\u0301' } }),
        { ...labeled, labels: [] },
      )
      expectAnswer(
        await h.call(caller, 'DELETE', `/v1/employees/${employee.id}/groups?group=%20Cafe%CC%81`),
        {
          ...grouped,
          groups: [],
        },
      )
    })

    test('any accepted text is stored canonically, and can be found and removed as typed', async () => {
      const app = anApp({ labels: [] })
      const employee = anEmployee({ groups: [] })
      await put(h, caller.org, apps, [app])
      await put(h, caller.org, employees, [employee])
      const places = [
        { at: `/v1/apps/${app.id}/labels`, member: 'label', list: 'labels', filter: '/v1/apps?labels=' },
        {
          at: `/v1/employees/${employee.id}/groups`,
          member: 'group',
          list: 'groups',
          filter: '/v1/employees?group=',
        },
      ] as const
      const property = fc.asyncProperty(fc.constantFrom(...places), oddName, async (place, text) => {
        const added = await post(place.at, { [place.member]: text })
        const form = text.toWellFormed().normalize('NFC').trim()
        const isRight = text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\uffff]/u.test(form)
        expect({ text, status: added.status }).toEqual({ text, status: isRight && form !== '' ? 200 : 400 })
        if (added.status === 400) return
        expect(added.body[place.list]).toEqual([form])
        const found = await h.call(caller, 'GET', place.filter + encodeURIComponent(text))
        const removed = await h.call(caller, 'DELETE', place.at, { body: { [place.member]: text } })
        expect([recordsOf(found), removed.body[place.list]]).toEqual([[added.body], []])
      })
      await fc.assert(property, { numRuns: store === 'sqlite' ? 150 : 40 })
    })

    test('a record with texts that violate the rules can be read, found and changed in other members', async () => {
      const employee = anEmployee({
        email: 'a..b@example.com',
        firstName: 'A\u202ed\na',
        department: 'R\u0001D',
        groups: ['Eng\nineers', 'Cafe\u0301'],
      })
      const app = anApp({ labels: ['Gen\u202eAI', 'Cafe\u0301'] })
      await put(h, caller.org, employees, [employee])
      await put(h, caller.org, apps, [app])
      const at = `/v1/employees/${employee.id}`
      expectAnswer(await h.call(caller, 'GET', at), employee)
      expectAnswer(await h.call(caller, 'GET', '/v1/employees?department=R%01D'), page([employee]))
      expectAnswer(await h.call(caller, 'GET', '/v1/apps?labels=Gen%E2%80%AEAI'), page([app]))
      const moved = { ...employee, location: 'London' }
      expectAnswer(await h.call(caller, 'PATCH', at, { body: { location: 'London' } }), moved)
      const remove = (url: string, body: object) => h.call(caller, 'DELETE', url, { body })
      await remove(`${at}/groups`, { group: 'Eng\nineers' })
      expectAnswer(await remove(`${at}/groups`, { group: 'Cafe\u0301' }), { ...moved, groups: [] })
      await remove(`/v1/apps/${app.id}/labels`, { label: 'gen\u202eai' })
      expectAnswer(await remove(`/v1/apps/${app.id}/labels`, { label: 'caf\u00e9' }), { ...app, labels: [] })
    })

    describe('the console', () => {
      let ada: SignedIn
      beforeEach(async () => {
        ada = await signedIn(h, caller.org)
      })

      test('rejects the same in names, titles and addresses', async () => {
        const name = 'a\u202eb'
        const calls: readonly [string, string, object, string][] = [
          ['POST', 'keys', { name, permission: 'READ_ONLY' }, 'name'],
          ['POST', 'webhooks', { name, url: 'https://siem.example.com' }, 'name'],
          ['POST', 'saved-filters', { list: 'apps', name, query: '' }, 'name'],
          ['PATCH', 'settings/organization', { name }, 'name'],
        ]
        for (const [method, path, body, member] of calls) {
          const { status, body: problem } = await ada.call(method, path, body)
          expect({ path, status, errors: problem.errors }).toEqual({
            ...{ path, status: 400, errors: [inBody(member, oneLine)] },
          })
        }
        const invited = await ada.call('POST', 'invitations', { email: 'a..b@x.com', role: 'OWNER' })
        expect(invited.body.errors).toEqual([inBody('email', 'must be an e-mail address')])
      })

      test('rejects them in a banner, and allows changes to other controls that violate the rules', async () => {
        const banner = { id: 'a', mode: 'INFORM', title: 'Ask\nfirst', subtext: 'one\ntwo', buttonText: null }
        const read = async () => (await ada.call('GET', 'controls')).body
        const change = async (members: object) =>
          ada.call('PATCH', 'controls', { seen: (await read()).version, change: members })
        expect((await change({ banners: [banner] })).body.errors).toEqual([
          inBody('change.banners[0].title', oneLine),
        ])
        const { controls } = await read()
        const stored = JSON.stringify({ ...controls, banners: [banner] })
        expect((await change({ banners: [{ ...banner, title: 'Ask' }] })).status).toBe(200)
        await h.db.inTransaction((tx) =>
          tx.run('UPDATE controls SET document = ? WHERE org = ?', [stored, caller.org]),
        )
        expect((await read()).controls.banners).toEqual([banner])
        expect((await change({ contact: 'security@example.com' })).status).toBe(200)
        expect((await read()).controls).toEqual({
          ...{ ...controls, banners: [banner], contact: 'security@example.com' },
        })
      })
    })
  })
}
