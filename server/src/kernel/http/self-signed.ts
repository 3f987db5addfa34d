import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its private key, both PEM. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

const dayMs = 86_400_000
/** 825 days: the longest that browsers and operating systems accept. */
export const selfSignedDays = 825

/**
 * Makes a self-signed certificate for a server: ECDSA P-256, valid from an hour ago (clocks differ) for 825 days.
 *
 * @param names host names and IP addresses it is for; the first becomes the common name
 */
export async function makeSelfSigned(names: readonly string[], nowMs: number): Promise<CertificatePair> {
  // Loaded only here, on the first start of a deployment: every other start is faster without it. It does not load without `reflect-metadata`.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const notBefore = new Date(nowMs - dayMs / 24)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: `01${randomBytes(15).toString('hex')}`,
      name: [{ CN: [names[0] ?? 'localhost'] }, { O: ['Muster (self-signed)'] }],
      notBefore,
      notAfter: new Date(notBefore.getTime() + selfSignedDays * dayMs),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
        ),
      ],
    },
    webcrypto,
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`,
  }
}
