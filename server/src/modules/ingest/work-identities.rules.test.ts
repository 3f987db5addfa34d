import { expect, test } from 'vitest'
import { workIdentitiesOf } from './work-identities.rules.ts'

test.each([
  ['an address of a domain stands for all of it', ['ada@example.com'], ['@example.com']],
  [
    'each domain counts once',
    ['ada@example.com', 'byron@example.com', 'ada@example.co.uk'],
    ['@example.co.uk', '@example.com'],
  ],
  ['an address at a public mail service stands for itself', ['ada@gmail.com'], ['ada@gmail.com']],
  ['a subdomain is another', ['ada@mail.gmail.com.example'], ['@mail.gmail.com.example']],
])('%s', (_, addresses, identities) => {
  expect(workIdentitiesOf(addresses)).toEqual(identities)
})
