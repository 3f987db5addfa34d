import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentManifest } from './agent-manifest.ts'

const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'guide', 'agent-permissions.md'), 'utf8')
const explained = [...guide.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name).sort()

describe('the manifest', () => {
  test('asks for just the permissions that the guide explains', () => {
    const { permissions, host_permissions } = agentManifest('chromium')
    expect([...permissions, ...host_permissions].sort()).toEqual(explained)
  })

  test('asks for no more in Firefox than in Chromium', () => {
    const chromium = agentManifest('chromium').permissions
    expect(agentManifest('firefox').permissions.filter((name) => !chromium.includes(name))).toEqual([])
  })

  test('lets the agent’s pages load nothing from elsewhere, and run no code that is not theirs', () => {
    const policy = agentManifest('chromium').content_security_policy.extension_pages
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*(?!;|$| |:)|data:/)
  })
})
