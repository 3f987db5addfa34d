import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const dayMs = 86_400_000

/**
 * Creates a certificate for localhost from an untrusted authority, its private key and the certificate of the authority, all in
 * PEM, valid for a day.
 */
export async function issuedCertificate(): Promise<{ cert: string; key: string; authority: string }> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const authorityKeys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const name = 'CN=Authority of the tests'
  const common = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm,
  }
  const authority = await X509CertificateGenerator.createSelfSigned(
    {
      ...common,
      serialNumber: '01',
      name,
      keys: authorityKeys,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    },
    webcrypto,
  )
  const certificate = await X509CertificateGenerator.create(
    {
      ...common,
      serialNumber: '02',
      subject: 'CN=localhost',
      issuer: name,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    },
    webcrypto,
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: certificate.toString('pem'),
    key: PemConverter.encode(key, 'PRIVATE KEY'),
    authority: authority.toString('pem'),
  }
}
