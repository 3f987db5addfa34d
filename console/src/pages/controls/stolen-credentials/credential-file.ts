import { canonicalText, isEmailAddress, textFormats } from '@muster/contract/text/text-format'

/** A stolen credential from a file. */
export interface FileCredential {
  readonly email: string
  /** Plain password. It never leaves the page; `passwordSha1` (hexadecimal) is sent instead. */
  readonly password?: string
  readonly passwordSha1?: string
}

/** Parsed file: valid credentials and invalid entries. */
export interface CredentialFile {
  readonly credentials: readonly FileCredential[]
  readonly wrong: readonly { readonly place: string; readonly message: string }[]
}

const sha1Shape = /^[0-9a-f]{40}$/i
const emailNames = ['email', 'e-mail', 'mail', 'address', 'login', 'username', 'user']
const passwordNames = ['password', 'passwd', 'pass', 'pwd']
const hashNames = ['passwordsha1', 'password_sha1', 'sha1', 'hash']

/** Parses a file of stolen credentials: CSV (also with `;`, tab or `:`), JSON, or JSON Lines. */
export function readCredentialFile(text: string): CredentialFile {
  const plain = text.replace(/^\uFEFF/, '').trim()
  if (plain === '') return { credentials: [], wrong: [{ place: 'File', message: 'The file is empty.' }] }
  return plain.startsWith('[') || plain.startsWith('{') ? fromJson(plain) : fromCsv(plain)
}

type Found = FileCredential | string

/** Returns a credential, or an error message. */
function credentialOf(email: unknown, password: unknown, passwordSha1: unknown): Found {
  const address = canonicalText(textFormats.lookup, typeof email === 'string' ? email : '')
  if (!isEmailAddress(address)) return 'The e-mail address is missing or invalid.'
  if (typeof passwordSha1 === 'string' && passwordSha1 !== '')
    return sha1Shape.test(passwordSha1.trim())
      ? { email: address, passwordSha1: passwordSha1.trim() }
      : 'A SHA-1 must have 40 hexadecimal digits.'
  if (typeof password !== 'string' || password === '') return 'The password or its SHA-1 is missing.'
  return { email: address, password }
}

function parted(found: readonly { place: string; found: Found }[]): CredentialFile {
  return {
    credentials: found.flatMap((one) => (typeof one.found === 'string' ? [] : [one.found])),
    wrong: found.flatMap(({ place, found: message }) =>
      typeof message === 'string' ? [{ place, message }] : [],
    ),
  }
}

function fromJson(text: string): CredentialFile {
  const whole = parsed(text)
  if (whole !== undefined) {
    const list = Array.isArray(whole) ? whole : listIn(whole)
    return parted(list.map((value, at) => ({ place: `Element ${at + 1}`, found: ofObject(value) })))
  }
  const lines = text.split(/\r\n|\r|\n/).map((line, at) => ({ place: `Line ${at + 1}`, line: line.trim() }))
  return parted(
    lines
      .filter(({ line }) => line !== '')
      .map(({ place, line }) => {
        const value = parsed(line)
        return { place, found: value === undefined ? 'The line is not valid JSON.' : ofObject(value) }
      }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the list in `{ "credentials": [ … ] }`, the API format. Any other object is a single credential. */
function listIn(value: unknown): unknown[] {
  const { credentials } = value as { credentials?: unknown }
  return Array.isArray(credentials) ? credentials : [value]
}

function ofObject(value: unknown): Found {
  if (typeof value !== 'object' || value === null) return 'The element is not an object.'
  const members = new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one as unknown]))
  const first = (names: readonly string[]) =>
    names.map((name) => members.get(name)).find((one) => one !== undefined)
  return credentialOf(first(emailNames), first(passwordNames), first(hashNames))
}

function fromCsv(text: string): CredentialFile {
  const separator = separatorOf(text)
  const rows = csvRows(text, separator)
  const head = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const at = (names: readonly string[]) => head.findIndex((cell) => names.includes(cell))
  const named = at(emailNames) >= 0
  const places = named
    ? { email: at(emailNames), password: at(passwordNames), sha1: at(hashNames) }
    : { email: 0, password: 1, sha1: -1 }
  return parted(
    rows.slice(named ? 1 : 0).map(({ line, cells }) => {
      // Without a header, anything that looks like a SHA-1 is one. Passwords may contain colons.
      const password = separator === ':' ? cells.slice(1).join(':') : cells[places.password]
      const hashed = !named && password !== undefined && sha1Shape.test(password.trim())
      const found = credentialOf(
        cells[places.email],
        hashed ? undefined : password,
        hashed ? password : cells[places.sha1],
      )
      return { place: `Line ${line}`, found }
    }),
  )
}

/** Detects the separator: the first one after the first cell. */
function separatorOf(text: string): string {
  const [line = ''] = text.split(/\r\n|\r|\n/, 1)
  return /[,;\t:]/.exec(line.replace(/^"[^"]*"/, ''))?.[0] ?? ','
}

/** Returns a pattern for a cell and its separator. Quoted cells escape quotation marks by doubling them. */
const cellShape = (separator: string): RegExp =>
  new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))[^${separator}\\r\\n]*(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  )

/** Parses CSV (RFC 4180) into rows with their first line. Empty rows are omitted. */
function csvRows(text: string, separator: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  const shape = cellShape(separator)
  let line = 1
  let row = { line, cells: [] as string[] }
  for (let found = shape.exec(text); found; found = shape.exec(text)) {
    const [whole, quoted, plain = '', end] = found
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    line += whole.split(/\r\n|\r|\n/).length - 1
    if (end === separator) continue
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
    if (end === '') break
    row = { line, cells: [] }
  }
  return rows
}
