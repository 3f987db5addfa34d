import { expect, test } from 'vitest'
import {
  everySitePatterns,
  isHostPattern,
  permissionRisk,
  reachesEveryPage,
  riskOf,
} from './permission-risk.ts'

test.each([
  ['<all_urls>', 'HIGH', 'Read and change every page'],
  ['https://*/*', 'HIGH', 'Read and change every page'],
  ['*://*/*', 'HIGH', 'Read and change every page'],
  ['http://*/', 'HIGH', 'Read and change every page'],
  ['*://*.com/*', 'HIGH', 'Read and change every page whose address ends in .com'],
  ['file:///*', 'HIGH', 'Read files on the computer'],
  ['https://*.example.com/*', 'LOW', 'Read and change pages of *.example.com'],
  ['cookies', 'HIGH', 'Read and change cookies: take over signed-in sessions'],
  ['nativeMessaging', 'HIGH', 'Communicate with programs on the computer'],
  ['tabs', 'MEDIUM', 'See addresses and titles of all tabs'],
  ['browsingData', 'MEDIUM', 'Delete history, cookies and passwords'],
  ['storage', 'LOW', 'Store its own data'],
  ['nobody-knows', 'LOW', 'nobody-knows'],
  ['constructor', 'LOW', 'constructor'],
] as const)('%s is %s: %s', (permission, risk, text) => {
  expect(permissionRisk(permission)).toEqual({ risk, text })
})

test('an extension has the risk of its most dangerous permission', () => {
  expect(riskOf({ permissions: ['storage', 'tabs'], hostPermissions: [] })).toBe('MEDIUM')
  expect(riskOf({ permissions: ['storage', 'tabs'], hostPermissions: ['<all_urls>'] })).toBe('HIGH')
  expect(riskOf({ permissions: [], hostPermissions: [] })).toBe('LOW')
})

test('distinguishes host patterns from permissions', () => {
  const hosts = ['<all_urls>', '*://mail.example.com/*', 'file:///*', 'chrome://favicon/', 'tabs']
  expect(hosts.filter(isHostPattern)).toEqual(['<all_urls>', '*://mail.example.com/*', 'file:///*'])
})

test('the usual patterns for every site reach every page', () => {
  expect(everySitePatterns.filter((pattern) => !reachesEveryPage(pattern))).toEqual([])
})
