import { type Static, Type } from 'typebox'
import { closed, exact, listOf } from '../api/fields.ts'

const host = exact('A host name in lower case.', 'adobe.com', 253, 1)
const hosts = (description: string) => listOf(host, description, ['adobe.com'], 128, { uniqueItems: true })

/** Hosts with one set of accounts: a line of `account-systems.jsonl`. */
export const AccountSystemSchema = closed(
  {
    domains: hosts('Hosts where the accounts of all but the former ones work.'),
    from: Type.Optional(hosts('Hosts whose accounts work at `domains`, while theirs need not work here.')),
    former: Type.Optional(hosts('Hosts that shared accounts with the others once, or may do so.')),
  },
  { description: 'An account system.' },
)
export type AccountSystem = Static<typeof AccountSystemSchema>

const yes = (description: string) => Type.Optional(Type.Literal(true, { description, examples: [true] }))

/** Facts of one host and all below it: a line of `password-sites.jsonl`. */
export const PasswordSiteSchema = closed(
  {
    host,
    changeUrl: Type.Optional(
      exact('The page where a password is changed, by https.', 'https://example.com/password', 2048, 1),
    ),
    appendsCode: yes('Its password field takes the password and a one-time code in one text.'),
    asksForOthers: yes('Embedded in pages of others, it asks for credentials of other services.'),
  },
  { description: 'How a site handles passwords.' },
)
export type PasswordSite = Static<typeof PasswordSiteSchema>
