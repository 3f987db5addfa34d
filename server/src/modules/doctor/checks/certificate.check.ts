import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateHost, isCertificateFor, loadOwnCertificate } from '../../../kernel/http/tls.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import {
  type CheckContext,
  type DoctorCheck,
  type Finding,
  fail,
  messageOf,
  ok,
  warn,
} from '../doctor-check.ts'

const dayMs = 86_400_000
const warnDays = 30

/** Checks that the certificate is valid, matches its key and is for the host of the public URL. */
export const certificateCheck: DoctorCheck = {
  name: 'certificate',
  run: (context) => {
    const { plainHttp, tlsCert, tlsKey, data } = context.config
    if (plainHttp) return [ok('Not needed: plain HTTP is served, on this machine or behind a trusted proxy.')]
    if (tlsCert !== undefined && tlsKey !== undefined) return checkConfigured(tlsCert, tlsKey, context)
    return checkSelfSigned(join(data, 'tls', 'self-signed.pem'), context)
  },
}

function checkSelfSigned(path: string, context: CheckContext): Finding[] {
  if (!existsSync(path)) return [ok('The first start creates a self-signed certificate.')]
  try {
    const text = readFileSync(path, 'utf8')
    const certificate = new X509Certificate(certificatePart(text))
    if (certificate.checkPrivateKey(createPrivateKey(text)))
      return checkCertificate(certificate, path, context, false)
    throw new Error('its key does not belong to it')
  } catch (error) {
    const advice = `Remove ${path}: the next start creates another.`
    return [fail(`${path} cannot be used: ${messageOf(error)}.`, advice)]
  }
}

/** Checks the operator's own certificate, including the checks made when the server starts. */
function checkConfigured(certPath: string, keyPath: string, context: CheckContext): Finding[] {
  try {
    const { cert } = loadOwnCertificate(certPath, keyPath, context.nowMs)
    return checkCertificate(new X509Certificate(cert), certPath, context, true)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice =
      'Set MUSTER_TLS_CERT and MUSTER_TLS_KEY to a valid certificate and its unencrypted key, in PEM.'
    return error.mistakes.map((mistake) => fail(mistake, advice))
  }
}

/** Returns the first certificate of a file, which may begin with a key. */
const certificatePart = (text: string): string =>
  text.slice(Math.max(0, text.indexOf('-----BEGIN CERTIFICATE')))

function checkCertificate(
  certificate: X509Certificate,
  path: string,
  { config, nowMs }: CheckContext,
  isConfigured: boolean,
): Finding[] {
  const expiry = certificate.validToDate.toISOString().slice(0, 10)
  const daysLeft = (certificate.validToDate.getTime() - nowMs) / dayMs
  const renew = isConfigured
    ? 'Renew it. A running server loads the new files by itself.'
    : 'Restart muster serve, which creates another.'
  if (daysLeft <= 0) return [fail(`The certificate in ${path} expired on ${expiry}.`, renew)]
  if (certificate.validFromDate.getTime() > nowMs)
    return [fail(`The certificate in ${path} is not valid yet.`, "Check this machine's clock.")]
  const host = certificateHost(config.publicUrl)
  const findings: Finding[] = []
  if (!isCertificateFor(certificate, host)) {
    const advice = isConfigured
      ? 'Get a certificate for that name, or set MUSTER_PUBLIC_URL to a name that it covers.'
      : renew
    findings.push(fail(`The certificate in ${path} is not for ${host}, the host of the public URL.`, advice))
  }
  if (daysLeft < warnDays) findings.push(warn(`The certificate in ${path} expires on ${expiry}.`, renew))
  const kind = isConfigured
    ? 'The certificate'
    : 'The self-signed certificate, which clients must trust explicitly,'
  return findings.length > 0 ? findings : [ok(`${kind} is valid until ${expiry} and is for ${host}.`)]
}
