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
 * Protocols and cipher suites of the server: TLS 1.3, and TLS 1.2 suites with forward secrecy and authenticated encryption
 * (AEAD). OpenSSL's defaults include CBC suites.
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

/** Server certificate. */
export interface ServerCertificate extends CertificatePair {
  /** SHA-256 of the certificate in the format of browsers: hexadecimal pairs separated by colons. */
  readonly fingerprint256: string
  /** True if clients must be configured to trust it. */
  readonly selfSigned: boolean
  readonly expires: Date
  /** Reason why it replaced another one, which clients may trust; undefined if it did not. */
  readonly replacedBecause?: string | undefined
}

/** Options of {@link loadOrCreateCertificate}. */
export interface CertificateOptions {
  readonly dataDir: string
  /** The operator's own certificate (chain) and key; both or neither. */
  readonly certPath?: string | undefined
  readonly keyPath?: string | undefined
  readonly publicUrl: string
  /** Address that the server listens on. */
  readonly host: string
  readonly clock?: Clock
}

/** Returns the SHA-256 of a certificate's public key in base64, as `curl --pinnedpubkey` takes it. */
export const publicKeyPin = ({ cert }: Pick<CertificatePair, 'cert'>): string =>
  hash('sha256', new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }), 'base64')

const renewBeforeMs = 30 * 86_400_000

/**
 * Loads the server certificate: the operator's own, or a self-signed one in `tls/` of the data folder. The latter covers
 * localhost, the host name of this machine, the listening host and the host of the public URL. It is replaced if it lacks one
 * of the last two, or has fewer than 30 days left.
 *
 * @throws ConfigError if the operator's certificate or key is missing, unreadable or expired, or they do not match
 */
export async function loadOrCreateCertificate(options: CertificateOptions): Promise<ServerCertificate> {
  const nowMs = (options.clock ?? systemClock).nowMs()
  const { certPath, keyPath } = options
  if (certPath !== undefined && keyPath !== undefined) return loadOwnCertificate(certPath, keyPath, nowMs)
  const folder = join(options.dataDir, 'tls')
  const exists = existsSync(pairFile(folder))
  const known = readSelfSigned(folder)
  const replacedBecause = known
    ? replacementReason(known, options, nowMs)
    : exists
      ? 'was damaged'
      : undefined
  if (known !== undefined && replacedBecause === undefined) return known
  const made = await makeSelfSigned(namesFor(options), nowMs)
  return { ...keepSelfSigned(folder, made, known), replacedBecause }
}

/**
 * Loads and checks the operator's certificate and key.
 *
 * @throws ConfigError with all mistakes
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
    mistakes.push(`The key in ${keyPath} does not match the certificate in ${certPath}.`)
  else mistakes.push(...weaknesses(certPath, { cert, key }))
  const { validFromDate, validToDate } = x509
  if (validToDate.getTime() <= nowMs) {
    mistakes.push(`The certificate in ${certPath} expired on ${validToDate.toISOString()}. Renew it.`)
  }
  if (validFromDate.getTime() > nowMs) {
    mistakes.push(
      `The certificate in ${certPath} is not valid before ${validFromDate.toISOString()}: check the clock of this machine.`,
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
    const reason = missing ? 'file not found' : error instanceof Error ? error.message : String(error)
    mistakes.push(`${setting}: ${path} cannot be read: ${reason}.`)
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

/** Returns OpenSSL's objections to a matching pair, such as weak keys and signatures. */
function weaknesses(certPath: string, pair: CertificatePair): string[] {
  try {
    createSecureContext(pair)
    return []
  } catch (error) {
    const reason = (error as Error).message.split('::').at(-1)
    return [
      `The certificate in ${certPath} cannot be used: ${reason}. ` +
        'Use an RSA key of at least 2,048 bits or an ECDSA key, and a signature with SHA-256 or better.',
    ]
  }
}

function describe(pair: CertificatePair, x509: X509Certificate, selfSigned: boolean): ServerCertificate {
  return { ...pair, fingerprint256: x509.fingerprint256, selfSigned, expires: x509.validToDate }
}

/** Certificate and key are in one file, so processes that start concurrently never mix two pairs. */
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

/** Returns the reason to replace a self-signed certificate, as the end of a sentence. */
function replacementReason(
  certificate: ServerCertificate,
  { publicUrl, host }: CertificateOptions,
  nowMs: number,
): string | undefined {
  const x509 = new X509Certificate(certificate.cert)
  const missing = certificateNames([certificateHost(publicUrl), host]).filter(
    (name) => !isCertificateFor(x509, name),
  )
  if (missing.length > 0) return `was not for ${missing.join(' and ')}`
  return certificate.expires.getTime() - nowMs < renewBeforeMs
    ? `was valid until ${certificate.expires.toISOString().slice(0, 10)}`
    : undefined
}

/** Returns true if the certificate is valid for the host. */
export const isCertificateFor = (x509: X509Certificate, host: string): boolean =>
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
    // Either another process has just created one, or the existing file is damaged.
    if (readSelfSigned(folder) === undefined) renameSync(draft, pairFile(folder))
  } finally {
    rmSync(draft, { force: true })
  }
  const kept = readSelfSigned(folder) ?? describe(made, new X509Certificate(made.cert), true)
  // A copy for clients that should trust it: curl --cacert, trust store of the operating system.
  writeFileSync(join(folder, 'cert.pem'), kept.cert, { mode: 0o644 })
  return kept
}

const namesFor = ({ publicUrl, host }: CertificateOptions): string[] =>
  certificateNames(['localhost', '127.0.0.1', '::1', hostname(), certificateHost(publicUrl), host])

/** Returns the distinct names that a certificate can contain. */
function certificateNames(names: readonly string[]): string[] {
  const found = names
    .map((name) => name.toLowerCase())
    .filter((name) => !isEverywhere(name) && !name.includes('%') && (isIP(name) !== 0 || isHostName(name)))
  return [...new Set(found)]
}

function isHostName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)
}

/** Returns the host of a URL as in a certificate: without the brackets of IPv6. */
export function certificateHost(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
}
