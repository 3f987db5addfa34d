import type { CollectionName } from '@muster/contract/api/api'
import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { describe, expect, test } from 'vitest'
import { anExtension, aPassword } from '../../../../test/support/agent-events.ts'
import { noActor } from '../../../../test/support/audit.ts'
import { anAccount, anApp, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { exported, replayed } from '../../../../test/support/replays.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { getRecord } from '../../kernel/store/records.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { removeCatalogProduct } from '../catalog/catalog-products.service.ts'
import { addCatalogProducts } from '../catalog/change-catalog.ts'
import { erasePerson } from '../employees/erase.ts'
import { runDailyJobs } from '../maintenance/daily.ts'
import type { CheckedRecord } from '../transfer/record-check.ts'
import { storeImported } from '../transfer/store-record.ts'

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

/** Collections that the ingest fills. */
const derivedNames = [
  'apps',
  'appsOther',
  'accounts',
  'usedBy',
  'accountsOther',
  'browserExtensions',
  'findings',
  'detections',
] as const satisfies CollectionName[]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const runDaily = () =>
      runDailyJobs({ db: h.db, clock: h.clock, settingsOf: orgSettingsReader(), rawEventDays: 90 })
    const decide = async (path: string, body: object) =>
      expect(await h.call(o.caller, 'PATCH', path, { body })).toMatchObject({ status: 200 })
    const erase = (id: string) =>
      h.db.inTransaction(async (tx) => {
        const person = await getRecord(tx, employees, o.caller.org, id)
        if (!person) throw new Error('not there')
        return erasePerson(tx, o.caller.org, [person], (address) => address, {
          actor: null,
          timestamp: unixSeconds(h.clock),
        })
      })
    const reportOfAll = () => {
      const password = aPassword({
        weakReasons: ['TOO_SHORT'],
        stolenIds: ['33333333-0b6f-4c39-9b55-3f6f2f0f8a11'],
        manuallyTyped: true,
      })
      return [
        o.make.visit(),
        ...Array.from({ length: 5 }, () => o.make.login({ password })),
        o.make.login({ loginUrl: 'https://intranet.example.org/', password }),
        o.make.oidcLogin({ loginUrl: 'https://slack.com/signin' }),
        o.make.extensions({ extensions: [anExtension()] }),
        o.make.pageThreat(),
        o.make.blockedUrl(),
      ]
    }

    test('recreates everything from stored events and the passing of time', async () => {
      const bob = await o.person()
      await o.ada.send(...reportOfAll(), o.make.login({ email: 'team@example.com' }))
      await bob.send(o.make.login({ email: 'team@example.com' }))
      h.clock.advanceMs(60 * dayMs)
      await o.ada.send(o.make.extensions({ extensions: [anExtension({ version: '2' })] }))
      h.clock.advanceMs(31 * dayMs)
      await runDaily()
      const before = await exported(h, o.caller.org)
      expect(derivedNames.filter((name) => before[name]?.length === 0)).toEqual([])
      expect(before.findings?.map((text) => JSON.parse(text).type)).toEqual(
        expect.arrayContaining(['PASSWORD_MANAGER_NOT_USED', 'SHARED_ACCOUNT', 'UNUSED_THIRD_PARTY_APP']),
      )
      const removed = derivedNames.flatMap((name) => before[name] ?? []).length
      expect(await replayed(h, o.caller.org)).toMatchObject({ removed })
      expect(await exported(h, o.caller.org)).toEqual(before)
    })

    test('keeps imported records that another server created from events', async () => {
      const west = o.caller
      await o.ada.send(o.make.visit({ host: 'slack.com' }), o.make.visit({ host: 'github.com' }))
      await o.ada.send(o.make.oidcLogin({ loginUrl: 'https://slack.com/signin' }))
      h.clock.advanceMs(dayMs)
      await o.renew()
      await o.ada.send(...reportOfAll())
      const east = await exported(h, o.caller.org)
      for (const name of ['employees', 'browsers', ...derivedNames] as const) {
        const records = (east[name] ?? []).map((text) => JSON.parse(text) as CheckedRecord)
        const stored = await h.db.inTransaction((tx) => storeImported(tx, west.org, noActor, name, records))
        expect(stored.refused).toEqual([])
      }
      const before = await exported(h, west.org)
      expect(derivedNames.filter((name) => before[name]?.length === 0)).toEqual([])
      expect(await replayed(h, west.org)).toMatchObject({ removed: 3, batches: 2 })
      expect(await exported(h, west.org)).toEqual(before)
    })

    test('keeps records of events from a dropped week', async () => {
      const bob = await o.person()
      h.clock.advanceMs(weekMs - (h.clock.nowMs() % weekMs) - 60_000)
      const late = reportOfAll()
      h.clock.advanceMs(90_000)
      await bob.send(o.make.visit({ host: 'github.com' }))
      h.clock.advanceMs(30_000)
      await o.ada.send(...late)
      const detection = (await o.list('detections'))[0]
      await decide(`/v1/detections/${detection.id}`, { classification: 'TRUE_POSITIVE' })
      const zapier = await o.one('apps?type=ZAPIER')
      await decide(`/v1/apps/${zapier.id}`, { approvalStatus: 'NOT_APPROVED', notes: 'decided' })
      for (let week = 0; week < 13; week += 1) {
        h.clock.advanceMs(weekMs)
        await o.ada.send(o.make.heartbeat())
        await bob.send(o.make.heartbeat())
        await runDaily()
      }
      const before = await exported(h, o.caller.org)
      await replayed(h, o.caller.org)
      expect(await exported(h, o.caller.org)).toEqual(before)
    })

    test('keeps remaining records and decisions after an erase', async () => {
      const bob = await o.person()
      await o.ada.send(
        o.make.login(),
        o.make.visit({ host: 'intranet.example.org' }),
        o.make.login({ email: 'team@example.com', password: aPassword() }),
      )
      await bob.send(o.make.login({ email: 'team@example.com', password: aPassword() }))
      const zapier = await o.one('apps')
      await decide(`/v1/apps/${zapier.id}`, { approvalStatus: 'NOT_APPROVED', notes: 'decided' })
      const [shared] = (await o.list('accounts')).filter(({ email }) => email === 'team@example.com')
      await erase(o.ada.employee.id)
      const removal = `/v1/accounts/${shared.id}/loginMethods?loginMethod=USERNAME_PASSWORD`
      expect(await h.call(o.caller, 'DELETE', removal)).toMatchObject({ status: 200 })
      const { findings: _, ...before } = await exported(h, o.caller.org)
      await replayed(h, o.caller.org)
      expect(await exported(h, o.caller.org)).toMatchObject(before)
      expect(await o.one('apps')).toMatchObject({ id: zapier.id, notes: 'decided' })
      expect(await o.one('accounts')).toMatchObject({
        id: shared.id,
        employeeId: bob.employee.id,
        loginMethods: { passwordLogin: false },
      })
    })

    test('keeps a decided app whose product was removed', async () => {
      const { org } = o.caller
      const product = {
        appType: 'INTRANET',
        friendlyName: 'Intranet',
        website: 'https://intranet.example.org',
        description: 'Tells news to employees.',
        domains: ['intranet.example.org'],
        loginHosts: [],
      }
      const seconds = unixSeconds(h.clock)
      await h.db.inTransaction((tx) => addCatalogProducts(tx, org, product, seconds))
      await o.ada.send(o.make.visit({ host: 'intranet.example.org' }))
      const app = await o.one('apps')
      await decide(`/v1/apps/${app.id}`, { notes: 'ours' })
      await h.db.inTransaction((tx) => removeCatalogProduct(tx, org, 'INTRANET', seconds))
      await replayed(h, org)
      expect(await o.one('apps')).toEqual({ ...app, notes: 'ours' })
      expect(await o.one('appsOther')).toMatchObject({ domain: 'example.org' })
    })

    test('does not repeat operations on an imported account', async () => {
      const { org } = o.caller
      const zapier = anApp({ type: 'ZAPIER' })
      const account = () => {
        const record = anAccount({ employeeId: o.ada.employee.id, appId: zapier.id, appType: 'ZAPIER' })
        return { ...record, loginMethods: { ...record.loginMethods, passwordLogin: true } }
      }
      const [changed, deleted] = [account(), account()]
      await put(h, org, apps, [zapier])
      await put(h, org, accounts, [changed, deleted])
      await o.ada.send(o.make.visit())
      const remove = (path: string) => h.call(o.caller, 'DELETE', `/v1/accounts/${path}`)
      await remove(`${changed.id}/loginMethods?loginMethod=USERNAME_PASSWORD`)
      await remove(deleted.id)
      await h.db.inTransaction((tx) => storeImported(tx, org, noActor, 'accounts', [deleted]))
      const before = await exported(h, org)
      expect(before.accounts).toHaveLength(2)
      await replayed(h, org)
      expect(await exported(h, org)).toEqual(before)
    })
  })
}
