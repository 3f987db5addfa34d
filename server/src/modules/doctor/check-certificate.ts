import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../kernel/config/config.ts'
import { certificateHost, isCertificateFor, loadOwnCertificate } from '../../kernel/http/tls.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

const dayMs = 86_400_000
const warnDays = 30

/** Whether the certificate is valid, belongs to its key, and is for the public address. */
export function checkCertificate(config: Config, nowMs: number): CheckFinding[] {
  if (config.plainHttp)
    return [
      ok('certificate', 'None is needed: plain HTTP is served, on this machine or behind a trusted proxy.'),
    ]
  const { tlsCert, tlsKey } = config
  if (tlsCert !== undefined && tlsKey !== undefined) return ownFindings(tlsCert, tlsKey, config, nowMs)
  const pair = join(config.data, 'tls', 'self-signed.pem')
  if (!existsSync(pair)) return [ok('certificate', 'The first start makes a self-signed certificate.')]
  try {
    const text = readFileSync(pair, 'utf8')
    const certificate = new X509Certificate(certificateText(text))
    if (certificate.checkPrivateKey(createPrivateKey(text)))
      return judge(certificate, pair, config, false, nowMs)
    throw new Error('its key does not belong to it')
  } catch (error) {
    const advice = `Remove ${pair}: the next start makes another.`
    return [fail('certificate', `${pair} cannot be used: ${messageOf(error)}.`, advice)]
  }
}

/** What the start would say of the operator's own certificate, and what it would not. */
function ownFindings(certPath: string, keyPath: string, config: Config, nowMs: number): CheckFinding[] {
  try {
    const { cert } = loadOwnCertificate(certPath, keyPath, nowMs)
    return judge(new X509Certificate(cert), certPath, config, true, nowMs)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice =
      'Set MUSTER_TLS_CERT and MUSTER_TLS_KEY to a certificate that is valid and its key, in PEM, not encrypted.'
    return error.mistakes.map((mistake) => fail('certificate', mistake, advice))
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
  const host = certificateHost(config.publicUrl)
  const found: CheckFinding[] = []
  if (!isCertificateFor(certificate, host)) {
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
