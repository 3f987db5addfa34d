import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

const dayMs = 86_400_000
const warnDays = 30

/** Whether the certificate is valid, belongs to its key, and is for the public address. */
export function checkCertificate(config: Config, nowMs: number): CheckFinding[] {
  if (config.plainHttp)
    return [
      ok('certificate', 'None is needed: plain HTTP is served, on this machine or behind a trusted proxy.'),
    ]
  const own = config.tlsCert !== undefined && config.tlsKey !== undefined
  const pair = join(config.data, 'tls', 'self-signed.pem')
  if (!own && !existsSync(pair))
    return [ok('certificate', 'The first start makes a self-signed certificate.')]
  const certPath = own ? (config.tlsCert ?? '') : pair
  const keyPath = own ? (config.tlsKey ?? '') : pair
  try {
    const certificate = new X509Certificate(certificateText(readFileSync(certPath, 'utf8')))
    const key = createPrivateKey(readFileSync(keyPath, 'utf8'))
    if (!certificate.checkPrivateKey(key)) {
      return [
        fail(
          'certificate',
          `The key in ${keyPath} does not belong to the certificate in ${certPath}.`,
          'Set MUSTER_TLS_CERT and MUSTER_TLS_KEY to a pair.',
        ),
      ]
    }
    return judge(certificate, certPath, config, own, nowMs)
  } catch (error) {
    const advice = own
      ? 'Set MUSTER_TLS_CERT and MUSTER_TLS_KEY to a certificate and its key, in PEM, not encrypted.'
      : `Remove ${pair}: the next start makes another.`
    return [fail('certificate', `${certPath} or ${keyPath} cannot be used: ${messageOf(error)}.`, advice)]
  }
}

/** The first certificate of a file that may hold a key in front of it. */
const certificateText = (text: string): string =>
  text.slice(Math.max(0, text.indexOf('-----BEGIN CERTIFICATE')))

function judge(
  certificate: X509Certificate,
  path: string,
  config: Config,
  own: boolean,
  nowMs: number,
): CheckFinding[] {
  const expiry = certificate.validToDate.toISOString().slice(0, 10)
  const daysLeft = (certificate.validToDate.getTime() - nowMs) / dayMs
  const renew = own ? 'Renew it, then restart muster serve.' : 'Restart muster serve: it makes another.'
  if (daysLeft <= 0) return [fail('certificate', `The certificate in ${path} expired on ${expiry}.`, renew)]
  if (certificate.validFromDate.getTime() > nowMs) {
    return [
      fail('certificate', `The certificate in ${path} is not valid yet.`, "Check this machine's clock."),
    ]
  }
  const host = new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '')
  const names = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  const found: CheckFinding[] = []
  if (names === undefined) {
    found.push(
      fail(
        'certificate',
        `The certificate in ${path} is not for ${host}, the host of the public address.`,
        own ? 'Get one for that name, or set MUSTER_PUBLIC_URL to a name that it is for.' : renew,
      ),
    )
  }
  if (daysLeft < warnDays)
    found.push(warn('certificate', `The certificate in ${path} expires on ${expiry}.`, renew))
  const kind = own ? 'The certificate' : 'The self-signed certificate (clients must be told to trust it)'
  return found.length > 0
    ? found
    : [ok('certificate', `${kind} is valid until ${expiry} and is for ${host}.`)]
}
