import { id, nullable, oneOf, text, url } from '../api/fields.ts'
import { browserKinds, operatingSystems } from '../records/browser.ts'

/** Fields that several events have. */

/** Browser and address of an event. */
export const browserFields = {
  sourceIpAddress: text('The IP address of the browser.', '203.0.113.7', 64),
  browser: oneOf(browserKinds, 'The kind of browser.', 'CHROME'),
  os: oneOf(operatingSystems, 'The operating system that the browser runs on.', 'MACOS'),
  userAgent: text(
    'User agent of the browser; empty if unknown.',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
    8192,
  ),
}

export const optionalAppType = nullable(text('App type in the catalog; null if none.', 'ZAPIER', 64, 1))
export const optionalUrl = nullable(url('URL of the page; null if none.', 'https://login.example.net/'))
export const optionalReferrerUrl = nullable(
  url('Referrer URL; null if unknown.', 'https://mail.example.com/'),
)
export const accountId = id('The account.')
export const employeeId = id('The employee.')
