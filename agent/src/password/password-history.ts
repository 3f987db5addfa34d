import { hintOf } from './fingerprint.ts'

/** Place where a password was used. */
interface PasswordUse {
  /** Catalog token of the app; the registrable domain for other apps. */
  readonly app: string
  /** E-mail address or user name. */
  readonly account: string
  /** Registrable domain of the page. */
  readonly site: string
}

/** Record of one password, stored under its fingerprint (domain contract, section 3). */
export interface PasswordEntry {
  /** Random UUID of the password in reports. */
  readonly passwordId: string
  /**
   * Length in UTF-16 code units, used to recognize the password in text typed elsewhere. Null unless it was used on an
   * app whose passwords are protected.
   */
  readonly length: number | null
  /** Unix seconds. */
  readonly lastUsedSeconds: number
  /** Oldest first. */
  readonly uses: readonly PasswordUse[]
}

/** All data kept about passwords. Stored only in the extension's own storage. */
export interface PasswordHistory {
  /** UUIDv4 of this installation; empty until created. */
  readonly salt: string
  readonly entries: Readonly<Record<string, PasswordEntry>>
}

export const emptyHistory: PasswordHistory = { salt: '', entries: {} }

const entriesMaximum = 2_000
const usesMaximum = 100

const sameUse = (a: PasswordUse, b: PasswordUse) =>
  a.app === b.app && a.account === b.account && a.site === b.site

/** Returns the history with its salt, creating the salt once. */
export const withSalt = (history: PasswordHistory, newUuid: () => string): PasswordHistory =>
  history.salt === '' ? { ...history, salt: newUuid() } : history

/** Password that was used in a successful login. */
export interface UsedPassword extends PasswordUse {
  readonly fingerprint: string
  readonly length: number
  /** True if passwords of the app are protected. */
  readonly isProtected: boolean
  readonly seconds: number
}

/** Adds a use. If the history is full, the least recently used password is removed. */
export function withUse(
  history: PasswordHistory,
  used: UsedPassword,
  newUuid: () => string,
): PasswordHistory {
  const use = { app: used.app, account: used.account, site: used.site }
  const known = history.entries[used.fingerprint]
  const entry: PasswordEntry = {
    passwordId: known?.passwordId ?? newUuid(),
    length: used.isProtected ? used.length : (known?.length ?? null),
    lastUsedSeconds: Math.max(used.seconds, known?.lastUsedSeconds ?? 0),
    uses: [...(known?.uses ?? []).filter((other) => !sameUse(other, use)), use].slice(-usesMaximum),
  }
  const entries = { ...history.entries, [used.fingerprint]: entry }
  return {
    ...history,
    entries: Object.keys(entries).length > entriesMaximum ? withoutOldest(entries) : entries,
  }
}

function withoutOldest(entries: PasswordHistory['entries']): PasswordHistory['entries'] {
  const oldest = Object.entries(entries).reduce((a, b) =>
    b[1].lastUsedSeconds < a[1].lastUsedSeconds ? b : a,
  )
  return Object.fromEntries(Object.entries(entries).filter(([fingerprint]) => fingerprint !== oldest[0]))
}

/**
 * Returns true if this browser saw the password on more than one app.
 *
 * @param placeOf returns the account system of an app; apps that share accounts have the same one
 */
export const isReused = (entry: PasswordEntry, placeOf: (app: string) => string): boolean =>
  new Set(entry.uses.map(({ app }) => placeOf(app))).size > 1

/** Data about a protected password for a content script: just enough to ask about few texts. */
export interface ProtectedHint {
  readonly length: number
  /** First byte of the fingerprint ({@link hintOf}). */
  readonly hint: string
}

/** Page on which a text was typed. */
export interface TypedOn {
  /** Catalog token; null outside the catalog. */
  readonly appType: string | null
  readonly site: string
  /** Returns true if the page accepts accounts of an app, given as in `PasswordUse`. */
  takesAccountsOf(app: string): boolean
}

/** Returns the protected uses of an entry; none if the page belongs to one of them. */
function protectedElsewhere(
  entry: PasswordEntry,
  page: TypedOn,
  protectedApps: readonly string[],
): PasswordUse[] {
  const uses = entry.uses.filter(({ app }) => protectedApps.includes(app))
  const belongs = ({ app, site }: PasswordUse) =>
    app === page.appType || site === page.site || page.takesAccountsOf(app)
  return uses.some(belongs) ? [] : uses
}

/** Returns the hints of passwords that must not be typed on a page. */
export function protectedHints(
  history: PasswordHistory,
  page: TypedOn,
  protectedApps: readonly string[],
): ProtectedHint[] {
  return Object.entries(history.entries).flatMap(([fingerprint, entry]) =>
    entry.length !== null && protectedElsewhere(entry, page, protectedApps).length > 0
      ? [{ length: entry.length, hint: hintOf(fingerprint) }]
      : [],
  )
}

/**
 * Returns the app whose protected password has the fingerprint.
 *
 * @returns its token; null if there is none or the password belongs on the page
 */
export function protectedAppOf(
  history: PasswordHistory,
  fingerprint: string,
  page: TypedOn,
  protectedApps: readonly string[],
): string | null {
  const entry = history.entries[fingerprint]
  return entry ? (protectedElsewhere(entry, page, protectedApps).at(-1)?.app ?? null) : null
}
