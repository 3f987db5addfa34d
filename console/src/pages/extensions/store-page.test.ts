import { expect, test } from 'vitest'
import { storePage } from './store-page.ts'

const id = 'cjpalhdlnbpafiamejdnhcphjbkeiagm'

test('an extension from a store has a page there', () => {
  expect(storePage(id, 'https://clients2.google.com/service/update2/crx')).toEqual({
    store: 'Chrome Web Store',
    url: `https://chromewebstore.google.com/detail/${id}`,
  })
  expect(storePage(id, 'https://edge.microsoft.com/extensionwebstorebase/v1/crx')?.store).toBe(
    'Microsoft Edge Add-ons',
  )
})

test('other sources and other IDs have none', () => {
  for (const url of [
    null,
    'no url',
    'https://updates.example.com/',
    'https://clients2.google.com.example.net/',
  ])
    expect(storePage(id, url)).toBeUndefined()
  expect(storePage('{uuid}@example', 'https://clients2.google.com/service/update2/crx')).toBeUndefined()
})
