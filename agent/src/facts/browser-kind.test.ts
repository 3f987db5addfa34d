import { describe, expect, test } from 'vitest'
import { browserKind, operatingSystem } from './browser-kind.ts'

const chromium = { brand: 'Chromium', version: '142.0.7444.60' }
const grease = { brand: 'Not)A;Brand', version: '99.0.0.0' }
const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the kind of a browser', () => {
  test.each([
    ['Google Chrome', '142.0.7444.61', 'CHROME'],
    ['Microsoft Edge', '142.0.3595.53', 'EDGE'],
    ['Opera', '124.0.5705.15', 'OPERA'],
    ['Opera GX', '124.0.5705.20', 'OPERA'],
    ['Brave', '142.1.84.132', 'BRAVE'],
  ])('is detected by its own brand: %s', (brand, version, browser) => {
    const found = browserKind(
      [grease, chromium, { brand, version }],
      `${linux} Chrome/142.0.0.0 Safari/537.36`,
    )
    expect(found).toEqual({ browser, version })
  })

  test('is Chrome for plain Chromium', () => {
    expect(browserKind([chromium, grease], '')).toEqual({ browser: 'CHROME', version: '142.0.7444.60' })
  })

  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'FIREFOX', '145.0'],
    [`${linux} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.3595.53`, 'EDGE', '142.0.3595.53'],
    [`${linux} Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'OPERA', '124.0.0.0'],
    [`${linux} Chrome/142.0.0.0 Safari/537.36`, 'CHROME', '142.0.0.0'],
    [
      'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
      'SAFARI',
      '26.1',
    ],
    ['curl/8.0', 'OTHER', ''],
  ])('is detected by its user agent without brands: %s', (agent, browser, version) => {
    expect(browserKind([], agent)).toEqual({ browser, version })
  })
})

test.each([
  ['win', 'WINDOWS'],
  ['mac', 'MACOS'],
  ['linux', 'LINUX'],
  ['cros', 'CHROMEOS'],
  ['android', 'OTHER'],
  ['fuchsia', 'OTHER'],
])('the platform %s is %s', (platform, os) => {
  expect(operatingSystem(platform)).toBe(os)
})
