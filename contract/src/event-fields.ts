import { browserKinds, operatingSystems } from './browser.ts'
import { id, nullable, oneOf, text, url } from './fields.ts'

/** Fields that several events have. */

/** Where in the world of browsers something happened. */
export const browserFields = {
  sourceIpAddress: text('The IP address of the browser.', '203.0.113.7', 64),
  browser: oneOf(browserKinds, 'The kind of browser.', 'CHROME'),
  os: oneOf(operatingSystems, 'The operating system that the browser runs on.', 'MACOS'),
  userAgent: text(
    'What the browser says that it is; empty if it says nothing.',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
    8192,
  ),
}

export const optionalAppType = nullable(
  text('The app as the catalog names it; null if none.', 'ZAPIER', 64, 1),
)
export const optionalUrl = nullable(
  url('The address that it happened at; null if none.', 'https://login.example.net/'),
)
export const optionalReferrerUrl = nullable(
  url('The address that led there; null if unknown.', 'https://mail.example.com/'),
)
export const accountId = id('The account.')
export const employeeId = id('The employee.')
