import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { connectedBrowser } from '../src/connect.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { findTraces, tracesOf } from '../src/secret-traces.ts'
import { enter, signIn, signInByTwoSteps } from '../src/sign-in.ts'
import { wrongPassword } from '../src/sites/site.ts'
import { inWorld } from '../src/world.ts'

/** Each file of these tests looks through its own traffic at its end; this one proves that there is something to look at. */
inWorld('what is on the wire', (world) => {
  test('is all of it seen, and reports go to Muster alone', async () => {
    const { browser } = await connectedBrowser(world, 'ada@acme-works.example')
    const page = await browser.context.newPage()
    const password = world.secret('Wiretap-Mulberry-83-Kite')
    const email = 'wire@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret(wrongPassword) })
    await signIn(page, { host: 'zapier.com', email, password })
    await world.muster.waitFor(`/v1/accounts?email=${email}&appType=ZAPIER`, () => true, 'first account')
    await signInByTwoSteps(page, { host: 'www.dropbox.com', email, password })
    await world.muster.waitFor(`/v1/accounts?email=${email}&appType=DROPBOX`, () => true, 'second account')
    // Typed, and never sent.
    await page.goto('https://portal.brassworks.example/login')
    await enter(page, 'Password', world.secret('Unsent-Parcel-92-Violet'))

    expect(reportedEvents(world, 'LOGIN')).toMatchObject([
      { loginUrl: expect.stringMatching(/^https:\/\/zapier\.com\//), email, loginType: 'PASSWORD_LOGIN' },
      { loginUrl: expect.stringMatching(/^https:\/\/www\.dropbox\.com\//), email },
    ])
    const toOthers = world.web.requests.filter(({ headers }) => headers.includes('chrome-extension://'))
    expect(toOthers).toEqual([])

    // The password does reach its own site, so a trace of it would be found; and the agent knows its fingerprint.
    const logins = world.web.requests.filter(({ method, target }) => method === 'POST' && target === '/login')
    expect(findTraces(logins.map(({ body }) => body).join('\n'), tracesOf(password, []))).toContain(
      'clear text in a form',
    )
    const kept = await until('fingerprint in the browser', async () => {
      const text = JSON.stringify(await world.stored(browser))
      const salt = /"salt":"([0-9a-f-]{36})"/.exec(text)?.[1]
      return salt && findTraces(text, tracesOf(password, [salt])).length > 0 ? text : undefined
    })
    expect(findTraces(kept, tracesOf(password, []))).toEqual([])
  })
})
