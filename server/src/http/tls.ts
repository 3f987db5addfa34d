import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../lib/clock.ts'
import { ConfigError } from '../lib/config-error.ts'
import { type CertificatePair, makeSelfSigned } from './self-signed.ts'

/** What the server shows to prove who it is. */
export interface ServerCertificate extends CertificatePair {
  /** SHA-256 of the certificate, pairs of hexadecimal digits with colons between, as browsers show it. */
  readonly fingerprint256: string
  /** Made by ourselves, so that clients have to be told to trust it. */
  readonly selfSigned: boolean
  readonly expires: Date
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

const renewBeforeMs = 30 * 86_400_000

/**
 * The certificate to serve with: the operator's own, or else a self-signed one that is kept in `tls/` of the data folder,
 * for localhost, this machine's name and the host of the public URL, and made anew when fewer than 30 days are left.
 *
 * @throws ConfigError if the own certificate or key is missing, unreadable, expired, or they do not belong together
 */
export async function loadOrCreateCertificate(options: CertificateOptions): Promise<ServerCertificate> {
  const nowMs = (options.clock ?? systemClock).nowMs()
  const { certPath, keyPath } = options
  if (certPath !== undefined && keyPath !== undefined) return loadOwn(certPath, keyPath, nowMs)
  const folder = join(options.dataDir, 'tls')
  const known = readSelfSigned(folder)
  if (known !== undefined && isGood(known, options.publicUrl, nowMs)) return known
  const made = await makeSelfSigned(namesFor(options), nowMs)
  return keepSelfSigned(folder, made, known)
}

function loadOwn(certPath: string, keyPath: string, nowMs: number): ServerCertificate {
  const mistakes: string[] = []
  const cert = readPem(certPath, 'MUSTER_TLS_CERT', mistakes)
  const key = readPem(keyPath, 'MUSTER_TLS_KEY', mistakes)
  const x509 = parsed(
    () => new X509Certificate(cert),
    `${certPath} must be a certificate in PEM`,
    cert,
    mistakes,
  )
  const privateKey = parsed(
    () => createPrivateKey(key),
    `${keyPath} must be an unencrypted private key in PEM`,
    key,
    mistakes,
  )
  if (x509 === undefined || privateKey === undefined) throw new ConfigError(mistakes)
  if (!x509.checkPrivateKey(privateKey))
    mistakes.push(`The key in ${keyPath} does not belong to the certificate in ${certPath}.`)
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

function readPem(path: string, setting: string, mistakes: string[]): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = missing ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    mistakes.push(`${setting} names ${path}, which cannot be read: ${why}.`)
    return ''
  }
}

function parsed<T>(parse: () => T, wrong: string, text: string, mistakes: string[]): T | undefined {
  try {
    return parse()
  } catch {
    if (text !== '') mistakes.push(`${wrong}.`)
    return undefined
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

function isGood(certificate: ServerCertificate, publicUrl: string, nowMs: number): boolean {
  const x509 = new X509Certificate(certificate.cert)
  const host = hostOf(publicUrl)
  const named = isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)
  return named !== undefined && certificate.expires.getTime() - nowMs >= renewBeforeMs
}

function keepSelfSigned(
  folder: string,
  made: CertificatePair,
  replaced: ServerCertificate | undefined,
): ServerCertificate {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${randomUUID()}.tmp`)
  writeFileSync(draft, made.key + made.cert, { mode: 0o600 })
  try {
    if (replaced === undefined) linkSync(draft, pairFile(folder))
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

function namesFor({ publicUrl, host }: CertificateOptions): string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname().toLowerCase(),
    hostOf(publicUrl),
    host.toLowerCase(),
  ]
  const usable = names.filter(
    (name) => !['0.0.0.0', '::'].includes(name) && (isIP(name) !== 0 || isHostName(name)),
  )
  return [...new Set(usable)]
}

function isHostName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
}
