import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { connectedBrowser } from '../src/connect.ts'
import { loginIsQueued, reportedEvents } from '../src/reported-events.ts'
import { signIn } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const emails = Array.from({ length: 10 }, (_, index) => `offline${index}@acme-works.example`)

inWorld('logins while Muster cannot be reached', (world) => {
  test('all arrive once when it can be again, also after a restart of the browser', async () => {
    const { browser } = await connectedBrowser(world, 'ada@acme-works.example')
    const page = await browser.context.newPage()
    await world.line.cut()
    for (const [index, email] of emails.entries()) {
      await signIn(page, {
        host: 'zapier.com',
        email,
        password: world.secret(`Away-${index}-Submarine-${index}5`),
      })
      await loginIsQueued(world, browser, email)
    }
    await browser.close()
    await world.line.mend()
    await world.launch()

    const accounts = await until(
      'all accounts',
      async () => {
        const all = await world.muster.list('/v1/accounts?email=offline')
        return all.length >= emails.length ? all : undefined
      },
      40_000,
    )
    expect(accounts.map(({ email }) => email).toSorted()).toEqual(emails)
    const logins = reportedEvents(world, 'LOGIN')
    expect(new Set(logins.map(({ id }) => id)).size).toBe(emails.length)
    expect(logins.map(({ email }) => email).toSorted()).toEqual(emails)
  }, 120_000)
})
