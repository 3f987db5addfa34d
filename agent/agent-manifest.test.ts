import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentIds } from '@muster/contract/rollout/agent-ids'
import { describe, expect, test } from 'vitest'
import { agentManifest, frameScripts } from './agent-manifest.ts'

const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'guide', 'agent-permissions.md'), 'utf8')
const [permissionsPart = '', scriptsPart = ''] = guide.split(/^## Scripts in pages$/m)
const explained = [...permissionsPart.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name).sort()
const entrypoints = join(import.meta.dirname, 'src', 'entrypoints')

describe('the manifest', () => {
  test('requests exactly the permissions documented in the guide', () => {
    const { permissions, host_permissions } = agentManifest('chromium')
    expect([...permissions, ...host_permissions].sort()).toEqual(explained)
  })

  test('injects exactly the scripts documented in the guide, each in its documented world', () => {
    const rows = scriptsPart.matchAll(/^\| `([\w-]+)` \| (MAIN|isolated) \|/gm)
    const inMain = frameScripts.filter((script) => 'world' in script).flatMap(({ js }) => js)
    const found = readdirSync(entrypoints).flatMap((file) => {
      const [, name] = /^([\w-]+)(?:\.content)?\.ts$/.exec(file) ?? []
      if (name === undefined || name === 'background') return []
      return [`${name} ${inMain.some((script) => script === `${name}.js`) ? 'MAIN' : 'isolated'}`]
    })
    expect(Array.from(rows, ([, name, world]) => `${name} ${world}`).sort()).toEqual(found.sort())
  })

  test('requests no permissions in Firefox beyond those in Chromium', () => {
    const chromium = agentManifest('chromium').permissions
    expect(agentManifest('firefox').permissions.filter((name) => !chromium.includes(name))).toEqual([])
  })

  test('restricts the agent’s pages to their own resources and scripts', () => {
    const policy = agentManifest('chromium').content_security_policy.extension_pages
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*(?!;|$| |:)|data:/)
  })

  test('has the IDs that policy files of managed browsers name', () => {
    const { key } = agentManifest('chromium') as { key: string }
    const digits = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32)
    const chromiumId = digits.replaceAll(/./g, (digit) =>
      'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)),
    )
    const firefox = agentManifest('firefox') as { browser_specific_settings: { gecko: { id: string } } }
    expect(agentIds).toEqual({ chromiumId, firefoxId: firefox.browser_specific_settings.gecko.id })
  })
})
