import { afterEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import {
  acknowledge,
  type ReceiverAnswer,
  refuse,
  startReceiver,
  type WebhookReceiver,
} from '../../../../test/support/webhook-receiver.ts'

for (const store of STORES) {
  describe(store, () => {
    const muster = useCommandLine(store)
    const receivers: WebhookReceiver[] = []
    afterEach(async () => {
      for (const receiver of receivers.splice(0)) await receiver.close()
    })
    const add = async (answer: ReceiverAnswer = acknowledge, ...more: string[]) => {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      const words = 'webhooks add --webhooks-allow-private --url'
      const issued = await muster.json(words, receiver.url, ...more)
      return { receiver, ...(issued as { id: string; secret: string }) }
    }

    test('adds, tests, logs, rotates, disables, enables and removes an endpoint', async () => {
      const { id, secret, receiver, ...rest } = await add(
        acknowledge,
        '--categories',
        'detection,CONTROL',
        '--objects=LOGIN',
        '--header',
        'X-Team: blue',
      )
      expect([secret, rest]).toEqual([expect.stringMatching(/^mwhs_[0-9a-f]{32}$/), {}])
      expect(await muster.json('webhooks list')).toMatchObject([
        {
          id,
          categories: ['DETECTION', 'CONTROL'],
          objects: ['LOGIN'],
          headerNames: ['X-Team'],
          enabled: true,
        },
      ])
      const tested = await muster.run(`webhooks test ${id} --webhooks-allow-private --object LOGIN`)
      expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('Delivered: HTTP status 200') })
      expect(receiver.requests[0]?.headers['x-team']).toBe('blue')
      const [delivery, ...more] = await muster.json(`webhooks log ${id} --state delivered`)
      expect([delivery, more]).toMatchObject([{ object: 'LOGIN', test: true, attempts: 1 }, []])
      const { eventId } = delivery
      expect(await muster.json(`webhooks log ${id} --event ${eventId}`)).toMatchObject({
        body: receiver.requests[0]?.body,
        history: [{ attempt: 1, status: 200, answer: 'ok' }],
      })
      expect((await muster.run(`webhooks log ${id}`)).stdout).toContain('LOGIN (test)')
      expect(await muster.json(`webhooks replay ${eventId}`)).toEqual({ webhooks: [{ id, events: 1 }] })
      expect(await muster.json(`webhooks log ${id} --state pending`)).toHaveLength(1)
      expect((await muster.json(`webhooks rotate ${id}`)).secret).not.toBe(secret)
      for (let times = 0; times < 2; times++)
        expect(await muster.json(`webhooks disable ${id}`)).toEqual({ id, enabled: false })
      // Added, rotated and disabled once: a call that changes nothing is not audited.
      expect((await muster.run('audit list --json')).stdout.match(/"object":"WEBHOOK_\w+"/g)).toHaveLength(3)
      expect((await muster.run('webhooks list')).stdout).toContain('disabled')
      expect(await muster.json(`webhooks enable ${id}`)).toEqual({ id, enabled: true })
      expect(await muster.json(`webhooks replay --since 1h --webhook ${id}`)).toEqual({
        webhooks: [{ id, events: 0 }],
      })
      expect(await muster.json(`webhooks remove ${id}`)).toMatchObject({ id })
      expect(await muster.json('webhooks list')).toEqual([])
    })

    test('reads headers from a file', async () => {
      const file = muster.file('headers.txt', ['Authorization: Bearer a:b', '', 'X-Team : blue'])
      const { id, receiver } = await add(acknowledge, '--header-file', file, '--header', 'X-One: 1')
      await muster.run(`webhooks test ${id} --webhooks-allow-private`)
      const sent = { authorization: 'Bearer a:b', 'x-team': 'blue', 'x-one': '1' }
      expect(receiver.requests[0]?.headers).toMatchObject(sent)
    })

    test('shows the number of attempts and the result of the last one in the log', async () => {
      const { id } = await add(refuse, '--objects=LOGIN')
      await muster.run(`webhooks test ${id} --webhooks-allow-private`)
      const [{ eventId }] = await muster.json(`webhooks log ${id}`)
      await muster.run(`webhooks replay ${eventId} --webhook ${id}`)
      expect(await muster.json(`webhooks log ${id}`)).toMatchObject([
        { eventId, state: 'PENDING', attempts: 1, lastStatus: 500, lastError: 'HTTP status 500' },
      ])
    })

    test('a test event that fails sets the exit code and shows the error', async () => {
      const { id } = await add(refuse)
      const tested = await muster.run(`webhooks test ${id} --webhooks-allow-private`)
      expect(tested).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('Not delivered: HTTP status 500'),
      })
    })
  })
}

describe('invalid arguments', () => {
  const muster = useCommandLine('sqlite')

  test.each([
    ['webhooks add --url http://siem.example.com', 2, '--url must start with https://'],
    ['webhooks add --url http://127.0.0.1/', 2, 'MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows'],
    ['webhooks add --url https://a.test --categories DETECTON', 2, 'Did you mean DETECTION?'],
    ['webhooks add --url https://a.test --objects LOGON', 2, 'Did you mean LOGIN?'],
    ['webhooks add --url https://a.test --header X', 2, '--header must have the form NAME:VALUE'],
    ['webhooks add --url https://a.test --header-file no.txt', 1, 'no.txt cannot be read'],
    ['webhooks add --url https://a.test --header Host:x', 2, '--header must not include Host'],
    [
      `webhooks add --url https://a.test --name ${'n'.repeat(129)}`,
      2,
      'but must have at most 128 characters',
    ],
    ['webhooks remove x', 1, 'Run muster webhooks list'],
    ['webhooks log x', 1, 'Run muster webhooks list'],
    ['webhooks test x', 1, 'Run muster webhooks list'],
    ['webhooks replay', 2, 'Give either event IDs or --since.'],
    ['webhooks replay x --since 1h', 2, 'Give either event IDs or --since.'],
    ['webhooks replay x --failed', 2, 'require --since'],
    ['webhooks replay x', 1, 'There is no event with the ID "x"'],
    ['webhooks replay --since yesterday', 2, 'must be a date such as'],
  ])('%s shows what to do', async (words, code, message) => {
    await muster.run('org add emea')
    expect(await muster.run(words)).toMatchObject({ code, stderr: expect.stringContaining(message) })
  })
})
