import { createPrivateKey, hash, randomUUID, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { type Clock, systemClock } from '../lib/clock.ts'
import { ConfigError } from '../lib/config-error.ts'
import { isEverywhere } from '../lib/net/origin-at.ts'
import { makeFolder } from '../lib/process/make-folder.ts'
import { renameExclusively } from '../lib/process/rename-exclusively.ts'
import { type CertificatePair, makeSelfSigned } from './self-signed.ts'

/**
 * Protocols and cipher suites of the server: TLS 1.3, and of TLS 1.2 the suites with forward secrecy and authenticated
 * encryption (AEAD). OpenSSL's default list also has CBC suites.
 */
export const tlsProtocol = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

/** What the server shows to prove who it is. */
export interface ServerCertificate extends CertificatePair {
  /** SHA-256 of the certificate, pairs of hexadecimal digits with colons between, as browsers show it. */
  readonly fingerprint256: string
  /** Made by ourselves, so that clients have to be told to trust it. */
  readonly selfSigned: boolean
  readonly expires: Date
  /** Why it was made in place of another, which clients may have been told to trust; undefined if it was not. */
  readonly replacedBecause?: string | undefined
}

/** What {@link loadOrCreateCertificate} needs. */
export interface CertificateOptions {
  readonly dataDir: string
  /** The operator's own certificate (chain) and key; both or neither. */
  readonly certPath?: string | undefined
  readonly keyPath?: string | undefined
  readonly publicUrl: string
  /** The address the server listens on. */
  readonly host: string
  readonly clock?: Clock
}

/** Returns the SHA-256 of a certificate's public key in base64, as `curl --pinnedpubkey` takes it. */
export const publicKeyPin = ({ cert }: Pick<CertificatePair, 'cert'>): string =>
  hash('sha256', new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }), 'base64')

const renewBeforeMs = 30 * 86_400_000

/**
 * The certificate to serve with: the operator's own, or else a self-signed one that is kept in `tls/` of the data folder,
 * for localhost, this machine's name, the host that is listened on and that of the public URL. It is made anew when it is not
 * for one of the latter two, or fewer than 30 days are left.
 *
 * @throws ConfigError if the own certificate or key is missing, unreadable, expired, or they do not belong together
 */
export async function loadOrCreateCertificate(options: CertificateOptions): Promise<ServerCertificate> {
  const nowMs = (options.clock ?? systemClock).nowMs()
  const { certPath, keyPath } = options
  if (certPath !== undefined && keyPath !== undefined) return loadOwnCertificate(certPath, keyPath, nowMs)
  const folder = join(options.dataDir, 'tls')
  const isThere = existsSync(pairFile(folder))
  const known = readSelfSigned(folder)
  const replacedBecause = known ? fault(known, options, nowMs) : isThere ? 'was damaged' : undefined
  if (known !== undefined && replacedBecause === undefined) return known
  const made = await makeSelfSigned(namesFor(options), nowMs)
  return { ...keepSelfSigned(folder, made, known), replacedBecause }
}

/**
 * The operator's own certificate and key, checked as far as that can be done without a client.
 *
 * @throws ConfigError with all that is wrong with them
 */
export function loadOwnCertificate(certPath: string, keyPath: string, nowMs: number): ServerCertificate {
  const mistakes: string[] = []
  const cert = readPem(certPath, 'MUSTER_TLS_CERT', mistakes)
  const key = readPem(keyPath, 'MUSTER_TLS_KEY', mistakes)
  const x509 = parsed(
    cert,
    (text) => new X509Certificate(text),
    `${certPath} must be a certificate in PEM`,
    mistakes,
  )
  const privateKey = parsed(
    key,
    (text) => createPrivateKey(text),
    `${keyPath} must be an unencrypted private key in PEM`,
    mistakes,
  )
  if (!cert || !key || !x509 || !privateKey) throw new ConfigError(mistakes)
  if (!x509.checkPrivateKey(privateKey))
    mistakes.push(`The key in ${keyPath} does not belong to the certificate in ${certPath}.`)
  else mistakes.push(...weaknesses(certPath, { cert, key }))
  const { validFromDate, validToDate } = x509
  if (validToDate.getTime() <= nowMs) {
    mistakes.push(`The certificate in ${certPath} expired on ${validToDate.toISOString()}: renew it.`)
  }
  if (validFromDate.getTime() > nowMs) {
    mistakes.push(
      `The certificate in ${certPath} is only valid from ${validFromDate.toISOString()}: check this machine's clock.`,
    )
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return describe({ cert, key }, x509, x509.subject === x509.issuer)
}

function readPem(path: string, setting: string, mistakes: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = missing ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    mistakes.push(`${setting} names ${path}, which cannot be read: ${why}.`)
    return undefined
  }
}

function parsed<T>(
  text: string | undefined,
  parse: (text: string) => T,
  wrong: string,
  mistakes: string[],
): T | undefined {
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch {
    mistakes.push(`${wrong}${text.trim() === '' ? ', but is empty' : ''}.`)
    return undefined
  }
}

/** What OpenSSL has against serving with a pair that belongs together: keys and signatures that are too weak by now. */
function weaknesses(certPath: string, pair: CertificatePair): string[] {
  try {
    createSecureContext(pair)
    return []
  } catch (error) {
    const reason = (error as Error).message.split('::').at(-1)
    return [
      `The certificate in ${certPath} cannot be served with: ${reason}. ` +
        'It needs an RSA key of at least 2,048 bits, or an ECDSA key, and a signature by SHA-256 or better.',
    ]
  }
}

function describe(pair: CertificatePair, x509: X509Certificate, selfSigned: boolean): ServerCertificate {
  return { ...pair, fingerprint256: x509.fingerprint256, selfSigned, expires: x509.validToDate }
}

/** Certificate and key lie in one file, so that several processes that start at once never mix two pairs. */
function pairFile(folder: string): string {
  return join(folder, 'self-signed.pem')
}

function readSelfSigned(folder: string): ServerCertificate | undefined {
  try {
    const text = readFileSync(pairFile(folder), 'utf8')
    const certStart = text.indexOf('-----BEGIN CERTIFICATE-----')
    const pair = { key: text.slice(0, certStart), cert: text.slice(certStart) }
    const x509 = new X509Certificate(pair.cert)
    return x509.checkPrivateKey(createPrivateKey(pair.key)) ? describe(pair, x509, true) : undefined
  } catch {
    return undefined
  }
}

/** What is wrong with a certificate that was kept, as the end of a sentence about it. */
function fault(
  certificate: ServerCertificate,
  { publicUrl, host }: CertificateOptions,
  nowMs: number,
): string | undefined {
  const x509 = new X509Certificate(certificate.cert)
  const missing = usable([hostOf(publicUrl), host]).filter((name) => !isFor(x509, name))
  if (missing.length > 0) return `was not for ${missing.join(' and ')}`
  return certificate.expires.getTime() - nowMs < renewBeforeMs
    ? `was good until ${certificate.expires.toISOString().slice(0, 10)}`
    : undefined
}

/** Whether a client that connects to the host takes the certificate for it. */
export const isFor = (x509: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)) !== undefined

function keepSelfSigned(
  folder: string,
  made: CertificatePair,
  replaced: ServerCertificate | undefined,
): ServerCertificate {
  makeFolder(folder)
  const draft = join(folder, `${randomUUID()}.tmp`)
  writeFileSync(draft, made.key + made.cert, { mode: 0o600 })
  try {
    if (replaced === undefined) renameExclusively(draft, pairFile(folder))
    else renameSync(draft, pairFile(folder))
  } catch {
    // Either another process has just made one, which is as good, or what lies there is damaged.
    if (readSelfSigned(folder) === undefined) renameSync(draft, pairFile(folder))
  } finally {
    rmSync(draft, { force: true })
  }
  const kept = readSelfSigned(folder) ?? describe(made, new X509Certificate(made.cert), true)
  // A copy for clients that are to trust it: curl --cacert, an operating system's store.
  writeFileSync(join(folder, 'cert.pem'), kept.cert, { mode: 0o644 })
  return kept
}

const namesFor = ({ publicUrl, host }: CertificateOptions): string[] =>
  usable(['localhost', '127.0.0.1', '::1', hostname(), hostOf(publicUrl), host])

/** Those that a certificate can be for, each once. */
function usable(names: readonly string[]): string[] {
  const found = names
    .map((name) => name.toLowerCase())
    .filter((name) => !isEverywhere(name) && !name.includes('%') && (isIP(name) !== 0 || isHostName(name)))
  return [...new Set(found)]
}

function isHostName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)
}

/** Of an address, as it stands in a certificate: without the brackets of IPv6. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
}
