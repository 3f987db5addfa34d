import { findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { aPassword } from '../../../../../test/support/agent-events.ts'
import { aFinding, put } from '../../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { useObserved } from '../../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { upsertCatalogProducts } from '../../catalog/catalog-products.service.ts'

const another = '11111111-0b6f-4c39-9b55-3f6f2f0f8a11'
const stolenId = '33333333-0b6f-4c39-9b55-3f6f2f0f8a11'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const at = (...urls: string[]) => o.ada.send(...urls.map((loginUrl) => o.make.login({ loginUrl })))
    const reused = async () =>
      (await o.list('findings?type=REUSED_PASSWORD')).map(({ appType, state }) => `${appType} ${state}`)

    test('does not count products of one account system as reuse', async () => {
      await at('https://platform.openai.com/login', 'https://chatgpt.com/auth/login')
      expect(await o.list('accounts')).toHaveLength(2)
      expect(await reused()).toEqual([])
      await at('https://trello.com/login')
      expect(await reused()).toEqual(expect.arrayContaining(['OPENAI OPEN', 'CHATGPT OPEN', 'TRELLO OPEN']))
      await o.ada.send(
        o.make.login({
          loginUrl: 'https://trello.com/login',
          password: aPassword({ passwordId: another }),
        }),
      )
      expect(await reused()).toEqual(
        expect.arrayContaining(['OPENAI RESOLVED', 'CHATGPT RESOLVED', 'TRELLO RESOLVED']),
      )
    })

    test('does not count sister domains outside the catalog as reuse', async () => {
      await at('https://account.envato.com/sign_in', 'https://themeforest.net/sign_in')
      await at('https://videohive.net/sign_in')
      expect(await o.list('accountsOther')).toHaveLength(2)
      expect(await reused()).toEqual([])
      await at('https://sister.example.org/sign_in')
      expect(await reused()).toEqual(['ENVATO OPEN'])
    })

    test('resolves reuse after the account at the other place is deleted', async () => {
      await at('https://platform.openai.com/login', 'https://chatgpt.com/auth/login', 'https://zapier.com/')
      expect(await reused()).toHaveLength(3)
      const elsewhere = await o.one('accounts?appType=ZAPIER')
      await h.call(o.caller, 'DELETE', `/v1/accounts/${elsewhere.id}`)
      expect((await reused()).sort()).toEqual(['CHATGPT RESOLVED', 'OPENAI RESOLVED'])
    })

    test('resolves a finding from before the account system was known at the next login', async () => {
      await at('https://platform.openai.com/login', 'https://chatgpt.com/auth/login')
      const account = await o.one('accounts?appType=CHATGPT')
      const open = aFinding({
        type: 'REUSED_PASSWORD',
        state: 'OPEN',
        accountId: account.id,
        employeeId: account.employeeId,
        appId: account.appId,
        appType: 'CHATGPT',
        passwordId: account.passwordId,
      })
      await put(h, o.caller.org, findings, [open])
      await at('https://chatgpt.com/auth/login')
      expect(await o.one('findings?type=REUSED_PASSWORD')).toMatchObject({ id: open.id, state: 'RESOLVED' })
    })

    test('counts the domains of an added product as one place', async () => {
      await at('https://klm.com/login')
      const added = {
        appType: 'OUR_TRAVEL',
        friendlyName: 'Our travel',
        website: 'https://travel.example.com',
        description: 'Books travel.',
        domains: ['travel.example.com', 'airfranceklm.com'],
        loginHosts: [],
      }
      await h.db.inTransaction((tx) => upsertCatalogProducts(tx, o.caller.org, [added], 0))
      await at('https://travel.example.com/login')
      expect((await o.list('accounts')).map(({ appType }) => appType)).toEqual(['FLYING_BLUE', 'OUR_TRAVEL'])
      expect(await reused()).toEqual([])
    })

    test('ignores the password where a code is appended to it', async () => {
      const password = aPassword({
        weakReasons: ['TOO_SHORT'],
        leaked: true,
        reused: true,
        manuallyTyped: true,
        stolenIds: [stolenId],
      })
      const logins = [1, 2, 3, 4, 5, 6].map(() =>
        o.make.login({ loginUrl: 'https://us.etrade.com/e/t/user/login', password }),
      )
      await o.ada.send(o.make.login(), ...logins)
      expect(await o.one('accounts?appType=E_TRADE')).toMatchObject({
        passwordId: null,
        mfaRegistered: null,
        loginMethods: { passwordLogin: true },
        lastUsedTimestamp: logins.at(-1)?.timestamp,
      })
      expect(await o.list('findings')).toEqual([])
      expect(await o.list('detections')).toEqual([])
      await o.ada.send(
        o.make.login({
          loginUrl: 'https://us.etrade.com/e/t/user/login',
          password: null,
          mfa: { method: null },
        }),
      )
      expect(await o.one('accounts?appType=E_TRADE')).toMatchObject({ mfaRegistered: true, passwordId: null })
    })
  })
}
