import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { reasonsOf, riskRules } from '@muster/contract/risk/risk-rules'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aFinding, anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { refreshMarkedScores } from './risk-job.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let admin: SignedIn
    let reader: SignedIn
    let caller: Caller

    const refresh = () => refreshMarkedScores({ db: h.db, clock: h.clock })
    const ada = anEmployee({ email: 'ada@example.com' })
    const bob = anEmployee({ email: 'bob@example.com' })
    const bank = anApp({ type: 'STRIPE', friendlyName: 'Bank', sensitivityLevel: 'HIGH' })
    const wiki = anApp({ type: 'NOTION', friendlyName: 'Wiki', sensitivityLevel: null })
    const quiet = anApp({ type: 'ZOOM', friendlyName: 'Quiet', sensitivityLevel: null })
    const own = anAccount({
      email: 'ada@example.com',
      employeeId: ada.id,
      appId: bank.id,
      mfaRegistered: false,
    })
    const other = anAccount({
      email: 'bob@example.com',
      employeeId: bob.id,
      appId: wiki.id,
      mfaRegistered: true,
    })

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      admin = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      caller = await h.addKey(org)
      const lastUsedTimestamp = unixSeconds(h.clock)
      await put(h, org, employees, [ada, bob])
      await put(h, org, apps, [bank, wiki, quiet])
      await put(h, org, accounts, [
        { ...own, lastUsedTimestamp },
        { ...other, lastUsedTimestamp },
      ])
      const of = (account: typeof own) => ({
        employeeId: account.employeeId,
        accountId: account.id,
        appId: account.appId,
        state: 'OPEN' as const,
      })
      await put(h, org, findings, [
        aFinding({ ...of(own), type: 'WEAK_PASSWORD' }),
        aFinding({ ...of(own), type: 'SHARED_ACCOUNT' }),
        aFinding({ ...of(other), type: 'LEAKED_PASSWORD' }),
        aFinding({ ...of(other), type: 'UNUSED_THIRD_PARTY_APP' }),
        aFinding({ ...of(other), type: 'STOLEN_CREDENTIALS', state: 'RESOLVED' }),
      ])
      await refresh()
    })

    const listed = async (query: string) => (await reader.call('GET', `lists/${query}`)).body.records
    const column = async (query: string, member: string): Promise<unknown[]> =>
      (await listed(query)).map((record: Record<string, unknown>) => record[member])

    test('findings are listed, sorted and filtered by priority, with their reasons', async () => {
      const [worst] = await listed('findings?sort=-priority')
      expect(worst).toMatchObject({
        type: 'WEAK_PASSWORD',
        priority: 'P1',
        priorityScore: 80,
        priorityReasons: ['GUESSABLE_NO_MFA', 'SENSITIVE_APP', 'WEAK'],
      })
      expect(await column('findings?sort=-priority', 'priority')).toEqual(['P1', 'P3', 'P3', 'P4', null])
      expect(await column('findings?sort=priority&state=OPEN', 'priority')).toEqual(['P4', 'P3', 'P3', 'P1'])
      expect(await column('findings?priority=P1&priority=P4&sort=-priority', 'type')).toEqual([
        'WEAK_PASSWORD',
        'UNUSED_THIRD_PARTY_APP',
      ])
      const { body } = await reader.call('GET', 'lists/findings/count?priority=P3')
      expect(body).toEqual({ count: 2, more: false })
    })

    test('employees, accounts and apps have the risk of their most urgent open finding', async () => {
      expect(await column('employees?sort=-risk', 'risk')).toEqual(['CRITICAL', 'MEDIUM'])
      expect(await column('accounts?sort=risk', 'risk')).toEqual(['MEDIUM', 'CRITICAL'])
      expect(await column('apps?sort=-risk', 'risk')).toEqual(['CRITICAL', 'MEDIUM', 'NONE'])
      expect(await column('apps?risk=NONE&risk=CRITICAL&sort=-risk', 'friendlyName')).toEqual([
        'Bank',
        'Quiet',
      ])
      expect(await column('accounts?risk=MEDIUM&risk=LOW', 'id')).toEqual([other.id])
      expect(await column('employees?risk=CRITICAL', 'id')).toEqual([ada.id])
      expect(await column('employees?risk=NONE', 'id')).toEqual([])
    })

    test('exports have the priority and its reasons in words', async () => {
      const csv = await reader.call(
        'GET',
        'lists/findings/export?format=csv&priority=P1&column=priority&column=priorityScore&column=priorityReasonTexts',
      )
      const words = reasonsOf(['GUESSABLE_NO_MFA', 'SENSITIVE_APP', 'WEAK']).join('; ')
      expect(csv.text).toBe(`priority,priorityScore,priorityReasonTexts\r\nP1,80,${words}\r\n`)
      const json = await reader.call('GET', 'lists/apps/export?format=json&risk=CRITICAL')
      expect(json.body).toEqual([expect.objectContaining({ friendlyName: 'Bank', risk: 'CRITICAL' })])
    })

    test('records of /v1 have neither priority nor risk', async () => {
      for (const [path, name] of [
        ['findings', 'priority'],
        ['accounts', 'risk'],
        ['employees', 'risk'],
        ['apps', 'risk'],
      ])
        for (const record of (await h.call(caller, 'GET', `/v1/${path}`)).body['the service'])
          expect(Object.keys(record).filter((member) => member.startsWith(name ?? ''))).toEqual([])
    })

    test('a changed sensitivity and a removed second factor move findings', async () => {
      await admin.call('PATCH', `records/apps/${wiki.id}`, { sensitivityLevel: 'HIGH' })
      await refresh()
      expect(await column(`findings?appId=${wiki.id}&sort=-priority&state=OPEN`, 'priorityScore')).toEqual([
        60, 35,
      ])
      await admin.call('PATCH', `records/apps/${wiki.id}`, { sensitivityLevel: null })
      await refresh()
      expect(await column(`findings?appId=${wiki.id}&sort=-priority&state=OPEN`, 'priorityScore')).toEqual([
        35, 10,
      ])
    })

    test('an organization changes the points of rules, and all findings follow', async () => {
      const before = (await reader.call('GET', 'priority-rules')).body
      expect(before.updating).toBe(false)
      expect(before.rules).toHaveLength(Object.keys(riskRules).length)
      const refused = await reader.call('PATCH', 'priority-rules', { rules: [{ rule: 'WEAK', points: 0 }] })
      expect(refused.status).toBe(403)
      const change = { rules: [{ rule: 'SENSITIVE_APP', points: 0 }] }
      const changed = await admin.call('PATCH', 'priority-rules', change)
      expect(changed.status).toBe(200)
      expect(changed.body.updating).toBe(true)
      await refresh()
      expect(await column(`findings?accountId=${own.id}&sort=-priority`, 'priority')).toEqual(['P2', 'P4'])
      expect(await column('employees?sort=-risk', 'risk')).toEqual(['HIGH', 'MEDIUM'])
      const back = await admin.call('PATCH', 'priority-rules', {
        rules: [{ rule: 'SENSITIVE_APP', points: 25 }],
      })
      expect(back.body.rules).toEqual(before.rules)
      await refresh()
      expect(await column(`findings?accountId=${own.id}&sort=-priority`, 'priority')).toEqual(['P1', 'P3'])
    })

    test.each([
      [{ rules: [] }],
      [{ rules: [{ rule: 'NOT_A_RULE', points: 1 }] }],
      [{ rules: [{ rule: 'WEAK', points: 101 }] }],
      [
        {
          rules: [
            { rule: 'WEAK', points: 1 },
            { rule: 'WEAK', points: 2 },
          ],
        },
      ],
    ])('refuses %j', async (body) => {
      expect((await admin.call('PATCH', 'priority-rules', body)).status).toBe(400)
    })
  })
}
