import { defaultControls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import { anExtension, aPassword } from '../../../../../test/support/agent-events.ts'
import { asShownInDetection } from '../../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { useObserved } from '../../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'
import { writeControls } from '../../../kernel/organizations/organization-controls.ts'

const stolen = aPassword({ stolenIds: ['33333333-0b6f-4c39-9b55-3f6f2f0f8a11'] })
const minuteMs = 60_000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const severities = async () =>
      (await o.list('detections')).map(({ severity, response }) => `${severity} ${response}`)

    test('creates a detection with employee, browser, URL and link', async () => {
      await o.ada.send(o.make.visit({ host: 'okta.com' }), o.make.pageThreat())
      const now = unixSeconds(h.clock)
      const detection = await o.one('detections')
      expect(detection).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        employeeId: o.ada.employee.id,
        employee: asShownInDetection(o.ada.employee),
        browserId: o.ada.browserId,
        severity: 'MEDIUM',
        detectionType: 'PHISHING',
        response: 'EMPLOYEE_WARNED',
        classification: 'NOT_CLASSIFIED',
        archived: false,
        appId: (await o.one('apps')).id,
        appType: 'OKTA',
        url: 'https://okta-login.example/',
        referrerUrl: 'https://mail.example.com/',
        sourceIpAddress: '127.0.0.1',
        userAgent: 'Mozilla/5.0 (test)',
        detectionLink: `https://muster.test/console/detections/${detection.id}`,
        creationTimestamp: now,
        lastActivityTimestamp: now,
      })
    })

    test('merges signals within an hour; severity and response only rise', async () => {
      await o.ada.send(o.make.pageThreat())
      const first = await o.one('detections')
      h.clock.advanceMs(30 * minuteMs)
      await o.ada.send(o.make.pageThreat({ response: 'EMPLOYEE_IGNORED_WARNING' }))
      const worse = { severity: 'HIGH', response: 'EMPLOYEE_IGNORED_WARNING' }
      const then = unixSeconds(h.clock)
      expect(await o.one('detections')).toEqual({ ...first, ...worse, lastActivityTimestamp: then })
      h.clock.advanceMs(59 * minuteMs)
      await o.ada.send(o.make.pageThreat({ threat: 'PHISHING_TOOL', response: 'BLOCKED' }))
      expect(await o.one('detections')).toMatchObject({ id: first.id, ...worse })
      h.clock.advanceMs(61 * minuteMs)
      await o.ada.send(o.make.pageThreat({ response: 'BLOCKED' }))
      expect(await severities()).toEqual(['HIGH EMPLOYEE_IGNORED_WARNING', 'LOW BLOCKED'])
    })

    test('creates another detection for another site, type, browser or employee', async () => {
      const bob = await o.person()
      const second = await o.browserOf(o.ada.employee)
      await o.ada.send(
        o.make.pageThreat(),
        o.make.pageThreat({ url: 'https://other.example/' }),
        o.make.pageThreat({ threat: 'MALICIOUS_COPY_PASTE' }),
      )
      await bob.send(o.make.pageThreat())
      await second.send(o.make.pageThreat())
      expect(await o.list('detections')).toHaveLength(5)
    })

    test('creates two detections for events of a batch that are hours apart', async () => {
      const now = unixSeconds(h.clock)
      await o.ada.send(o.make.blockedUrl(), o.make.blockedUrl({ timestamp: now - 3 * 3600 }))
      expect(await severities()).toEqual(['LOW BLOCKED', 'LOW BLOCKED'])
    })

    test('merges a late signal into the detection of its time', async () => {
      const now = unixSeconds(h.clock)
      const seen = (hoursAgo: number) => o.make.pageThreat({ timestamp: now - hoursAgo * 3600 })
      await o.ada.send(...[5, 4.5, 3.5, 2.5, 2].map(seen))
      const { id } = await o.one('detections')
      for (const hoursAgo of [4, 2, 6, 7]) await o.ada.send(seen(hoursAgo))
      expect(await o.one('detections')).toMatchObject({ id })
      await o.ada.send(seen(0.5), seen(9))
      expect(await o.list('detections')).toHaveLength(3)
    })

    test('keeps decisions of administrators when a detection continues', async () => {
      await o.ada.send(o.make.blockedUrl())
      const { id } = await o.one('detections')
      await h.call(o.caller, 'PATCH', `/v1/detections/${id}`, {
        body: { archived: true, classification: 'FALSE_POSITIVE' },
      })
      await o.ada.send(o.make.blockedUrl())
      expect(await o.one('detections')).toMatchObject({ archived: true, classification: 'FALSE_POSITIVE' })
    })

    test('rates a stolen password critical for sensitive apps, else high', async () => {
      await o.ada.send(o.make.login({ password: stolen }))
      const app = await o.one('apps')
      await h.call(o.caller, 'PATCH', `/v1/apps/${app.id}`, { body: { sensitivityLevel: 'HIGH' } })
      await o.ada.send(o.make.login({ email: 'second@example.com', password: stolen }))
      await o.ada.send(o.make.login({ loginUrl: 'https://intranet.example.org/in', password: stolen }))
      expect(await severities()).toEqual(['HIGH MONITORED', 'CRITICAL MONITORED', 'HIGH MONITORED'])
      const [first, , other] = await o.list('detections')
      expect(first).toMatchObject({
        detectionType: 'STOLEN_CREDENTIALS',
        appId: app.id,
        appType: 'ZAPIER',
        url: 'https://zapier.com/app/login',
      })
      expect(other).toMatchObject({ appId: null, appType: null, url: 'https://intranet.example.org/in' })
    })

    test('detects a malicious extension that is reported or listed', async () => {
      const badExtensions = [
        { extensionId: 'bad', risk: 'HIGH' as const },
        { extensionId: 'off', risk: 'HIGH' as const },
      ]
      await h.db.inTransaction((tx) =>
        writeControls(tx, o.caller.org, { ...defaultControls, badExtensions }, unixSeconds(h.clock)),
      )
      const extensions = [
        anExtension({ extensionId: 'good' }),
        anExtension({ extensionId: 'off', enabled: false }),
        anExtension({ extensionId: 'bad' }),
      ]
      await o.ada.send(o.make.extensions({ extensions }))
      expect(await severities()).toEqual(['MEDIUM BLOCKED', 'HIGH MONITORED'])
      await o.ada.send(o.make.extensionThreat({ extensionId: 'bad', risk: 'LOW', disabled: true }))
      await o.ada.send(o.make.extensionThreat({ extensionId: 'unlisted', risk: 'MEDIUM' }))
      expect(await severities()).toEqual(['MEDIUM BLOCKED', 'HIGH MONITORED', 'MEDIUM MONITORED'])
    })

    test('distinguishes pages with URLs of maximum length', async () => {
      const long = `https://long.example/${'a'.repeat(8000)}`
      await o.ada.send(o.make.pageThreat({ url: long }), o.make.pageThreat({ url: long }))
      expect(await o.one('detections')).toMatchObject({ url: long })
    })

    test('creates no detection for a banner', async () => {
      await o.ada.send(o.make.banner())
      expect(await o.list('detections')).toEqual([])
    })
  })
}
