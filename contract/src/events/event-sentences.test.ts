import { describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../test/support/fast-check.ts'
import { type EventObject, eventDeclarationOf, eventObjects, exampleEventOf } from './event-objects.ts'
import { sentenceOf, type Telling } from './event-sentences.ts'

const ui = { source: 'UI', email: 'owner@example.com', sourceIpAddress: '192.0.2.1', role: 'OWNER' }
const place = 'from 203.0.113.7 (Chrome on macOS)'
const ada = 'ada.byron@example.com'

/** The example of an event, with other members of its record. */
const say = (object: EventObject, record: object = {}, more: Partial<Telling> = {}): string => {
  const event = exampleEventOf(object) as unknown as Telling & { new: object }
  const actor = eventDeclarationOf(object).category === 'AUDIT' ? ui : undefined
  return sentenceOf(object, { ...event, actor, new: { ...event.new, ...record }, ...more })
}

const employee = { employee: { email: 'bob@example.com' } }
const changes = [
  { name: 'notes', old: '', new: 'Ask IT.' },
  { name: 'approvalStatus', old: null, new: 'APPROVED' },
  { name: 'licensed', old: false, new: true },
  { name: 'ownerId', old: null, new: 'x' },
]
const changed = 'notes, approvalStatus: APPROVED, licensed: true and 1 more'

/** At least one sentence for each object. */
const sentences: Readonly<Record<EventObject, readonly (readonly [string, string])[]>> = {
  ACCOUNT: [
    [say('ACCOUNT'), `${ada}'s Zapier account was added.`],
    [
      say('ACCOUNT', {}, { type: 'UPDATE', old: { ...exampleEventOf('ACCOUNT').new, mfaRegistered: null } }),
      `${ada}'s Zapier account was changed: mfaRegistered: true.`,
    ],
    [
      sentenceOf('ACCOUNT', { type: 'DELETE', new: null, old: exampleEventOf('ACCOUNT').new }),
      `${ada}'s Zapier account was removed.`,
    ],
  ],
  ACCOUNT_OTHER: [[say('ACCOUNT_OTHER'), `${ada}'s account on an unrecognized app was added.`]],
  APP: [[say('APP'), 'App Zapier was added.']],
  APP_OTHER: [[say('APP_OTHER'), 'Unrecognized app intranet.example.com was added.']],
  BROWSER: [[say('BROWSER'), `${ada}'s browser (Chrome on macOS) was added.`]],
  BROWSER_EXTENSION: [
    [
      say('BROWSER_EXTENSION', employee),
      'Browser extension "uBlock Origin" 1.58.0 of bob@example.com was added.',
    ],
    [
      say('BROWSER_EXTENSION', { employee: null }),
      'Browser extension "uBlock Origin" 1.58.0 of an unknown employee was added.',
    ],
  ],
  EMPLOYEE: [[say('EMPLOYEE'), `Employee ${ada} was added.`]],
  FINDING: [
    [say('FINDING', employee), "Weak password found on bob@example.com's Zapier account."],
    [
      say('FINDING', { ...employee, state: 'RESOLVED' }, { type: 'UPDATE', old: { state: 'OPEN' } }),
      "Weak password on bob@example.com's Zapier account was resolved.",
    ],
    [
      say('FINDING', employee, { type: 'UPDATE', old: { state: 'RESOLVED' } }),
      "Weak password found again on bob@example.com's Zapier account.",
    ],
    [
      say('FINDING', { ...employee, type: 'PASSWORD_MANAGER_NOT_USED', appType: null }),
      'Logins without a password manager found on bob@example.com.',
    ],
  ],
  LOGIN: [
    [say('LOGIN'), `${ada} signed in to Zapier with a password ${place}.`],
    [
      say('LOGIN', {
        appType: null,
        loginUrl: 'https://x.example/?token=secret',
        loginType: 'OIDC_LOGIN',
        identityProvider: 'GOOGLE_WORKSPACE',
      }),
      `${ada} signed in to x.example with Google Workspace (OpenID Connect) ${place}.`,
    ],
  ],
  BLOCKED_URL_VISITED: [
    [say('BLOCKED_URL_VISITED'), `${ada} was kept from opening login.example.net ${place}.`],
  ],
  CLONED_LOGIN_PAGE_DETECTED: [
    [
      say('CLONED_LOGIN_PAGE_DETECTED', { appType: 'OKTA', mode: 'BLOCK' }),
      `${ada} opened a page that imitates the login of Okta on login.example.net ${place} and was blocked.`,
    ],
  ],
  PHISHING_TOOL_DETECTED: [
    [
      say('PHISHING_TOOL_DETECTED', { mode: 'MONITOR' }),
      `${ada} opened a page with marks of a phishing tool on login.example.net ${place}.`,
    ],
  ],
  PROTECTED_PASSWORD_ENTERED: [
    [
      say('PROTECTED_PASSWORD_ENTERED'),
      `${ada} entered the password of Zapier on login.example.net ${place} and was warned.`,
    ],
  ],
  STOLEN_CREDENTIALS_DETECTED: [
    [say('STOLEN_CREDENTIALS_DETECTED'), `${ada} signed in to Zapier with a stolen password ${place}.`],
  ],
  MALICIOUS_COPY_PASTE_DETECTED: [
    [
      say('MALICIOUS_COPY_PASTE_DETECTED'),
      `${ada} opened a page that copies a command to the clipboard on login.example.net ${place} and was warned.`,
    ],
  ],
  MALICIOUS_BROWSER_EXTENSION_DETECTED: [
    [
      say('MALICIOUS_BROWSER_EXTENSION_DETECTED', { mode: 'BLOCK', extensionId: 'abc' }),
      `Malicious browser extension abc was disabled in ${ada}'s browser ${place}.`,
    ],
  ],
  APP_BANNER: [
    [
      say('APP_BANNER', { reason: null }),
      `${ada} was shown the banner "This app is not approved" on Zapier ${place}.`,
    ],
    [
      say('APP_BANNER', { action: 'ACKNOWLEDGED', reason: 'For a\ncustomer "x"' }),
      `${ada} acknowledged the banner "This app is not approved" on Zapier ${place}, giving the reason "For a customer 'x'".`,
    ],
  ],
  PHISHING: [
    [say('PHISHING'), `Phishing detected for ${ada} on login.example.net (severity high, blocked).`],
    [
      say('PHISHING', { archived: true }, { type: 'UPDATE', old: exampleEventOf('PHISHING').new }),
      `Phishing detection for ${ada} on login.example.net was changed: archived: true.`,
    ],
  ],
  STOLEN_CREDENTIALS: [
    [
      say('STOLEN_CREDENTIALS', { detectionType: 'STOLEN_CREDENTIALS', url: null, response: 'MONITORED' }),
      `Stolen credentials detected for ${ada} (severity high, monitored).`,
    ],
  ],
  BLOCKED_URL: [
    [
      say('BLOCKED_URL', { detectionType: 'BLOCKED_URL', severity: 'LOW' }),
      `Visit of a blocked URL detected for ${ada} on login.example.net (severity low, blocked).`,
    ],
  ],
  MALWARE_DELIVERY: [
    [
      say('MALWARE_DELIVERY', { detectionType: 'MALWARE_DELIVERY', response: 'EMPLOYEE_IGNORED_WARNING' }),
      `Malware delivery detected for ${ada} on login.example.net (severity high, employee ignored warning).`,
    ],
  ],
  MALICIOUS_BROWSER_EXTENSION: [
    [
      say('MALICIOUS_BROWSER_EXTENSION', { detectionType: 'MALICIOUS_BROWSER_EXTENSION', url: null }),
      `Malicious browser extension detected for ${ada} (severity high, blocked).`,
    ],
  ],
  API_KEY_ADDED: [
    [
      say('API_KEY_ADDED', { permission: 'FULL_ACCESS', name: 'SIEM', holder: 'owner@example.com' }),
      'Full access key "SIEM" was added by owner@example.com.',
    ],
    [
      say('API_KEY_ADDED', {}, { actor: { source: 'CLI', user: 'root' }, note: 'It replaces mstr_a1B2….' }),
      `Read only key "siem" for ${ada} was added by root at the command line. It replaces mstr_a1B2….`,
    ],
  ],
  API_KEY_REMOVED: [
    [say('API_KEY_REMOVED'), `Read only key "siem" of ${ada} was revoked by owner@example.com.`],
  ],
  API_KEY_EXPIRED: [[say('API_KEY_EXPIRED', {}, { actor: null }), `Read only key "siem" of ${ada} expired.`]],
  WEBHOOK_ADDED: [
    [say('WEBHOOK_ADDED'), 'Webhook https://siem.example.com/*** was added by owner@example.com.'],
  ],
  WEBHOOK_UPDATED: [
    [
      say('WEBHOOK_UPDATED', { changes }),
      `Webhook https://siem.example.com/*** was changed by owner@example.com: ${changed}.`,
    ],
    [
      say('WEBHOOK_UPDATED', {}, { actor: null, what: 'Webhook x was switched off' }),
      'Webhook x was switched off.',
    ],
  ],
  WEBHOOK_REMOVED: [
    [say('WEBHOOK_REMOVED'), 'Webhook https://siem.example.com/*** was removed by owner@example.com.'],
  ],
  BLOCKED_URLS_ADDED: [
    [say('BLOCKED_URLS_ADDED'), '*.example.net/login/* was blocked by owner@example.com.'],
    [
      say('BLOCKED_URLS_ADDED', { count: 1200 }),
      '1,200 URLs were blocked by owner@example.com, *.example.net/login/* first.',
    ],
  ],
  BLOCKED_URLS_REMOVED: [
    [say('BLOCKED_URLS_REMOVED'), '*.example.net/login/* was unblocked by owner@example.com.'],
  ],
  STOLEN_CREDENTIALS_ADDED: [
    [
      say('STOLEN_CREDENTIALS_ADDED'),
      '42 stolen credentials from "acme-intelligence" were added by owner@example.com.',
    ],
  ],
  STOLEN_CREDENTIALS_REMOVED: [
    [
      say('STOLEN_CREDENTIALS_REMOVED', { count: 1 }),
      '1 stolen credential was removed by owner@example.com.',
    ],
  ],
  APP_UPDATED: [[say('APP_UPDATED', { changes }), `Zapier was changed by owner@example.com: ${changed}.`]],
  APP_LABELS_ADDED: [[say('APP_LABELS_ADDED'), 'Label "GenAI" was added to Zapier by owner@example.com.']],
  APP_LABELS_REMOVED: [
    [
      say('APP_LABELS_REMOVED', { labels: ['a', 'b', 'c', 'd', 'e'] }),
      'Labels "a", "b", "c" and 2 more were removed from Zapier by owner@example.com.',
    ],
  ],
  ACCOUNT_FORGOTTEN: [
    [say('ACCOUNT_FORGOTTEN'), `${ada}'s Zapier account was deleted by owner@example.com.`],
  ],
  ACCOUNT_LOGIN_METHOD_REMOVED: [
    [
      say('ACCOUNT_LOGIN_METHOD_REMOVED', { loginMethod: 'OKTA_SWA' }),
      `Login method okta swa was removed from ${ada}'s Zapier account by owner@example.com.`,
    ],
  ],
  DETECTION_UPDATED: [
    [
      say('DETECTION_UPDATED', { changes }),
      `Phishing detection was changed by owner@example.com: ${changed}.`,
    ],
  ],
  EMPLOYEE_ADDED: [
    [
      say(
        'EMPLOYEE_ADDED',
        {},
        { actor: { source: 'API', apiKeyName: 'HR "x"', apiKeyCreatedBy: 'o@example.com' } },
      ),
      `Employee ${ada} was added by o@example.com with API key "HR 'x'".`,
    ],
    [
      say('EMPLOYEE_ADDED', {}, { actor: { source: 'EMPLOYEE', id: 'x', email: ada } }),
      `Employee ${ada} was added by ${ada}.`,
    ],
  ],
  EMPLOYEE_UPDATED: [
    [say('EMPLOYEE_UPDATED', { changes }), `Employee ${ada} was changed by owner@example.com: ${changed}.`],
  ],
  EMPLOYEE_EMAIL_UPDATED: [
    [
      say('EMPLOYEE_EMAIL_UPDATED'),
      `The email address of employee ada@example.com was changed to ${ada} by owner@example.com.`,
    ],
  ],
  LICENSE_ASSIGNED: [[say('LICENSE_ASSIGNED'), `A license was assigned to ${ada} by owner@example.com.`]],
  LICENSE_REMOVED: [[say('LICENSE_REMOVED'), `The license of ${ada} was removed by owner@example.com.`]],
  EMPLOYEE_ADDED_TO_GROUP: [
    [say('EMPLOYEE_ADDED_TO_GROUP'), `${ada} was added to group "Engineers" by owner@example.com.`],
  ],
  EMPLOYEE_REMOVED_FROM_GROUP: [
    [say('EMPLOYEE_REMOVED_FROM_GROUP'), `${ada} was removed from group "Engineers" by owner@example.com.`],
  ],
  EMPLOYEES_MERGED: [
    [say('EMPLOYEES_MERGED'), `ada@example.org was merged into ${ada} by owner@example.com.`],
  ],
  EMPLOYEE_UNMERGED: [[say('EMPLOYEE_UNMERGED'), `Employee ${ada} was unmerged by owner@example.com.`]],
  ENROLLMENT_LINK_CREATED: [
    [say('ENROLLMENT_LINK_CREATED'), `An enrollment link for ${ada} was created by owner@example.com.`],
  ],
  ADMIN_SIGNED_IN: [
    [
      say('ADMIN_SIGNED_IN', { email: 'owner@example.com', method: 'PASSKEY' }),
      'owner@example.com signed in to the console with a passkey from 192.0.2.1.',
    ],
  ],
  ADMIN_SIGN_IN_FAILED: [
    [
      say('ADMIN_SIGN_IN_FAILED'),
      `A sign-in to the console as ${ada} with a password from 203.0.113.7 failed.`,
    ],
    [
      say('ADMIN_SIGN_IN_FAILED', { email: null, method: 'LINK' }),
      'A sign-in to the console with a link from 203.0.113.7 failed.',
    ],
  ],
  ADMIN_ADDED: [
    [
      say('ADMIN_ADDED', { email: 'owner@example.com' }),
      'owner@example.com became an administrator (read only).',
    ],
  ],
  ADMIN_REMOVED: [
    [say('ADMIN_REMOVED'), `Administrator ${ada} (read only) was removed by owner@example.com.`],
  ],
  SETTING_UPDATED: [
    [say('SETTING_UPDATED', { changes }), `Setting "controls" was changed by owner@example.com: ${changed}.`],
  ],
  DATA_EXPORTED: [
    [say('DATA_EXPORTED'), 'Data was exported by owner@example.com: accounts as CSV, 1,200 records.'],
    [say('DATA_EXPORTED', { count: 0 }), 'Data was exported by owner@example.com: accounts as CSV.'],
  ],
}

test.each(eventObjects.flatMap((object) => sentences[object].map((pair) => [object, ...pair] as const)))(
  '%s describes who, what and where: %s',
  (_, sentence, expected) => expect(sentence).toBe(expected),
)

describe('untrusted names', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom('\n', '\r', '\u0000', '\u202e', '\u2066', '\u2028', '"', '\ud800', 'x'),
    }),
  )

  /** The value with every text replaced. */
  const filled = (value: unknown, by: () => string): unknown => {
    if (typeof value === 'string') return by()
    if (Array.isArray(value)) return value.map((one) => filled(one, by))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, by)]))
  }

  test('a sentence is a short line without text-direction controls', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...eventObjects),
        fc.array(text, { minLength: 1, maxLength: 9 }),
        (object, texts) => {
          let at = 0
          const by = () => texts[at++ % texts.length] ?? ''
          const { type, actor, new: next, old } = exampleEventOf(object) as unknown as Telling
          const sentence = sentenceOf(object, { type, actor: filled(actor, by), new: filled(next, by), old })
          expect(sentence).toMatch(
            /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,1024}$/u,
          )
          expect(sentence.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a quoted name cannot close its quotes, and long names are truncated', () => {
    const group = 'x" was removed by owner@example.com. "'
    expect(say('EMPLOYEE_ADDED_TO_GROUP', { group })).toBe(
      `${ada} was added to group "x' was removed by owner@example.com. '" by owner@example.com.`,
    )
    const long = say('EMPLOYEE_ADDED_TO_GROUP', { group: '😀'.repeat(128) })
    expect(long).toMatch(/^\S+ was added to group "😀{49}…" by owner@example\.com\.$/u)
  })
})
