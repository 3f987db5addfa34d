import { describe, expect, test } from 'vitest'
import { readSender } from './message-sender.ts'

type Sender = Parameters<typeof readSender>[0]

const ownId = 'ibldkgglafofgpgdbkgkanfdkbdgpakh'
const ownOrigin = `chrome-extension://${ownId}/`
const tab = { id: 7 } as Sender['tab'] & object
const read = (sender: Sender) => readSender(sender, ownId, ownOrigin)

describe('a message is accepted from', () => {
  test('a content script, with the address supplied by the browser', () => {
    const sender = {
      id: ownId,
      tab,
      frameId: 3,
      url: 'https://app.example.com:8443/x',
      origin: 'https://app.example.com:8443',
    }
    expect(read(sender)).toEqual({
      tabId: 7,
      frameId: 3,
      url: 'https://app.example.com:8443/x',
      host: 'app.example.com',
      ownPage: null,
    })
  })

  test('a content script in a frame without an address, with its origin', () => {
    const sender = { id: ownId, tab, frameId: 3, url: 'about:blank', origin: 'https://app.example.com' }
    expect(read(sender)).toMatchObject({ url: 'https://app.example.com/', host: 'app.example.com' })
  })

  test('a page of the agent, in a tab or not', () => {
    expect(read({ id: ownId, url: `${ownOrigin}popup.html` })).toMatchObject({
      tabId: null,
      ownPage: 'popup.html',
    })
    const consent = { id: ownId, tab, frameId: 0, url: `${ownOrigin}enroll.html?request=1` }
    expect(read(consent)).toMatchObject({ tabId: 7, ownPage: 'enroll.html' })
  })
})

describe('a message is rejected from', () => {
  test.each<[string, Sender]>([
    ['another extension', { id: 'other', tab, url: 'https://app.example.com/' }],
    ['a sender without an extension ID', { tab, url: 'https://app.example.com/' }],
    ['a content script outside tabs', { id: ownId, url: 'https://app.example.com/' }],
    ['a page of another extension', { id: ownId, tab, url: 'chrome-extension://other/popup.html' }],
    ['a frame that hides its origin', { id: ownId, tab, url: 'about:blank', origin: 'null' }],
    ['a file', { id: ownId, tab, url: 'file:///tmp/x.html', origin: 'null' }],
    ['a sender without an address', { id: ownId, tab }],
  ])('%s', (_, sender) => {
    expect(read(sender)).toBeNull()
  })
})
