import type { AuditObject } from '@muster/contract/console/console-audit'
import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditedConsole } from '../../../../test/guards/audited-acts.ts'
import {
  auditEventsDuring,
  auditObjectsOf,
  auditTrail,
  oneEach,
  type Scene,
  schemaMistakes,
} from '../../../../test/support/audit.ts'
import {
  type ConsoleBrowser,
  consoleBrowser,
  consoleOrigin,
  goodPassword,
  type SignedIn,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { aBrowser, aDetection, aFinding, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type JsonValue, useHarness } from '../../../../test/support/harness.ts'
import { softwareAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { insertBrowserCredential } from '../browsers/browser-credentials.service.ts'
import { groupMarkedDetections } from '../incidents/incidents-job.ts'
import { failedSignIns } from '../sign-in/sign-in-audit.ts'

type Scenes<Names extends keyof typeof auditedConsole> = {
  readonly [A in Names]: Record<(typeof auditedConsole)[A][number], Scene>
}
/** Operations of signing in. */
const signInNames = [
  ...['signIn', 'signInByTotp', 'signInByRecoveryCode', 'signInByPasskey', 'openLink', 'acceptLink'],
  ...['reauthenticate', 'reauthenticateByPasskey', 'changePassword', 'confirmTotp', 'removeTotp'],
  ...['addPasskey', 'removePasskey', 'renewRecoveryCodes'],
] as const
type SignInNames =
  | `signIn${'' | 'ByTotp' | 'ByRecoveryCode' | 'ByPasskey'}`
  | `${'open' | 'accept'}Link`
  | `reauthenticate${'' | 'ByPasskey'}`
  | 'changePassword'
  | `${'confirm' | 'remove'}Totp`
  | `${'add' | 'remove'}Passkey`
  | 'renewRecoveryCodes'

const tableOf = (of: (name: string) => boolean): Record<string, readonly AuditObject[]> =>
  Object.fromEntries(Object.entries(auditedConsole).filter(([name]) => of(name)))
const isSignIn = (name: string): boolean => (signInNames as readonly string[]).includes(name)

const ownProduct = {
  appType: 'ACME_INTRANET',
  friendlyName: 'Acme intranet',
  website: 'https://intranet.acme.example',
  description: 'Tells news to employees.',
  domains: ['intranet.acme.example'],
  loginHosts: [],
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const secrets: string[] = [goodPassword]
    let ada: SignedIn
    let half: ConsoleBrowser
    let count = 0

    beforeAll(async () => {
      ada = await signedIn(h, await h.addOrganization('default'))
      half = consoleBrowser(h)
    })

    const right = async (browser: ConsoleBrowser, method: string, path: string, body?: unknown) => {
      const answer = await browser.call(method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200)
      return answer.body as JsonValue
    }
    const wrong = async (browser: ConsoleBrowser, path: string, body: unknown, method = 'POST') => {
      expect((await browser.call(method, path, body)).status).toBe(401)
    }
    const asks = (method: string, path: string, body?: unknown) => () => right(ada, method, path, body)
    const password = (email: string) => ({ email, password: goodPassword })
    const codeOf = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.nowMs() })

    const withTotp = async () => {
      const person = await signedIn(h, ada.org)
      const { secret } = await right(person, 'POST', 'sign-in-methods/totp/begin')
      const code = codeOf(secret)
      const { recoveryCodes } = await right(person, 'POST', 'sign-in-methods/totp/confirm', { code })
      h.clock.advanceMs(30_000)
      secrets.push(secret, ...recoveryCodes)
      return { person, secret, recoveryCodes }
    }
    const withPasskey = async () => {
      const person = await signedIn(h, ada.org)
      const key = softwareAuthenticator(consoleOrigin)
      const response = key.create(await right(person, 'POST', 'sign-in-methods/passkeys/options'))
      await right(person, 'POST', 'sign-in-methods/passkeys', { name: 'Laptop', response })
      return { person, key }
    }
    /** Shares administrators that no scene changes, because signing in is slow. */
    const once = <T>(make: () => Promise<T>) => {
      let made: Promise<T> | undefined
      return () => {
        h.clock.advanceMs(30_000)
        made ??= make()
        return made
      }
    }
    const someTotp = once(withTotp)
    const somePasskey = once(withPasskey)
    const halfIn = async (email: string) => right(half, 'POST', 'sign-in', password(email))
    const tokenOf = ({ link }: { link: string }): string => {
      const token = link.split('#')[1] ?? ''
      secrets.push(token)
      return token
    }
    const invited = async () =>
      tokenOf(
        await right(ada, 'POST', 'invitations', { email: `new-${++count}@example.com`, role: 'READ_ONLY' }),
      )
    const resetOf = async ({ id }: SignedIn) =>
      tokenOf(await right(ada, 'POST', `administrators/${id}/reset-password`, {}))
    const accept = (token: string) => () =>
      right(consoleBrowser(h), 'POST', 'links/accept', { token, password: goodPassword })

    const signIns: Scenes<SignInNames> = {
      signIn: {
        ADMIN_SIGNED_IN: async () => asks('POST', 'sign-in', password(ada.email)),
        ADMIN_SIGN_IN_FAILED: async () => () =>
          wrong(half, 'sign-in', { email: ada.email, password: 'not this one' }),
      },
      signInByTotp: {
        ADMIN_SIGNED_IN: async () => {
          const { person, secret } = await someTotp()
          await halfIn(person.email)
          return () => right(half, 'POST', 'sign-in/totp', { code: codeOf(secret) })
        },
        ADMIN_SIGN_IN_FAILED: async () => {
          await halfIn((await someTotp()).person.email)
          return () => wrong(half, 'sign-in/totp', { code: '000000' })
        },
      },
      signInByRecoveryCode: {
        ADMIN_SIGNED_IN: async () => {
          const { person, recoveryCodes } = await someTotp()
          await halfIn(person.email)
          return () => right(half, 'POST', 'sign-in/recovery-code', { code: recoveryCodes[0] })
        },
        ADMIN_SIGN_IN_FAILED: async () => {
          await halfIn((await someTotp()).person.email)
          return () => wrong(half, 'sign-in/recovery-code', { code: 'abcd-efgh-jkmn-pqrs' })
        },
      },
      signInByPasskey: {
        ADMIN_SIGNED_IN: async () => {
          const { person, key } = await somePasskey()
          await halfIn(person.email)
          const response = key.get(await right(half, 'POST', 'sign-in/passkey/options'))
          return () => right(half, 'POST', 'sign-in/passkey', { response })
        },
        ADMIN_SIGN_IN_FAILED: async () => {
          await halfIn((await somePasskey()).person.email)
          const options = await right(half, 'POST', 'sign-in/passkey/options')
          const response = softwareAuthenticator(consoleOrigin).get(options)
          return () => wrong(half, 'sign-in/passkey', { response })
        },
      },
      openLink: {
        ADMIN_SIGN_IN_FAILED: async () => () => wrong(half, 'links/open', { token: 'x'.repeat(43) }),
      },
      acceptLink: {
        ADMIN_ADDED: async () => accept(await invited()),
        ADMIN_SIGNED_IN: async () => accept(await resetOf(await signedIn(h, ada.org))),
        SETTING_UPDATED: async () => accept(await resetOf((await withTotp()).person)),
        ADMIN_SIGN_IN_FAILED: async () => () =>
          wrong(half, 'links/accept', { token: 'x'.repeat(43), password: goodPassword }),
      },
      reauthenticate: {
        ADMIN_SIGN_IN_FAILED: async () => () => wrong(ada, 'reauthenticate', { password: 'not this one' }),
      },
      reauthenticateByPasskey: {
        ADMIN_SIGN_IN_FAILED: async () => {
          const { person } = await somePasskey()
          const options = await right(person, 'POST', 'reauthenticate/passkey/options')
          const response = softwareAuthenticator(consoleOrigin).get(options)
          return () => wrong(person, 'reauthenticate/passkey', { response })
        },
      },
      changePassword: {
        SETTING_UPDATED: async () => {
          const another = 'another horse battery staple'
          const person = await signedIn(h, ada.org)
          secrets.push(another)
          const body = { password: another, currentPassword: goodPassword }
          return () => right(person, 'PUT', 'sign-in-methods/password', body)
        },
        ADMIN_SIGN_IN_FAILED: async () => () =>
          wrong(ada, 'sign-in-methods/password', { password: 'x'.repeat(20), currentPassword: 'no' }, 'PUT'),
      },
      confirmTotp: {
        SETTING_UPDATED: async () => {
          const person = await signedIn(h, ada.org)
          const { secret } = await right(person, 'POST', 'sign-in-methods/totp/begin')
          return () => right(person, 'POST', 'sign-in-methods/totp/confirm', { code: codeOf(secret) })
        },
      },
      removeTotp: {
        SETTING_UPDATED: async () => {
          const { person } = await withTotp()
          return () => right(person, 'DELETE', 'sign-in-methods/totp')
        },
      },
      addPasskey: {
        SETTING_UPDATED: async () => {
          const person = await signedIn(h, ada.org)
          const options = await right(person, 'POST', 'sign-in-methods/passkeys/options')
          const response = softwareAuthenticator(consoleOrigin).create(options)
          return () => right(person, 'POST', 'sign-in-methods/passkeys', { name: 'Key', response })
        },
      },
      removePasskey: {
        SETTING_UPDATED: async () => {
          const { person } = await withPasskey()
          const { passkeys } = await right(person, 'GET', 'sign-in-methods')
          return () => right(person, 'DELETE', `sign-in-methods/passkeys/${passkeys[0].id}`)
        },
      },
      renewRecoveryCodes: {
        SETTING_UPDATED: async () => {
          const { person } = await withTotp()
          return () => right(person, 'POST', 'sign-in-methods/recovery-codes')
        },
      },
    }

    const newKey = async (): Promise<JsonValue> => {
      const made = await right(ada, 'POST', 'keys', { name: 'siem', permission: 'READ_ONLY' })
      secrets.push(made.key.slice(9))
      return made
    }
    const newWebhook = async (): Promise<JsonValue> => {
      const url = `https://siem.example.com/${++count}?token=of-the-receiver`
      const headers = [{ name: 'authorization', value: 'Bearer of-the-header' }]
      const made = await right(ada, 'POST', 'webhooks', { url, headers, objects: ['LOGIN'] })
      secrets.push(made.secret, 'of-the-receiver', 'of-the-header')
      return made.webhook
    }

    const newDirectoryToken = async (): Promise<JsonValue> => {
      const made = await right(ada, 'POST', 'directory/tokens', { name: 'Okta', assignsLicenses: true })
      secrets.push(made.token)
      return made
    }

    const newAlertRule = async (): Promise<JsonValue> => {
      secrets.push('of-the-channel')
      const target = { url: 'https://hooks.slack.com/services/of-the-channel' }
      return right(ada, 'POST', 'alerts', {
        name: `Rule ${++count}`,
        triggers: ['FINDING'],
        destination: 'SLACK',
        target,
      })
    }

    const newToken = async (): Promise<JsonValue> => {
      const made = await right(ada, 'POST', 'enrollment-tokens', { name: 'laptops' })
      secrets.push(made.token)
      return made
    }
    const newFinding = async (): Promise<string> => {
      const finding = aFinding({ state: 'OPEN' })
      await put(h, ada.org, findings, [finding])
      return finding.id
    }
    const newPersonWithFinding = async (): Promise<Employee> => {
      const person = anEmployee()
      await put(h, ada.org, employees, [person])
      await put(h, ada.org, findings, [aFinding({ state: 'OPEN', employeeId: person.id })])
      return person
    }
    const newIncident = async (): Promise<string> => {
      const detection = aDetection({ archived: false })
      await put(h, ada.org, detections, [detection])
      await groupMarkedDetections(h.db)
      return detection.id
    }
    let templates = 0
    const ownTemplate = () => {
      templates += 1
      return { subject: `Template ${templates}`, text: '{findings}' }
    }
    const newBrowser = async (): Promise<string> => {
      const browser = aBrowser()
      await put(h, ada.org, browsers, [browser])
      await h.db.inTransaction((tx) =>
        insertBrowserCredential(tx, {
          org: ada.org,
          browserId: browser.id,
          employeeId: browser.employeeId,
          hash: browser.id,
          creationTimestamp: 1,
        }),
      )
      return browser.id
    }

    const sharedFilter = (name: string) => ({ list: 'accounts', name, query: 'search=a', shared: true })
    const others: Scenes<Exclude<keyof typeof auditedConsole, SignInNames>> = {
      inviteAdministrator: { SETTING_UPDATED: async () => invited },
      revokeInvitation: {
        SETTING_UPDATED: async () => {
          await invited()
          const { invitations } = await right(ada, 'GET', 'administrators')
          return asks('DELETE', `invitations/${invitations.at(-1).id}`)
        },
      },
      changeAdministrator: {
        SETTING_UPDATED: async () => {
          const { id } = await signedIn(h, ada.org, 'READ_ONLY')
          return asks('PATCH', `administrators/${id}`, { role: 'FULL_ACCESS' })
        },
      },
      resetAdministrator: {
        SETTING_UPDATED: async () => {
          const { id } = await signedIn(h, ada.org, 'READ_ONLY')
          return asks('POST', `administrators/${id}/reset-password`, { removeSecondFactors: true })
        },
      },
      removeAdministrator: {
        ADMIN_REMOVED: async () => {
          const { id, email } = await signedIn(h, ada.org, 'FULL_ACCESS')
          await right(ada, 'POST', 'keys', { name: 'theirs', permission: 'FULL_ACCESS', holder: email })
          return asks('DELETE', `administrators/${id}`, { revokeKeys: true })
        },
      },
      createKey: { API_KEY_ADDED: async () => newKey },
      rotateKey: {
        API_KEY_ADDED: async () => {
          const { id } = await newKey()
          return asks('POST', `keys/${id}/rotate`, { overlapSeconds: 0 })
        },
      },
      addNote: {
        SETTING_UPDATED: async () => asks('POST', `work/${await newFinding()}/notes`, { text: 'Seen.' }),
      },
      askEmployee: {
        SETTING_UPDATED: async () => asks('POST', `employees/${(await newPersonWithFinding()).id}/request`),
      },
      askEmployees: {
        SETTING_UPDATED: async () =>
          asks('POST', 'work/requests', { query: `employeeId=${(await newPersonWithFinding()).id}` }),
      },
      changeIncident: {
        DETECTION_UPDATED: async () =>
          asks('POST', `incidents/${await newIncident()}/detections`, { archived: true }),
        SETTING_UPDATED: async () =>
          asks('POST', `incidents/${await newIncident()}/detections`, { assigneeId: ada.id }),
      },
      changeRequestTemplate: {
        SETTING_UPDATED: async () => asks('PUT', 'work/request-template', ownTemplate()),
      },
      resetRequestTemplate: {
        SETTING_UPDATED: async () => {
          await right(ada, 'PUT', 'work/request-template', ownTemplate())
          return asks('DELETE', 'work/request-template')
        },
      },
      changeWork: {
        SETTING_UPDATED: async () =>
          asks('POST', 'work', {
            list: 'findings',
            ids: [await newFinding()],
            change: { assigneeId: ada.id },
          }),
      },
      revokeKey: { API_KEY_REMOVED: async () => asks('DELETE', `keys/${(await newKey()).id}`) },
      changeControls: {
        SETTING_UPDATED: async () => {
          const { version } = await right(ada, 'GET', 'controls')
          return asks('PATCH', 'controls', { seen: version, change: { contact: 'it@example.com' } })
        },
      },
      saveOwnProduct: { SETTING_UPDATED: async () => asks('POST', 'catalog', ownProduct) },
      removeOwnProduct: {
        SETTING_UPDATED: async () => {
          await right(ada, 'POST', 'catalog', ownProduct)
          return asks('POST', 'catalog/remove', { appType: ownProduct.appType })
        },
      },
      addBlockedUrls: {
        BLOCKED_URLS_ADDED: async () =>
          asks('POST', 'blocked-urls', { patterns: ['a.example.net', 'b.example.net', '*'] }),
      },
      deleteBlockedUrl: {
        BLOCKED_URLS_REMOVED: async () => {
          const { records } = await right(ada, 'GET', 'lists/blockedUrls')
          return asks('DELETE', `blocked-urls/${records[0].id}`)
        },
      },
      saveFilter: { SETTING_UPDATED: async () => asks('POST', 'saved-filters', sharedFilter('one')) },
      changeSavedFilter: {
        SETTING_UPDATED: async () => {
          const { id } = await right(ada, 'POST', 'saved-filters', sharedFilter('two'))
          return asks('PATCH', `saved-filters/${id}`, { query: 'search=b' })
        },
      },
      removeSavedFilter: {
        SETTING_UPDATED: async () => {
          const { id } = await right(ada, 'POST', 'saved-filters', sharedFilter('three'))
          return asks('DELETE', `saved-filters/${id}`)
        },
      },
      mailEnrollmentLink: {
        ENROLLMENT_LINK_CREATED: async () => {
          const body = { email: 'mailed@example.com' }
          const { id } = await right(ada, 'POST', 'records/employees', body)
          return async () => {
            const { link } = await right(ada, 'POST', 'enrollment-mails', { employeeId: id })
            secrets.push(link.split('/').at(-1))
          }
        },
      },
      offboardEmployee: {
        SETTING_UPDATED: async () => {
          const { id } = await right(ada, 'POST', 'records/employees', { email: 'leaver@example.com' })
          const { enrollmentLink } = await right(ada, 'POST', `records/employees/${id}/enrollmentLink`)
          secrets.push(enrollmentLink.split('/').at(-1))
          await right(ada, 'PATCH', `records/employees/${id}`, { licensed: false })
          return asks('POST', `employees/${id}/offboard`)
        },
      },
      createEnrollmentToken: { SETTING_UPDATED: async () => newToken },
      revokeEnrollmentToken: {
        SETTING_UPDATED: async () => asks('DELETE', `enrollment-tokens/${(await newToken()).id}`),
      },
      createDirectoryToken: { SETTING_UPDATED: async () => newDirectoryToken },
      revokeDirectoryToken: {
        SETTING_UPDATED: async () => asks('DELETE', `directory/tokens/${(await newDirectoryToken()).id}`),
      },
      revokeBrowser: { SETTING_UPDATED: async () => asks('POST', `browsers/${await newBrowser()}/revoke`) },
      removeBrowser: { SETTING_UPDATED: async () => asks('DELETE', `browsers/${await newBrowser()}`) },
      changePriorityRules: {
        SETTING_UPDATED: async () =>
          asks('PATCH', 'priority-rules', { rules: [{ rule: 'SENSITIVE_APP', points: 40 }] }),
      },
      changeOrganization: {
        SETTING_UPDATED: async () => asks('PATCH', 'settings/organization', { name: 'Example Inc.' }),
      },
      changeSettings: {
        SETTING_UPDATED: async () =>
          asks('PATCH', 'settings/pages', { changes: [{ name: 'mail_from', value: 'x@example.com' }] }),
      },
      setDeprecation: {
        SETTING_UPDATED: async () =>
          asks('PUT', 'deprecation', { deprecationTimestamp: unixSeconds(h.clock) + 90 * 86_400 }),
      },
      withdrawDeprecation: { SETTING_UPDATED: async () => asks('DELETE', 'deprecation') },
      addWebhook: { WEBHOOK_ADDED: async () => newWebhook },
      changeWebhook: {
        WEBHOOK_UPDATED: async () => asks('PATCH', `webhooks/${(await newWebhook()).id}`, { enabled: false }),
      },
      removeWebhook: {
        WEBHOOK_REMOVED: async () => asks('DELETE', `webhooks/${(await newWebhook()).id}`),
      },
      addAlertRule: { SETTING_UPDATED: async () => newAlertRule },
      changeAlertRule: {
        SETTING_UPDATED: async () => asks('PATCH', `alerts/${(await newAlertRule()).id}`, { enabled: false }),
      },
      removeAlertRule: {
        SETTING_UPDATED: async () => asks('DELETE', `alerts/${(await newAlertRule()).id}`),
      },
      rotateWebhook: {
        WEBHOOK_UPDATED: async () => asks('POST', `webhooks/${(await newWebhook()).id}/rotate`),
      },
    }

    test('signing in, failing to, and changing sign-in methods record one event each', async () => {
      expect(await auditObjectsOf(h.db, ada.org, signIns)).toEqual(oneEach(tableOf(isSignIn)))
    })

    test('each console operation that changes something records its event', async () => {
      await right(ada, 'POST', 'sign-in', password(ada.email))
      const licensing = ['EMPLOYEE_UPDATED', 'LICENSE_ASSIGNED', 'ENROLLMENT_LINK_CREATED']
      expect(await auditObjectsOf(h.db, ada.org, others)).toEqual({
        ...oneEach(tableOf((name) => !isSignIn(name))),
        mailEnrollmentLink: { ENROLLMENT_LINK_CREATED: licensing },
      })
    })

    test('the events name the actor, match their schema and contain no secret', async () => {
      const events = await auditTrail(h.db, ada.org)
      expect(events.flatMap(schemaMistakes)).toEqual([])
      const byAda = events.filter(({ actor }) => actor && 'role' in actor && actor.email === ada.email)
      expect(byAda.length).toBeGreaterThan(20)
      expect(byAda[0]?.actor).toEqual({
        source: 'UI',
        email: ada.email,
        sourceIpAddress: expect.stringMatching(/^10\.1\./),
        userAgent: 'lightMyRequest',
        role: 'OWNER',
      })
      const failures = events.filter(({ object }) => object === 'ADMIN_SIGN_IN_FAILED')
      expect(failures.length).toBeGreaterThan(5)
      for (const { actor, new: facts } of failures) {
        const { email, sourceIpAddress } = facts as { email: string | null; sourceIpAddress: string }
        expect(sourceIpAddress).toMatch(/^10\.1\./)
        expect(actor).toEqual({ source: 'UI', email, sourceIpAddress, userAgent: 'lightMyRequest' })
      }
      const text = JSON.stringify(events)
      expect(secrets.length).toBeGreaterThan(20)
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    })

    test('changes to records are attributed to the administrator, not to an API key', async () => {
      await right(ada, 'POST', 'records/employees', { email: 'by-ada@example.com' })
      const last = (await auditTrail(h.db, ada.org)).at(-1)
      expect(last).toMatchObject({ object: 'EMPLOYEE_ADDED', actor: { source: 'UI', email: ada.email } })
    })

    test('failed sign-ins are recorded also for unknown addresses, at most 300 per hour and organization', async () => {
      const unknown = { email: 'nobody@example.org', password: 'x' }
      await wrong(consoleBrowser(h), 'sign-in', unknown)
      const before = await auditTrail(h.db, ada.org)
      expect(before.at(-1)).toMatchObject({ new: { email: 'nobody@example.org', method: 'PASSWORD' } })
      const { record } = failedSignIns(h.db)
      const origin = { address: '192.0.2.1', userAgent: undefined, nowSeconds: unixSeconds(h.clock) }
      const failed = { org: undefined, email: 'nobody@example.org', method: 'PASSWORD' } as const
      await Promise.all(Array.from({ length: 305 }, () => record(origin, failed)))
      const recorded = (await auditTrail(h.db, ada.org)).slice(before.length)
      expect(recorded).toHaveLength(300)
      expect(recorded.filter(({ description }) => description.includes('No more'))).toHaveLength(1)
      const other = await h.addOrganization('counted separately')
      expect(
        await auditEventsDuring(h.db, other, () => record(origin, { ...failed, org: other })),
      ).toHaveLength(1)
    })
  })
}
