import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const dayMs = 86_400_000

/**
 * Creates a certificate for localhost from an untrusted authority, and its private key, both in PEM, valid for a
 * day.
 */
export async function issuedCertificate(): Promise<{ cert: string; key: string }> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const authority = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: '02',
      subject: 'CN=localhost',
      issuer: 'CN=Authority of the tests',
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + dayMs),
      publicKey: keys.publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    },
    webcrypto,
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}
