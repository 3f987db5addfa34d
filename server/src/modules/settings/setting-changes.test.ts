import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { loadConfig } from '../../kernel/config/config.ts'
import { settingNames, tomlName } from '../../kernel/config/config-settings.ts'
import {
  changeableSetting,
  consoleUseOf,
  isSealed,
  type StoredSettings,
  withStoredSettings,
} from '../../kernel/config/stored-settings.ts'
import { auditedValues, planChanges } from './setting-changes.ts'

const operator = loadConfig({ env: {}, flags: {}, cwd: '/nonexistent' })
const policy = { allowPrivate: false }
const plan = (stored: StoredSettings, changes: Readonly<Record<string, string | null>>) =>
  planChanges(
    Object.entries(changes).map(([name, value]) => ({ name, value })),
    { operator, stored, policy },
  )

/** Values that the settings take, with and without effect on others. */
const samples: Readonly<Record<string, readonly string[]>> = {
  smtp_url: ['smtp://a@one.example', 'smtp://a@two.example', 'smtps://three.example'],
  smtp_password: ['first', 'second'],
  oidc_issuer: ['https://one.example', 'https://two.example'],
  oidc_client_id: ['a', 'b'],
  oidc_client_secret: ['first', 'second'],
}
const changesOf = fc
  .tuple(
    ...Object.entries(samples).map(([name, values]) =>
      fc.tuple(fc.constant(name), fc.boolean(), fc.constantFrom(...values, null)),
    ),
  )
  .map((entries) =>
    Object.fromEntries(entries.flatMap(([name, isChanged, value]) => (isChanged ? [[name, value]] : []))),
  )

const sentTo = [
  ['smtpPassword', 'smtpUrl'],
  ['oidcClientSecret', 'oidcIssuer'],
] as const

test('after any changes, a secret goes only to the server it was entered for', () => {
  fc.assert(
    fc.property(fc.array(changesOf, { maxLength: 12 }), (steps) => {
      let stored: StoredSettings = new Map()
      const enteredFor = new Map<string, string | undefined>()
      for (const changes of steps) {
        const { mistakes, next } = plan(stored, changes)
        if (mistakes.length > 0) continue
        for (const [secret, target] of sentTo) {
          if (changes[tomlName(secret)]) enteredFor.set(secret, next.get(target))
          if (next.has(secret)) expect(next.get(target)).toBe(enteredFor.get(secret))
        }
        stored = next
      }
    }),
  )
})

test('no setting that names a file or the place of the data can be changed', () => {
  const changeable = settingNames.filter((name) => changeableSetting(tomlName(name)) !== undefined)
  for (const name of ['data', 'databaseUrl', 'secretKey', 'eventsFile', 'tlsKey', 'rangeUrl', 'webhooksCa'])
    expect(changeable).not.toContain(name)
  // Settings with paths take PEM texts instead.
  const stored = new Map([['eventsSyslogCa', '/etc/shadow']] as const)
  expect(withStoredSettings(operator, stored, true).eventsSyslogCa).toBeUndefined()
})

test('every secret names the server that gets it, or stays here', () => {
  const secrets = settingNames.filter((name) => consoleUseOf(name) && isSealed(name))
  expect(secrets.map((name) => [name, consoleUseOf(name)?.sentTo])).toEqual([
    ['smtpPassword', 'smtpUrl'],
    ['oidcClientSecret', 'oidcIssuer'],
    ['eventsSyslogKey', undefined],
    ['eventsSplunkToken', 'eventsSplunkUrl'],
    ['eventsElasticSecret', 'eventsElasticUrl'],
    ['eventsSentinelClientSecret', 'eventsSentinelUrl'],
    ['eventsDatadogKey', 'eventsDatadogUrl'],
    ['eventsHttpAuthorization', 'eventsHttpUrl'],
  ])
  for (const name of secrets)
    expect(consoleUseOf(name)?.sentTo ?? name).toSatisfy((target: string) =>
      (settingNames as readonly string[]).includes(target),
    )
})

describe('values', () => {
  test('the same setting is changed once', () => {
    const changes = [1, 2].map((days) => ({ name: 'unused_account_days', value: `${days}` }))
    expect(planChanges(changes, { operator, stored: new Map(), policy }).mistakes).toEqual([
      { name: 'unused_account_days', message: 'must be changed only once' },
    ])
  })

  test('a value has other characters than spaces', () => {
    const { mistakes } = plan(new Map(), { oidc_name: '  ', events_elastic_index: '\t' })
    expect(mistakes.map(({ name, message }) => `${name} ${message}`)).toEqual([
      'oidc_name must not be blank',
      'events_elastic_index must not be blank',
    ])
  })

  test('a password needs a user', () => {
    const { mistakes } = plan(new Map(), { smtp_url: 'smtp://mail.example.com', smtp_password: 'x' })
    expect(mistakes).toMatchObject([{ name: 'smtp_url', message: expect.stringContaining('the user') }])
  })

  test('an issuer without TLS is allowed on this machine only', () => {
    const others = { oidc_client_id: 'a', oidc_client_secret: 'b' }
    const { mistakes } = plan(new Map(), { oidc_issuer: 'http://login.example.com', ...others })
    expect(mistakes).toEqual([{ name: 'oidc_issuer', message: 'must start with https://' }])
  })

  const receivers = settingNames
    .map(tomlName)
    .filter((name) => /^events_.*_url$/.test(name) && changeableSetting(name))
  test.each(receivers)('%s must be at a public address, and with TLS over HTTP', (name) => {
    const scheme = name === 'events_syslog_url' ? 'tls' : 'https'
    for (const host of ['10.0.0.8', '127.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:10.0.0.8]'])
      expect(plan(new Map(), { [name]: `${scheme}://${host}:8088` }).mistakes).toContainEqual({
        name,
        message: expect.stringMatching(/^(?:is not allowed: the host has|must be)/),
      })
    const plain = plan(new Map(), { [name]: 'http://siem.example.com:8088' }).mistakes
    expect(plain).toContainEqual({ name, message: expect.stringMatching(/https:\/\/|tls:\/\//) })
  })

  test('audit events contain no secrets', () => {
    const before = new Map([['smtpPassword', 'first-secret']] as const)
    const after = new Map([['smtpPassword', 'second-secret']] as const)
    expect(auditedValues('MAIL', after, before)).toMatchObject({ smtp_password: 'replaced', smtp_url: null })
    expect(JSON.stringify([auditedValues('MAIL', before), auditedValues('MAIL', after, before)])).not.toMatch(
      /secret/,
    )
  })
})
