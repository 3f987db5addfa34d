import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

/** Certificate and private key in PEM. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

const dayMs = 86_400_000
/** Maximum validity that browsers and operating systems accept. */
const selfSignedDays = 825

/**
 * Creates a self-signed server certificate: ECDSA P-256, valid for 825 days from one hour ago (clocks differ).
 *
 * @param names host names and IP addresses; the first becomes the common name
 */
export async function makeSelfSigned(names: readonly string[], nowMs: number): Promise<CertificatePair> {
  // Loaded on demand, because only the first start needs it. `@peculiar/x509` requires `reflect-metadata`.
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
