import { expect, test } from 'vitest'
import { permissionRisk, riskOf } from './permission-risk.ts'

test.each(['<all_urls>', 'https://*/*', '*://*/*', 'http://*/'])('%s is access to every page', (pattern) => {
  expect(permissionRisk(pattern)).toEqual({ risk: 'HIGH', text: 'Read and change every page' })
})

test('access to one site names the site, and is a low risk', () => {
  expect(permissionRisk('https://*.example.com/*')).toEqual({
    risk: 'LOW',
    text: 'Read and change pages of *.example.com',
  })
})

test('the risk of an extension is that of the worst it may do', () => {
  expect(riskOf({ permissions: ['storage', 'tabs'], hostPermissions: [] })).toBe('MEDIUM')
  expect(riskOf({ permissions: ['storage', 'tabs'], hostPermissions: ['<all_urls>'] })).toBe('HIGH')
  expect(riskOf({ permissions: [], hostPermissions: [] })).toBe('LOW')
})

test('a permission that nobody has described is shown as it is', () => {
  expect(permissionRisk('constructor-like')).toEqual({ risk: 'LOW', text: 'constructor-like' })
})
