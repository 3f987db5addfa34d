import { ExtensionFacts } from '@muster/contract/agent/agent-event'
import { matches } from '@muster/contract/api/matches'
import { describe, expect, test } from 'vitest'
import { extensionFacts, inventoryOf } from './extension-facts.ts'
import { extensionsToDisable, newThreats } from './extension-threats.ts'

type ExtensionInfo = Parameters<typeof extensionFacts>[0]

const info = (overrides: Partial<ExtensionInfo> = {}): ExtensionInfo =>
  ({
    id: 'cjpalhdlnbpafiamejdnhcphjbkeiagm',
    name: 'uBlock Origin',
    shortName: 'uBlock',
    description: 'An efficient blocker.',
    type: 'extension',
    installType: 'normal',
    permissions: ['storage', 'tabs'],
    hostPermissions: ['<all_urls>'],
    version: '1.58.0',
    enabled: true,
    mayDisable: true,
    offlineEnabled: false,
    isApp: false,
    optionsUrl: '',
    ...overrides,
  }) as ExtensionInfo

describe('the report of an extension', () => {
  test('contains the facts listed by the browser', () => {
    const facts = extensionFacts(
      info({
        versionName: '1.58 beta',
        updateUrl: 'https://a.example/crx',
        homepageUrl: 'https://a.example/',
      }),
    )
    expect(facts).toEqual({
      extensionId: 'cjpalhdlnbpafiamejdnhcphjbkeiagm',
      name: 'uBlock Origin',
      description: 'An efficient blocker.',
      deploymentMode: 'MANUAL',
      permissions: ['storage', 'tabs'],
      hostPermissions: ['<all_urls>'],
      version: '1.58.0',
      versionName: '1.58 beta',
      enabled: true,
      disabledReason: null,
      updateUrl: 'https://a.example/crx',
      homePageUrl: 'https://a.example/',
    })
  })

  test.each([
    ['admin', 'MANAGED'],
    ['normal', 'MANUAL'],
    ['development', 'DEVELOPMENT'],
    ['sideload', 'SIDELOAD'],
    ['other', 'OTHER'],
    ['unheard-of', 'OTHER'],
  ])('maps the installation type %s to %s', (installType, deploymentMode) => {
    const given = info({ installType: installType as ExtensionInfo['installType'] })
    expect(extensionFacts(given).deploymentMode).toBe(deploymentMode)
  })

  test('contains the reason why it is disabled', () => {
    const disabled = info({ enabled: false, disabledReason: 'permissions_increase' })
    expect(extensionFacts(disabled)).toMatchObject({ enabled: false, disabledReason: 'permissions_increase' })
  })

  test('is within the contract’s limits for any name', () => {
    const facts = extensionFacts(
      info({
        name: `\0${'\ud83d\ude00'.repeat(6000)}`,
        permissions: Array.from({ length: 2000 }, () => 'x'.repeat(3000)),
        hostPermissions: undefined as unknown as string[],
      }),
    )
    expect(matches(ExtensionFacts, facts)).toBe(true)
    expect(facts.name.isWellFormed()).toBe(true)
  })
})

test('the inventory is sorted and excludes the agent itself, themes and apps', () => {
  const listed = [
    info({ id: 'c' }),
    info({ id: 'own' }),
    info({ id: 'b', type: 'theme' }),
    info({ id: 'd', type: 'hosted_app' }),
    info({ id: 'a' }),
  ]
  expect(inventoryOf(listed, 'own').map(({ extensionId }) => extensionId)).toEqual(['a', 'c'])
})

describe('a blocked or bad extension', () => {
  const policy = {
    blockedExtensionIds: ['blocked', 'absent'],
    badExtensions: [
      { extensionId: 'bad', risk: 'HIGH' as const },
      { extensionId: 'odd', risk: 'LOW' as const },
    ],
  }
  const listed = (...states: (readonly [string, boolean])[]) =>
    states.map(([extensionId, enabled]) => ({ extensionId, enabled }))

  test('is disabled if it is blocked and enabled', () => {
    expect(extensionsToDisable(listed(['blocked', true], ['bad', true], ['good', true]), policy)).toEqual([
      'blocked',
    ])
    expect(extensionsToDisable(listed(['blocked', false]), policy)).toEqual([])
  })

  test('is reported once, and again when its state changes', () => {
    const first = newThreats(listed(['bad', true], ['good', true]), policy, {})
    expect(first.events).toEqual([
      { kind: 'EXTENSION_THREAT', extensionId: 'bad', risk: 'HIGH', disabled: false },
    ])
    const second = newThreats(listed(['bad', true], ['odd', false]), policy, first.reported)
    expect(second.events).toEqual([
      { kind: 'EXTENSION_THREAT', extensionId: 'odd', risk: 'LOW', disabled: true },
    ])
    const third = newThreats(listed(['bad', false], ['odd', false]), policy, second.reported)
    expect(third.events).toEqual([
      { kind: 'EXTENSION_THREAT', extensionId: 'bad', risk: 'HIGH', disabled: true },
    ])
  })

  test('is reported again when it comes back', () => {
    const { reported } = newThreats(listed(['bad', true]), policy, {})
    const gone = newThreats([], policy, reported)
    expect(gone).toEqual({ events: [], reported: {} })
    expect(newThreats(listed(['bad', true]), policy, gone.reported).events).toHaveLength(1)
  })
})
