import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.rules.ts'

test.each([
  '/console/',
  '/console/detections?severity=HIGH&sort=-lastActivityTimestamp',
  '/console/keys#new',
])('accepts the console page %s', (path) => expect(safeReturnTo(path)).toBe(path))

test.each([
  undefined,
  '',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/console/\\evil.example',
  '/console/../../evil',
  '/console/..%2f..//evil.example',
  '/console//evil.example',
  '/console/\t/evil.example',
  '/console/api/sign-out',
  'javascript:alert(1)',
  '/console',
  '/consolexyz/',
  '/v1/employees',
  `/console/${'x'.repeat(3000)}`,
])('replaces %j by the home page', (path) => expect(safeReturnTo(path)).toBe('/console/'))
