import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/support/harness.ts'
import type { CertificatePair } from './self-signed.ts'
import { makeSelfSigned } from './self-signed.ts'

const openssl = promisify(execFile)

/** Suites of TLS 1.2 and earlier in this OpenSSL, except those that need DH parameters or no key. */
const suites = execFileSync('openssl', ['ciphers', '-s', '-tls1_2', 'ALL:!DHE:!aNULL:@SECLEVEL=0'], {
  encoding: 'utf8',
})
  .trim()
  .split(':')

function rsaPair(): CertificatePair {
  const folder = mkdtempSync(join(tmpdir(), 'muster-rsa-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const making = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...making], { stdio: 'ignore' })
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}

test.each([
  ['ECDSA', () => makeSelfSigned(['localhost'], Date.now())],
  ['RSA', async () => rsaPair()],
])('with an %s key only TLS 1.3 and TLS 1.2 suites with AEAD are accepted', async (kind, pair) => {
  const h = await startHarness('sqlite', { app: { tls: await pair() } })
  await h.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = h.app.server.address() as AddressInfo
  /** Returns true if a handshake succeeds. */
  const isSpoken = async (...options: string[]): Promise<boolean> => {
    const client = openssl('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-brief', ...options])
    client.child.stdin?.end()
    return client.then(
      () => true,
      () => false,
    )
  }
  const answers = await Promise.all(
    suites.map((suite) => isSpoken('-tls1_2', '-cipher', `${suite}:@SECLEVEL=0`)),
  )
  expect(suites.filter((_, index) => answers[index]).sort()).toEqual(
    ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((end) => `ECDHE-${kind}-${end}`),
  )
  expect(await isSpoken('-tls1_3')).toBe(true)
  for (const old of ['-tls1', '-tls1_1'])
    expect(await isSpoken(old, '-cipher', 'ALL:@SECLEVEL=0')).toBe(false)
  await h.close()
})
