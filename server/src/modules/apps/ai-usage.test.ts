import { products } from '@muster/contract/catalog/products'
import type { AiUsage } from '@muster/contract/console/console-apps'
import { type Account, accounts } from '@muster/contract/records/account'
import { type AccountOther, accountsOther } from '@muster/contract/records/account-other'
import { type App, apps } from '@muster/contract/records/app'
import { type AppOther, appsOther } from '@muster/contract/records/app-other'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  anAccount,
  anAccountOther,
  anApp,
  anAppOther,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'

const day = 86_400
const aiDomains = ['chat.tool.ai', 'mygpt.example', 'ai.acme.example', 'llm.example', 'my-ai-helper.example']
const otherDomains = ['intranet.example', 'hallmark.example', 'mail.example', 'ai-hidden.example']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(5)
    const pick = <T>(values: readonly T[]): T => random.pick(values)
    let reader: SignedIn
    let caller: Caller
    let now: number

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      caller = await h.addKey(org)
      now = unixSeconds(h.clock)
      const people = [
        ...Array.from({ length: 20 }, (_, at) => anEmployee({ email: `p${at}@Acme_x.example` })),
        anEmployee({ email: 'own@gmail.com' }),
      ]
      await put(h, org, employees, people)
      const ai = products.filter(({ categories }) => categories?.[0] === 'AI').slice(0, 8)
      const rest = products.filter(({ categories }) => categories?.[0] !== 'AI').slice(0, 5)
      const made = [...ai, ...rest].map(({ appType, friendlyName }) => anApp({ type: appType, friendlyName }))
      await put(h, org, apps, made)
      const others = [...aiDomains, ...otherDomains].map((domain) =>
        anAppOther({ domain, hidden: domain.includes('hidden') }),
      )
      await put(h, org, appsOther, others)
      const email = () =>
        pick([
          `x${random.below(1000)}@acme_x.example`,
          `x${random.below(1000)}@acmeyx.example`,
          `x${random.below(1000)}@gmail.com`,
          'OWN@gmail.com',
          'just.a.name',
        ])
      const times = () => ({
        creationTimestamp: now - random.below(80 * day),
        lastUsedTimestamp: pick([null, now - random.below(20 * day), now - random.below(80 * day)]),
      })
      await put(
        h,
        org,
        accounts,
        Array.from({ length: 200 }, () => {
          const app = pick(made)
          return anAccount({
            ...times(),
            appId: app.id,
            appType: app.type,
            email: email(),
            employeeId: pick(people).id,
          })
        }),
      )
      await put(
        h,
        org,
        accountsOther,
        Array.from({ length: 120 }, () =>
          anAccountOther({
            ...times(),
            otherAppId: pick(others).id,
            email: email(),
            employeeId: pick(people).id,
          }),
        ),
      )
    })

    const all = async <T>(path: string): Promise<T[]> =>
      (await h.call(caller, 'GET', `${path}?limit=1000`)).body['the service']

    const kindOf = (email: string) => {
      if (!email.includes('@')) return 'USER_NAME'
      return /@acme_x\.example$/i.test(email) || email.toLowerCase() === 'own@gmail.com' ? 'WORK' : 'PRIVATE'
    }

    /** Reads the accounts of AI tools from `/v1`, as if all were of one collection. */
    async function aiAccounts() {
      const aiTypes = new Set(
        products.filter(({ categories }) => categories?.[0] === 'AI').map(({ appType }) => appType),
      )
      const ai = (await all<App>('/v1/apps')).filter(({ type }) => aiTypes.has(type)).map(({ id }) => id)
      const other = (await all<AppOther>('/v1/appsOther'))
        .filter(({ domain }) => aiDomains.includes(domain))
        .map(({ id }) => id)
      return [
        ...(await all<Account>('/v1/accounts'))
          .filter(({ appId }) => ai.includes(appId))
          .map((account) => ({ ...account, toolId: account.appId, recognized: true })),
        ...(await all<AccountOther>('/v1/accountsOther'))
          .filter(({ otherAppId }) => other.includes(otherAppId))
          .map((account) => ({ ...account, toolId: account.otherAppId, recognized: false })),
      ]
    }

    const count = async (path: string): Promise<number> =>
      (await reader.call('GET', `lists/${path}`)).body.count

    test.each(['THIS_MONTH', 'LAST_30_DAYS', 'LAST_90_DAYS'] as const)(
      'the figures of %s equal counts over /v1, and the numbers of rows in the linked lists',
      async (period) => {
        const usage = (await reader.call<AiUsage>('GET', `ai-usage/${period}`)).body
        const clock = unixSeconds(h.clock)
        const month = new Date(clock * 1000)
        const from = {
          THIS_MONTH: Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1) / 1000,
          LAST_30_DAYS: clock - 30 * day,
          LAST_90_DAYS: clock - 90 * day,
        }[period]
        expect(usage.fromTimestamp).toBe(from)
        const every = await aiAccounts()
        const used = every.filter(
          ({ lastUsedTimestamp }) => lastUsedTimestamp !== null && lastUsedTimestamp >= from,
        )
        const people = (some: typeof used) => new Set(some.map(({ employeeId }) => employeeId)).size
        const ofKind = (some: typeof used, kind: string) => some.filter(({ email }) => kindOf(email) === kind)
        expect(usage.people).toBe(people(used))
        expect(usage.privatePeople).toBe(people(ofKind(used, 'PRIVATE')))
        const byTool = Map.groupBy(used, ({ toolId }) => toolId)
        expect(usage.toolCount).toBe(byTool.size)
        expect(usage.tools).toHaveLength(byTool.size)
        for (const tool of usage.tools) {
          const some = byTool.get(tool.id) ?? []
          expect(tool).toMatchObject({
            recognized: some[0]?.recognized,
            people: people(some),
            workAccounts: ofKind(some, 'WORK').length,
            privateAccounts: ofKind(some, 'PRIVATE').length,
            otherAccounts: ofKind(some, 'USER_NAME').length,
            lastUsedTimestamp: Math.max(...some.map(({ lastUsedTimestamp }) => lastUsedTimestamp ?? 0)),
          })
          const [list, member] = tool.recognized ? ['accounts', 'appId'] : ['accountsOther', 'otherAppId']
          const linked = `${member}=${tool.id}&lastUsedTimestampAfter=${from}`
          expect(await count(`${list}/count?${linked}&identity=WORK`)).toBe(tool.workAccounts)
          expect(await count(`${list}/count?${linked}&identity=PRIVATE`)).toBe(tool.privateAccounts)
          expect(await count(`${list}/count?${linked}&identity=USER_NAME`)).toBe(tool.otherAccounts)
          expect(await count(`employees/count?${member}=${tool.id}&appUsedTimestampAfter=${from}`)).toBe(
            tool.people,
          )
        }
        const since = `appUsedTimestampAfter=${from}`
        expect(await count(`employees/count?aiUse=ANY_ACCOUNT&${since}`)).toBe(usage.people)
        expect(await count(`employees/count?aiUse=PRIVATE_ACCOUNT&${since}`)).toBe(usage.privatePeople)
      },
    )

    test('new accounts by week equal the numbers of rows in the linked lists', async () => {
      const usage = (await reader.call<AiUsage>('GET', 'ai-usage/THIS_MONTH')).body
      const every = await aiAccounts()
      for (const [at, from] of usage.weekTimestamps.entries()) {
        const within = `creationTimestampAfter=${from}&creationTimestampBefore=${from + 7 * day}`
        const added = every.filter(
          ({ creationTimestamp }) => creationTimestamp >= from && creationTimestamp < from + 7 * day,
        )
        const recognized = added.filter((account) => account.recognized).length
        expect([usage.newAccounts[at], usage.newOtherAccounts[at]]).toEqual([
          recognized,
          added.length - recognized,
        ])
        expect(await count(`accounts/count?appCategory=AI&${within}`)).toBe(recognized)
        expect(await count(`accountsOther/count?aiTool=true&${within}`)).toBe(added.length - recognized)
      }
    })

    test('unrecognized apps are AI tools by their domain, unless they are hidden', async () => {
      const { body } = await reader.call('GET', 'lists/appsOther?aiTool=true&sort=creationTimestamp')
      expect(body.records.map(({ domain }: AppOther) => domain)).toEqual(aiDomains)
      expect(await count('appsOther/count?aiTool=false')).toBe(otherDomains.length)
    })

    test('an organization can have any number of work domains', async () => {
      const org = await h.addOrganization('many domains')
      const admin = await signedIn(h, org, 'READ_ONLY')
      await put(
        h,
        org,
        employees,
        Array.from({ length: 1200 }, (_, at) => anEmployee({ email: `p@d${at}.example` })),
      )
      const app = anApp({ type: products.find(({ categories }) => categories?.[0] === 'AI')?.appType ?? '' })
      await put(h, org, apps, [app])
      const names = [
        'x@d1199.example',
        'x@sub.d1.example',
        'x@elsewhere.example',
        'd7.example',
        'a@b@d7.example',
      ]
      await put(
        h,
        org,
        accounts,
        names.map((email) =>
          anAccount({ email, appId: app.id, appType: app.type, lastUsedTimestamp: unixSeconds(h.clock) }),
        ),
      )
      const emails = async (identity: string) => {
        const { body } = await admin.call('GET', `lists/accounts?identity=${identity}&sort=creationTimestamp`)
        return body.records.map((account: Account) => account.email)
      }
      expect(await emails('WORK')).toEqual(['x@d1199.example', 'a@b@d7.example'])
      expect(await emails('PRIVATE')).toEqual(['x@sub.d1.example', 'x@elsewhere.example'])
      expect(await emails('USER_NAME')).toEqual(['d7.example'])
      const { tools } = (await admin.call<AiUsage>('GET', 'ai-usage/LAST_30_DAYS')).body
      expect(tools).toMatchObject([{ workAccounts: 2, privateAccounts: 2, otherAccounts: 1 }])
    })

    test('sign-ins of an app are counted by the week of the last sign-in with each method', async () => {
      const [app] = await all<App>('/v1/apps')
      const mine = (await all<Account>('/v1/accounts')).filter(({ appId }) => appId === app?.id)
      const { body } = await reader.call('GET', `apps/${app?.id}/sign-ins`)
      const { loginMethods } = anAccount()
      const sum = (method: string) =>
        (body.methods.find((one: { method: string }) => one.method === method)?.accounts ?? []).reduce(
          (total: number, one: number) => total + one,
          0,
        )
      const recent = (seconds: number | null) => seconds !== null && seconds >= body.weekTimestamps[0]
      expect(sum('PASSWORD')).toBe(recent(loginMethods.lastPasswordLoginTimestamp) ? mine.length : 0)
      expect(sum('OIDC')).toBe(recent(loginMethods.lastOidcLoginTimestamp) ? mine.length : 0)
      expect(body.weekTimestamps).toHaveLength(12)
      expect((await reader.call('GET', `apps/${mine[0]?.id}/sign-ins`)).status).toBe(404)
      expect((await reader.call('GET', 'ai-usage/NEXT_MONTH')).status).toBe(404)
    })
  })
}
