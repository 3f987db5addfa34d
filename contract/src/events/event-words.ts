import { products } from '../catalog/products.ts'
import { notInLine } from '../text/visible-text.ts'

/**
 * Building blocks of event descriptions. Many values come from people or browsers, so every value passes {@link plain} or
 * {@link quoted}.
 */

/** A record or a part of one, read by name. */
export type Facts = Readonly<Record<string, unknown>>

/** Maximum length of one value in a sentence, in UTF-16 units. */
const valueLengthMaximum = 100

/** Characters that cannot stand in a line of text, and halves of surrogate pairs. */
const unsafe = new RegExp(`[${notInLine}\\p{Cs}]+`, 'gu')

/** Most values by far: printable ASCII and short. */
const harmless = /^[!-~](?:[ -~]{0,98}[!-~])?$/

/** Returns a value as one short line of text that cannot change how the text around it is read. */
export function plain(value: unknown): string {
  const given = typeof value === 'string' ? value : String(value ?? '')
  if (harmless.test(given)) return given
  // Truncate first, so long values cost nothing.
  const text = given
    .slice(0, 2 * valueLengthMaximum)
    .replace(unsafe, ' ')
    .trim()
  if (text.length <= valueLengthMaximum && given.length <= 2 * valueLengthMaximum) return text
  return `${text
    .slice(0, valueLengthMaximum - 1)
    .toWellFormed()
    .replace('\ufffd', '')}…`
}

/** Returns a name that people chose, in quotes that it cannot close. */
export const quoted = (value: unknown): string => `"${plain(value).replaceAll('"', "'")}"`

/** Returns a list of at most three values, and how many more there are. */
export function listed(values: readonly unknown[], word: (value: unknown) => string = plain): string {
  const shown = values.slice(0, 3).map(word)
  const more = values.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

/** Returns an upper-case constant in lower case: `EMPLOYEE_WARNED` is `employee warned`. */
export const lower = (constant: unknown): string => plain(constant).toLowerCase().replaceAll('_', ' ')

/** Returns a count with its noun: `1 record`, `1,200 records`. */
export const counted = (count: unknown, noun: string): string =>
  `${Number(count).toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

const appNames = new Map(products.map(({ appType, friendlyName }) => [appType, friendlyName]))

/** Returns the name of an app of the catalog; of one that an organization added itself, its token. */
export const appName = (appType: unknown): string => appNames.get(String(appType)) ?? plain(appType)

/** Returns the host of an address: the rest of it may hold tokens. Undefined for what is no address. */
export function hostOf(url: unknown): string | undefined {
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined
  return host ? plain(host) : undefined
}

const browserNames: Readonly<Record<string, string>> = {
  CHROME: 'Chrome',
  EDGE: 'Edge',
  FIREFOX: 'Firefox',
  SAFARI: 'Safari',
  OPERA: 'Opera',
  BRAVE: 'Brave',
  ARC: 'Arc',
  OTHER: 'another browser',
}
const systemNames: Readonly<Record<string, string>> = {
  WINDOWS: 'Windows',
  MACOS: 'macOS',
  LINUX: 'Linux',
  CHROMEOS: 'ChromeOS',
  OTHER: 'another system',
}

/** Returns the browser and its operating system: `Chrome on macOS`. */
export const browserName = ({ browser, os }: Facts): string =>
  `${browserNames[String(browser)] ?? plain(browser)} on ${systemNames[String(os)] ?? plain(os)}`

/** Returns where something happened in a browser: ` from 192.0.2.1 (Chrome on macOS)`. */
export const fromBrowser = (facts: Facts): string =>
  `${facts.sourceIpAddress ? ` from ${plain(facts.sourceIpAddress)}` : ''} (${browserName(facts)})`

const namedValue = /^[A-Z][A-Z_]{1,40}$/

/** Returns changed members by name, with the new value where that is short by nature: `notes, licensed: true`. */
export const changedText = (changes: readonly Facts[]): string =>
  listed(
    changes.map(({ name, new: value }) => {
      const isShort = typeof value === 'boolean' || value === null || typeof value === 'number'
      const isNamed = typeof value === 'string' && namedValue.test(value)
      return isShort || isNamed ? `${plain(name)}: ${String(value)}` : plain(name)
    }),
  )

/** Returns the members that differ between two records, as {@link changedText} takes them. */
export const membersChanged = (old: Facts, now: Facts): Facts[] =>
  Object.keys(now).flatMap((name) =>
    old[name] === now[name] || JSON.stringify(old[name]) === JSON.stringify(now[name])
      ? []
      : [{ name, new: now[name] }],
  )
