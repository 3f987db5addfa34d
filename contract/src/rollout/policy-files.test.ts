import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { ManagedConfiguration } from '../agent/agent-enrollment.ts'
import { type PolicyFile, policyFiles, type RolloutPolicy } from './policy-files.ts'
import { policyMistakes } from './policy-mistakes.ts'
import { plistOf } from './property-list.ts'
import { registryFile } from './registry-file.ts'

const settings = { serverUrl: 'https://muster.example.com', enrolmentToken: `met_${'a1B2'.repeat(10)}` }
const chromiumId = 'ibldkgglafofgpgdbkgkanfdkbdgpakh'
const firefoxId = 'agent@muster.invalid'
let uuids = 0
const policy: RolloutPolicy = {
  ...settings,
  chromiumId,
  firefoxId,
  chromiumUpdateUrl: 'https://updates.example.com/crx?a=1&b=2',
  firefoxInstallUrl: 'https://updates.example.com/agent.xpi',
  makeUuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`,
}
const files = policyFiles(policy)
const file = (id: string): PolicyFile => {
  const found = files.find((one) => one.id === id)
  if (!found) throw new Error(`there is no file ${id}`)
  return found
}
const json = (id: string) => JSON.parse(file(id).content)
const forced = { installation_mode: 'force_installed', update_url: policy.chromiumUpdateUrl }
const isAgentSettings = (value: unknown) => Compile(ManagedConfiguration).Check(value)

/** Parses a registry file: keys with their text values. */
function parseRegistry(text: string): Record<string, Record<string, string>> {
  const [head, ...lines] = text.split('\r\n')
  if (head !== 'Windows Registry Editor Version 5.00') throw new Error('no header')
  const keys: Record<string, Record<string, string>> = {}
  let values: Record<string, string> = {}
  for (const line of lines) {
    const key = /^\[(.+)\]$/.exec(line)?.[1]
    const [, name, value] = /^("(?:[^"\\]|\\.)*")=("(?:[^"\\]|\\.)*")$/.exec(line) ?? []
    if (key !== undefined) keys[key] = values = {}
    else if (name !== undefined && value !== undefined) values[JSON.parse(name)] = JSON.parse(value)
    else if (line !== '') throw new Error(`not a line of a registry file: ${line}`)
  }
  return keys
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decoded = (text: string): string =>
  text.replace(/&(#\d+|\w+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCharCode(Number(name.slice(1))) : (entities[name] ?? '?'),
  )

/** Parses XML without comments and CDATA. @throws Error if tags do not match */
function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const body = text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/<!DOCTYPE[^>]*>\s*/, '')
  for (const [, tag, plain] of body.matchAll(/<([^>]+)>|([^<]+)/g)) {
    const parent = open.at(-1) ?? root
    if (plain !== undefined) parent.text += decoded(plain)
    else if (tag?.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`unexpected </${tag.slice(1)}>`)
    } else if (tag !== undefined) {
      const attributes = [...tag.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        decoded(value ?? ''),
      ])
      const element: Element = {
        name: /^[\w:]+/.exec(tag)?.[0] ?? '',
        attributes: Object.fromEntries(attributes),
        children: [],
        text: '',
      }
      parent.children.push(element)
      if (!tag.endsWith('/')) open.push(element)
    }
  }
  const [only, ...others] = root.children
  if (open.length !== 1 || !only || others.length > 0) throw new Error('not one root element')
  return only
}

function plistValue({ name, children, text }: Element): unknown {
  if (name === 'string') return text
  if (name === 'integer') return Number(text)
  if (name === 'true' || name === 'false') return name === 'true'
  if (name === 'array') return children.map(plistValue)
  if (name !== 'dict') throw new Error(`unexpected <${name}>`)
  const pairs = Array.from({ length: children.length / 2 }, (_, at) => {
    const [key, value] = children.slice(at * 2, at * 2 + 2)
    if (key?.name !== 'key' || !value) throw new Error('not a key and a value')
    return [key.text, plistValue(value)]
  })
  return Object.fromEntries(pairs)
}

function parsePlist(text: string): unknown {
  const [value] = parseXml(text).children
  if (!value) throw new Error('an empty property list')
  return plistValue(value)
}

/** Payload of a configuration profile, with the members that must be unique. */
interface Payload {
  readonly PayloadUUID: string
  readonly PayloadIdentifier: string
}
const parseProfile = (id: string) =>
  parsePlist(file(id).content) as Payload & { readonly PayloadContent: readonly Payload[] }

test('there is a file for each platform, with a name of its own', () => {
  expect(files.map(({ id }) => id)).toEqual([
    'windows-chrome',
    'windows-edge',
    'intune-chrome',
    'intune-edge',
    'mac-chrome',
    'mac-edge',
    'linux',
    'google-admin',
    'firefox',
    'mac-firefox',
  ])
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
})

test.each([
  ['windows-chrome', 'Google\\Chrome'],
  ['windows-edge', 'Microsoft\\Edge'],
])('%s sets the settings of the agent and installs it', (id, key) => {
  const root = `HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\${key}`
  const keys = parseRegistry(file(id).content)
  expect(keys).toEqual({
    [`${root}\\3rdparty\\extensions\\${chromiumId}\\policy`]: settings,
    [`${root}\\ExtensionSettings\\${chromiumId}`]: forced,
  })
  expect(Object.values(keys).filter(isAgentSettings)).toContainEqual(settings)
})

test.each([
  ['intune-chrome', 'MusterChrome', 'Google\\Chrome'],
  ['intune-edge', 'MusterEdge', 'Microsoft\\Edge'],
])('%s ingests a template and sets each of its policies', (id, area, key) => {
  const { omaSettings, ...profile } = json(id)
  expect(profile['@odata.type']).toBe('#microsoft.graph.windows10CustomConfiguration')
  const [template, ...values] = omaSettings
  expect(template.omaUri).toBe(
    `./Device/Vendor/MSFT/Policy/ConfigOperations/ADMXInstall/${area}/Policy/${area}Admx`,
  )
  const admx = parseXml(template.value)
  expect(admx.name).toBe('policyDefinitions')
  const policies = admx.children.find(({ name }) => name === 'policies')?.children ?? []
  expect(policies.map(({ attributes }) => [attributes.name, attributes.key])).toEqual(
    Object.keys(settings).map((member) => [
      member,
      `Software\\Policies\\${key}\\3rdparty\\extensions\\${chromiumId}\\policy`,
    ]),
  )
  const set = values.map(({ omaUri, value }: { omaUri: string; value: string }) => {
    const [enabled, data] = parseXml(`<x>${value}</x>`).children
    expect(enabled?.name).toBe('enabled')
    expect(omaUri).toBe(`./Device/Vendor/MSFT/Policy/Config/${area}~Policy~${area}/${data?.attributes.id}`)
    return [data?.attributes.id, data?.attributes.value]
  })
  expect(Object.fromEntries(set)).toEqual(settings)
})

describe('configuration profiles', () => {
  test.each([
    ['mac-chrome', 'com.google.Chrome'],
    ['mac-edge', 'com.microsoft.Edge'],
  ])('%s has a payload for the agent and one for its installation', (id, domain) => {
    const profile = parseProfile(id)
    expect(profile).toMatchObject({ PayloadType: 'Configuration', PayloadScope: 'System', PayloadVersion: 1 })
    expect(profile.PayloadContent).toMatchObject([
      { PayloadType: `${domain}.extensions.${chromiumId}`, ...settings },
      { PayloadType: domain, ExtensionSettings: { [chromiumId]: forced } },
    ])
    const payloads = [profile, ...profile.PayloadContent]
    expect(new Set(payloads.map(({ PayloadUUID }) => PayloadUUID)).size).toBe(3)
    expect(new Set(payloads.map(({ PayloadIdentifier }) => PayloadIdentifier)).size).toBe(3)
  })

  test('Firefox has the same policies in its profile and in its file', () => {
    const [payload] = parseProfile('mac-firefox').PayloadContent
    const { policies } = json('firefox')
    expect(payload).toMatchObject({
      PayloadType: 'org.mozilla.firefox',
      EnterprisePoliciesEnabled: true,
      ...policies,
    })
    expect(policies).toEqual({
      ExtensionSettings: {
        [firefoxId]: { installation_mode: 'force_installed', install_url: policy.firefoxInstallUrl },
      },
      '3rdparty': { Extensions: { [firefoxId]: settings } },
    })
  })
})

test('JSON for Linux and for the Google Admin console', () => {
  expect(json('linux')).toEqual({
    ExtensionSettings: { [chromiumId]: forced },
    '3rdparty': { extensions: { [chromiumId]: settings } },
  })
  expect(json('google-admin')).toEqual({
    serverUrl: { Value: settings.serverUrl },
    enrolmentToken: { Value: settings.enrolmentToken },
  })
  expect(isAgentSettings(json('linux')['3rdparty'].extensions[chromiumId])).toBe(true)
})

test('without an update URL, no file installs the agent', () => {
  const { chromiumUpdateUrl: _, firefoxInstallUrl: __, ...rest } = policy
  const all = policyFiles(rest).map(({ content }) => content)
  expect(all.filter((content) => content.includes('force_installed'))).toEqual([])
  expect(all.filter((content) => content.includes(settings.enrolmentToken))).toHaveLength(files.length)
})

test('special characters are escaped', () => {
  const odd = 'a"b\\c<d>&e'
  expect(parsePlist(plistOf({ [odd]: [odd, 1, true] }))).toEqual({ [odd]: [odd, 1, true] })
  expect(parseRegistry(registryFile([{ key: 'HKLM\\x', values: { [odd]: odd } }]))).toEqual({
    'HKLM\\x': { [odd]: odd },
  })
})

test('a registry file has no lines that a value brings along', () => {
  const value = 'x"\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Other]\r\n"y"="z'
  expect(() => registryFile([{ key: 'HKLM\\x', values: { name: value } }])).toThrow('line break')
  expect(() => registryFile([{ key: `HKLM\\x]\n[HKLM\\y`, values: {} }])).toThrow('line break')
})

describe('mistakes in what is typed', () => {
  test('none in the files above, nor in what is left out', () => {
    expect(policyMistakes(policy)).toEqual({})
    expect(policyMistakes(settings)).toEqual({})
  })

  test.each([
    ['enrolmentToken', { enrolmentToken: 'met_ab"c' }],
    ['enrolmentToken', { enrolmentToken: 'muster_a1B2' }],
    ['chromiumId', { chromiumId: 'agent@example.com' }],
    ['chromiumId', { chromiumId: `${chromiumId}\\policy]` }],
    ['installUrl', { installUrl: 'clients2.google.com/service/update2/crx' }],
    ['installUrl', { installUrl: 'javascript:alert(1)' }],
  ])('%s of %j', (member, typed) => {
    expect(Object.keys(policyMistakes(typed))).toEqual([member])
  })
})
