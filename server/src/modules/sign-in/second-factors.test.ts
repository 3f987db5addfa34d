import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import {
  type ConsoleBrowser,
  consoleBrowser,
  consoleOrigin,
  goodPassword,
  type SignedIn,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { softwareAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number

    beforeAll(async () => {
      org = await h.addOrganization('default')
    })

    const codeOf = (secret: string): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.nowMs() })
    const wrongCode = (secret: string): string =>
      String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
    /** Advances to the next TOTP step. */
    const nextStep = () => h.clock.advanceMs(30_000)

    const withTotp = async (): Promise<SignedIn & { secret: string; recoveryCodes: string[] }> => {
      const ada = await signedIn(h, org)
      const { body } = await ada.call('POST', 'sign-in-methods/totp/begin')
      const confirmed = await ada.call('POST', 'sign-in-methods/totp/confirm', { code: codeOf(body.secret) })
      nextStep()
      return { ...ada, secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes }
    }
    const firstStep = async (email: string): Promise<ConsoleBrowser> => {
      const browser = consoleBrowser(h)
      await browser.call('POST', 'sign-in', { email, password: goodPassword })
      return browser
    }
    const withPasskey = async (ada: SignedIn, name = 'Laptop', verifiesUser = true) => {
      const key = softwareAuthenticator(consoleOrigin, { verifiesUser })
      const options = await ada.call('POST', 'sign-in-methods/passkeys/options')
      const response = key.create(options.body)
      return { key, response, added: await ada.call('POST', 'sign-in-methods/passkeys', { name, response }) }
    }

    test('an authenticator app is active once a code is confirmed, and comes with recovery codes', async () => {
      const ada = await signedIn(h, org)
      const { body } = await ada.call('POST', 'sign-in-methods/totp/begin')
      expect(body.uri).toMatch(/^otpauth:\/\/totp\/Muster.*secret=/)
      const wrong = await ada.call('POST', 'sign-in-methods/totp/confirm', { code: wrongCode(body.secret) })
      expect(wrong.status).toBe(400)
      expect((await ada.call('GET', 'sign-in-methods')).body.totp).toBe(false)
      const right = await ada.call('POST', 'sign-in-methods/totp/confirm', { code: codeOf(body.secret) })
      expect(right.body.methods).toEqual({ password: true, totp: true, passkeys: [], recoveryCodesLeft: 10 })
      expect(new Set(right.body.recoveryCodes).size).toBe(10)
      const again = await ada.call('POST', 'sign-in-methods/totp/confirm', { code: codeOf(body.secret) })
      expectProblem(again, 'conflict')
    })

    test('the TOTP secret and the recovery codes are not readable in the database', async () => {
      const { id, secret, recoveryCodes } = await withTotp()
      const kept = JSON.stringify([
        await h.db.all('SELECT * FROM administrators WHERE id = ?', [id]),
        await h.db.all('SELECT * FROM recovery_codes WHERE administrator_id = ?', [id]),
        await h.db.all('SELECT * FROM console_sessions WHERE administrator_id = ?', [id]),
      ])
      expect(kept).not.toContain(secret)
      for (const code of recoveryCodes) expect(kept).not.toContain(code.replaceAll('-', ''))
    })

    test('the password alone allows only the second step', async () => {
      const { email, secret } = await withTotp()
      const browser = await firstStep(email)
      expect((await browser.call('GET', 'session')).body).toMatchObject({
        state: 'SECOND_FACTOR',
        secondFactors: ['TOTP', 'RECOVERY_CODE'],
        administrator: null,
      })
      for (const [method, path] of [
        ['GET', 'keys'],
        ['GET', 'administrators'],
        ['GET', 'sign-in-methods'],
        ['POST', 'sign-out-everywhere'],
      ] as const)
        expectProblem(await browser.call(method, path), 'signed_out')
      expectProblem(await browser.call('POST', 'reauthenticate', { totpCode: codeOf(secret) }), 'signed_out')
      expect((await browser.call('POST', 'sign-in/totp', { code: codeOf(secret) })).body.state).toBe(
        'SIGNED_IN',
      )
      expect((await browser.call('GET', 'keys')).status).toBe(200)
    })

    test('a code is accepted once, even by two concurrent requests', async () => {
      const { email, secret } = await withTotp()
      const browsers = [await firstStep(email), await firstStep(email), await firstStep(email)]
      const code = codeOf(secret)
      const answers = await Promise.all(browsers.map((one) => one.call('POST', 'sign-in/totp', { code })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      const late = await firstStep(email)
      expectProblem(await late.call('POST', 'sign-in/totp', { code }), 'sign_in_failed')
    })

    test('the second step times out after ten minutes', async () => {
      const { email, secret } = await withTotp()
      const browser = await firstStep(email)
      h.clock.advanceMs(10 * 60_000)
      expectProblem(await browser.call('POST', 'sign-in/totp', { code: codeOf(secret) }), 'signed_out')
    })

    test('a recovery code works once, in any case and grouping', async () => {
      const { email, recoveryCodes } = await withTotp()
      const code = (recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ')
      const first = await (await firstStep(email)).call('POST', 'sign-in/recovery-code', { code })
      expect(first.body.state).toBe('SIGNED_IN')
      const second = await (await firstStep(email)).call('POST', 'sign-in/recovery-code', { code })
      expectProblem(second, 'sign_in_failed')
    })

    test('new recovery codes replace the old ones; removing the last second factor deletes them', async () => {
      const ada = await withTotp()
      const renewed = await ada.call('POST', 'sign-in-methods/recovery-codes')
      expect(renewed.body.recoveryCodes).toHaveLength(10)
      const old = await (await firstStep(ada.email)).call('POST', 'sign-in/recovery-code', {
        code: ada.recoveryCodes[0],
      })
      expectProblem(old, 'sign_in_failed')
      expect((await ada.call('DELETE', 'sign-in-methods/totp')).body).toMatchObject({
        totp: false,
        recoveryCodesLeft: 0,
      })
      expectProblem(await ada.call('POST', 'sign-in-methods/recovery-codes'), 'conflict')
      expect((await (await firstStep(ada.email)).call('GET', 'session')).body.state).toBe('SIGNED_IN')
    })

    test('adds a passkey, signs in with it and removes it', async () => {
      const ada = await signedIn(h, org)
      const { key, added } = await withPasskey(ada)
      expect(added.body).toMatchObject({
        methods: { passkeys: [{ name: 'Laptop', lastUsedTimestamp: null }], recoveryCodesLeft: 10 },
      })
      const browser = await firstStep(ada.email)
      expect((await browser.call('GET', 'session')).body.secondFactors).toEqual(['PASSKEY', 'RECOVERY_CODE'])
      const options = await browser.call('POST', 'sign-in/passkey/options')
      const response = key.get(options.body)
      expect((await browser.call('POST', 'sign-in/passkey', { response })).body.state).toBe('SIGNED_IN')
      const [passkey] = (await browser.call('GET', 'sign-in-methods')).body.passkeys
      expect(passkey.lastUsedTimestamp).toBeGreaterThan(0)
      const gone = await browser.call('DELETE', `sign-in-methods/passkeys/${passkey.id}`)
      expect(gone.body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    })

    test.each([
      ['usb', ''],
      [7, ''],
      [[null, { usb: true }, 'usb'], 'usb'],
    ])('keeps only the valid ones of the passkey transports %j', async (transports, kept) => {
      const ada = await signedIn(h, org)
      const key = softwareAuthenticator(consoleOrigin, { verifiesUser: true })
      const made = key.create((await ada.call('POST', 'sign-in-methods/passkeys/options')).body)
      const response = { ...made, response: { ...(made.response as object), transports } }
      const added = await ada.call('POST', 'sign-in-methods/passkeys', { name: 'Laptop', response })
      expect(added.status).toBe(200)
      const sql = 'SELECT transports FROM passkeys WHERE administrator_id = ?'
      expect(await h.db.get(sql, [ada.id])).toEqual({ transports: kept })
    })

    test('a signature is accepted only for its own challenge, and only once', async () => {
      const ada = await signedIn(h, org)
      const { key, response: created } = await withPasskey(ada)
      const twice = await ada.call('POST', 'sign-in-methods/passkeys', { name: 'x', response: created })
      expect(twice.status).toBe(400)
      const one = await firstStep(ada.email)
      const two = await firstStep(ada.email)
      const response = key.get((await one.call('POST', 'sign-in/passkey/options')).body)
      await two.call('POST', 'sign-in/passkey/options')
      expectProblem(await two.call('POST', 'sign-in/passkey', { response }), 'sign_in_failed')
      expect((await one.call('POST', 'sign-in/passkey', { response })).status).toBe(200)
      const three = await firstStep(ada.email)
      expectProblem(await three.call('POST', 'sign-in/passkey', { response }), 'sign_in_failed')
      await three.call('POST', 'sign-in/passkey/options')
      expectProblem(await three.call('POST', 'sign-in/passkey', { response: {} }), 'sign_in_failed')
    })

    test('refuses a signature for another origin, and a passkey of another person', async () => {
      const ada = await signedIn(h, org)
      const { response } = await withPasskey(ada)
      const bob = await signedIn(h, org)
      await withPasskey(bob)
      const browser = await firstStep(bob.email)
      const { body } = await browser.call('POST', 'sign-in/passkey/options')
      const foreign = softwareAuthenticator('https://evil.example').get(body)
      expectProblem(
        await browser.call('POST', 'sign-in/passkey', { response: { ...foreign, id: response.id } }),
        'sign_in_failed',
      )
      await ada.call('POST', 'sign-in-methods/passkeys/options')
      const page = softwareAuthenticator('https://evil.example').create(
        (await ada.call('POST', 'sign-in-methods/passkeys/options')).body,
      )
      const added = await ada.call('POST', 'sign-in-methods/passkeys', { name: 'x', response: page })
      expect(added.status).toBe(400)
    })

    test('a passkey alone re-authenticates only with user verification', async () => {
      const ada = await signedIn(h, org)
      const { key } = await withPasskey(ada)
      const { key: careless } = await withPasskey(ada, 'Token', false)
      const proof = async (by: typeof key) => {
        const { body } = await ada.call('POST', 'reauthenticate/passkey/options')
        return ada.call('POST', 'reauthenticate/passkey', { response: by.get(body) })
      }
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await ada.call('POST', 'sign-in-methods/recovery-codes'), 'reauthentication_required')
      expectProblem(await proof(careless), 'sign_in_failed')
      expect((await proof(key)).status).toBe(200)
      expect((await ada.call('POST', 'sign-in-methods/recovery-codes')).status).toBe(200)
    })

    test('adding a second factor ends the sessions that were started without it', async () => {
      const ada = await signedIn(h, org)
      const other = await firstStep(ada.email)
      expect((await other.call('GET', 'keys')).status).toBe(200)
      await withPasskey(ada)
      expectProblem(await other.call('GET', 'keys'), 'signed_out')
      expect((await ada.call('GET', 'keys')).status).toBe(200)
    })

    test('guessing codes locks the second step, even for the correct code', async () => {
      const { email, secret } = await withTotp()
      const browser = await firstStep(email)
      for (let at = 0; at < 5; at++)
        expectProblem(
          await browser.call('POST', 'sign-in/totp', { code: wrongCode(secret) }),
          'sign_in_failed',
        )
      const locked = await browser.call('POST', 'sign-in/totp', { code: codeOf(secret) })
      expectProblem(locked, 'rate_limited')
      expect(locked.headers['retry-after']).toBe('30')
      h.clock.advanceMs(30_000)
      expect((await browser.call('POST', 'sign-in/totp', { code: codeOf(secret) })).status).toBe(200)
    })
  })
}
