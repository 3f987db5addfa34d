import 'reflect-metadata'
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeClock } from '../lib/clock.ts'
import { makeSelfSigned } from './self-signed.ts'
import { loadOrCreateCertificate } from './tls.ts'

const dayMs = 86_400_000
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'muster-tls-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function load(more: { publicUrl?: string; host?: string; clock?: ReturnType<typeof fakeClock> } = {}) {
  return loadOrCreateCertificate({ dataDir, publicUrl: 'https://localhost:8443', host: '0.0.0.0', ...more })
}

describe('without a certificate of the operator', () => {
  test('creates one for this machine and the public URL', async () => {
    const made = await load({ publicUrl: 'https://muster.example.com:8443' })
    const x509 = new X509Certificate(made.cert)
    const names = ['localhost', hostname().toLowerCase(), 'muster.example.com']
    expect(names.map((name) => x509.checkHost(name))).toEqual(names)
    expect(['127.0.0.1', '::1'].map((ip) => x509.checkIP(ip))).toEqual(['127.0.0.1', '::1'])
    expect(x509.checkHost('other.example.com')).toBeUndefined()
    expect(x509.checkPrivateKey(createPrivateKey(made.key))).toBe(true)
    expect(x509.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
    expect(made).toMatchObject({
      selfSigned: true,
      fingerprint256: x509.fingerprint256,
      expires: x509.validToDate,
    })
    expect(x509.validToDate.getTime() - x509.validFromDate.getTime()).toBe(825 * dayMs)
  })

  test('keeps it, with the key readable by its owner only', async () => {
    const made = await load()
    expect(await load()).toEqual(made)
    expect(statSync(join(dataDir, 'tls', 'self-signed.pem')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dataDir, 'tls', 'cert.pem'), 'utf8')).toBe(made.cert)
    expect(readdirSync(join(dataDir, 'tls')).sort()).toEqual(['cert.pem', 'self-signed.pem'])
  })

  test('replaces it when fewer than 30 days are left', async () => {
    const clock = fakeClock(Date.now())
    const made = await load({ clock })
    clock.advanceMs(made.expires.getTime() - clock.nowMs() - 30 * dayMs)
    expect((await load({ clock })).fingerprint256).toBe(made.fingerprint256)
    clock.advanceMs(1)
    const renewed = await load({ clock })
    expect(renewed.fingerprint256).not.toBe(made.fingerprint256)
    expect(renewed.replacedBecause).toMatch(/^was valid until \d{4}-/)
  })

  test('replaces it for another public URL, and if its file is damaged', async () => {
    const made = await load()
    const moved = await load({ publicUrl: 'https://192.0.2.7' })
    expect(moved.fingerprint256).not.toBe(made.fingerprint256)
    expect(new X509Certificate(moved.cert).checkIP('192.0.2.7')).toBe('192.0.2.7')
    writeFileSync(join(dataDir, 'tls', 'self-signed.pem'), moved.cert.slice(0, 200))
    const repaired = await load()
    expect(repaired.replacedBecause).toBe('was damaged')
    const again = await load()
    expect([again.fingerprint256, again.replacedBecause]).toEqual([repaired.fingerprint256, undefined])
  })

  test('replaces it for another listening host, with the reason, but not for a wildcard address', async () => {
    expect((await load()).replacedBecause).toBeUndefined()
    const moved = await load({ host: '192.0.2.7' })
    expect(moved.replacedBecause).toBe('was not for 192.0.2.7')
    expect(new X509Certificate(moved.cert).checkIP('192.0.2.7')).toBe('192.0.2.7')
    for (const host of ['192.0.2.7', '0.0.0.0', '::', 'fe80::1%eth0', 'under_score'])
      expect((await load({ host })).fingerprint256).toBe(moved.fingerprint256)
  })

  test('processes that start concurrently use the same one', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => load()))
    expect(new Set(made.map((one) => one.fingerprint256)).size).toBe(1)
  })

  test('is accepted by a client that trusts it', async () => {
    const { cert, key } = await load()
    const server = createServer({ cert, key }, (_request, response) => response.end('hello')).listen(
      0,
      '127.0.0.1',
    )
    const status = await new Promise((resolve, reject) => {
      server.on('listening', () => {
        const address = server.address()
        const port = typeof address === 'object' && address !== null ? address.port : 0
        request({ host: 'localhost', port, ca: cert, family: 4 }, (response) => resolve(response.statusCode))
          .on('error', reject)
          .end()
      })
    })
    server.close()
    server.closeAllConnections()
    expect(status).toBe(200)
  })
})

describe('with a certificate of the operator', () => {
  const certPath = () => join(dataDir, 'own-cert.pem')
  const keyPath = () => join(dataDir, 'own-key.pem')
  const loadOwn = (nowMs = Date.now()) =>
    loadOrCreateCertificate({
      dataDir,
      certPath: certPath(),
      keyPath: keyPath(),
      publicUrl: 'https://muster.example.com',
      host: '0.0.0.0',
      clock: fakeClock(nowMs),
    })

  async function writeOwn() {
    const pair = await makeSelfSigned(['muster.example.com'], Date.now())
    writeFileSync(certPath(), pair.cert)
    writeFileSync(keyPath(), pair.key)
    return pair
  }

  test('uses it and creates none', async () => {
    const pair = await writeOwn()
    expect(await loadOwn()).toMatchObject(pair)
    expect(readdirSync(dataDir).sort()).toEqual(['own-cert.pem', 'own-key.pem'])
  })

  test('names both missing files', async () => {
    await expect(loadOwn()).rejects.toMatchObject({
      mistakes: [
        `MUSTER_TLS_CERT: ${certPath()} cannot be read: file not found.`,
        `MUSTER_TLS_KEY: ${keyPath()} cannot be read: file not found.`,
      ],
    })
  })

  test('rejects a key of another certificate', async () => {
    await writeOwn()
    writeFileSync(keyPath(), (await makeSelfSigned(['localhost'], Date.now())).key)
    await expect(loadOwn()).rejects.toThrow('does not match the certificate')
  })

  test('rejects other files', async () => {
    await writeOwn()
    writeFileSync(certPath(), 'hello')
    writeFileSync(keyPath(), 'hello')
    await expect(loadOwn()).rejects.toThrow(
      /must be a certificate in PEM\.\n.*must be an unencrypted private key/,
    )
  })

  test('rejects empty files by name', async () => {
    writeFileSync(certPath(), '')
    writeFileSync(keyPath(), '\n')
    await expect(loadOwn()).rejects.toMatchObject({
      mistakes: [
        `${certPath()} must be a certificate in PEM, but is empty.`,
        `${keyPath()} must be an unencrypted private key in PEM, but is empty.`,
      ],
    })
  })

  test('rejects a key that is too short, with the minimum length', async () => {
    const algorithm = {
      ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 512 },
      publicExponent: Buffer.from([1, 0, 1]),
    }
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const made = await X509CertificateGenerator.createSelfSigned(
      { name: 'CN=muster.example.com', keys, signingAlgorithm: algorithm },
      webcrypto,
    )
    writeFileSync(certPath(), made.toString('pem'))
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    writeFileSync(keyPath(), PemConverter.encode(key, 'PRIVATE KEY'))
    await expect(loadOwn()).rejects.toMatchObject({
      mistakes: [expect.stringMatching(/own-cert\.pem cannot be used: .*too small\. .*2,048 bits/)],
    })
  })

  test('rejects one that has expired or is not valid yet', async () => {
    await writeOwn()
    await expect(loadOwn(Date.now() + 900 * dayMs)).rejects.toThrow('expired on')
    await expect(loadOwn(Date.now() - 900 * dayMs)).rejects.toThrow('is not valid before')
  })
})
