import { hintOf } from './fingerprint.ts'

/** Where a password was used. */
export interface PasswordUse {
  /** The catalog's token of the app; for others their registrable domain. */
  readonly app: string
  /** The e-mail address or user name. */
  readonly account: string
  /** The registrable domain of the page. */
  readonly site: string
}

/** What is kept of one password, under its fingerprint (domain contract, section 3). */
export interface PasswordEntry {
  /** The random UUID that stands for it in reports. */
  readonly passwordId: string
  /**
   * How many UTF-16 units it has, by which it is found in what is typed elsewhere. Kept only if it was used
   * on an app whose passwords are protected; else null.
   */
  readonly length: number | null
  /** Unix seconds. */
  readonly lastUsedSeconds: number
  /** The newest last. */
  readonly uses: readonly PasswordUse[]
}

/** All that is kept of passwords, in the extension's own storage and nowhere else. */
export interface PasswordBook {
  /** UUIDv4 of this installation; empty before it was made. */
  readonly salt: string
  readonly entries: Readonly<Record<string, PasswordEntry>>
}

export const emptyBook: PasswordBook = { salt: '', entries: {} }

const entriesMaximum = 2_000
const usesMaximum = 100

const sameUse = (a: PasswordUse, b: PasswordUse) =>
  a.app === b.app && a.account === b.account && a.site === b.site

/** The book with its salt, which is made once. */
export const withSalt = (book: PasswordBook, newUuid: () => string): PasswordBook =>
  book.salt === '' ? { ...book, salt: newUuid() } : book

/** A password that was used in a login that succeeded. */
export interface UsedPassword extends PasswordUse {
  readonly fingerprint: string
  readonly length: number
  /** Whether the app's passwords are protected. */
  readonly isProtected: boolean
  readonly seconds: number
}

/** Enters a use. Where the book is full, the password that was unused the longest goes. */
export function withUse(book: PasswordBook, used: UsedPassword, newUuid: () => string): PasswordBook {
  const use = { app: used.app, account: used.account, site: used.site }
  const known = book.entries[used.fingerprint]
  const entry: PasswordEntry = {
    passwordId: known?.passwordId ?? newUuid(),
    length: used.isProtected ? used.length : (known?.length ?? null),
    lastUsedSeconds: Math.max(used.seconds, known?.lastUsedSeconds ?? 0),
    uses: [...(known?.uses ?? []).filter((other) => !sameUse(other, use)), use].slice(-usesMaximum),
  }
  const entries = { ...book.entries, [used.fingerprint]: entry }
  return { ...book, entries: Object.keys(entries).length > entriesMaximum ? withoutOldest(entries) : entries }
}

function withoutOldest(entries: PasswordBook['entries']): PasswordBook['entries'] {
  const oldest = Object.entries(entries).reduce((a, b) =>
    b[1].lastUsedSeconds < a[1].lastUsedSeconds ? b : a,
  )
  return Object.fromEntries(Object.entries(entries).filter(([fingerprint]) => fingerprint !== oldest[0]))
}

/**
 * Returns true if this browser saw the password on more than one app.
 *
 * @param placeOf names the place of an app; apps that share their accounts have the same
 */
export const isReused = (entry: PasswordEntry, placeOf: (app: string) => string): boolean =>
  new Set(entry.uses.map(({ app }) => placeOf(app))).size > 1

/** What a page's content script is told of a protected password: enough to ask about few texts only. */
export interface ProtectedHint {
  readonly length: number
  /** {@link hintOf} of the fingerprint. */
  readonly hint: string
}

/** The page a text was typed on. */
export interface TypedOn {
  /** The catalog's token; null outside it. */
  readonly appType: string | null
  readonly site: string
  /** Returns true if the page takes the accounts of an app, by the name of `PasswordUse`. */
  takesAccountsOf(app: string): boolean
}

/** The protected uses of an entry, unless the page belongs to one of them. */
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

/** The hints of the passwords that must not be typed on a page. */
export function protectedHints(
  book: PasswordBook,
  page: TypedOn,
  protectedApps: readonly string[],
): ProtectedHint[] {
  return Object.entries(book.entries).flatMap(([fingerprint, entry]) =>
    entry.length !== null && protectedElsewhere(entry, page, protectedApps).length > 0
      ? [{ length: entry.length, hint: hintOf(fingerprint) }]
      : [],
  )
}

/**
 * The app whose protected password has the fingerprint.
 *
 * @returns its token; null if there is none, or the page is one where the password belongs
 */
export function protectedAppOf(
  book: PasswordBook,
  fingerprint: string,
  page: TypedOn,
  protectedApps: readonly string[],
): string | null {
  const entry = book.entries[fingerprint]
  return entry ? (protectedElsewhere(entry, page, protectedApps).at(-1)?.app ?? null) : null
}
