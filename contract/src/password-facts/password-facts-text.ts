import {
  type AccountSystem,
  AccountSystemSchema,
  type PasswordSite,
  PasswordSiteSchema,
} from './password-facts-schema.ts'

const firstHost = ({ domains, former = [] }: AccountSystem) => [...domains, ...former].sort()[0] ?? ''

/** Returns account systems as the text of `account-systems.jsonl`: one line each, all hosts sorted. */
export const accountSystemsText = (systems: readonly AccountSystem[]): string =>
  lines(
    AccountSystemSchema,
    systems
      .map((system) =>
        Object.fromEntries(Object.entries(system).map(([member, hosts]) => [member, hosts.toSorted()])),
      )
      .toSorted((a, b) => byText(firstHost(a as AccountSystem), firstHost(b as AccountSystem))),
  )

/** Returns sites as the text of `password-sites.jsonl`: one line each, sorted by host. */
export const passwordSitesText = (sites: readonly PasswordSite[]): string =>
  lines(
    PasswordSiteSchema,
    sites.toSorted((a, b) => byText(a.host, b.host)),
  )

const byText = (a: string, b: string) => (a < b ? -1 : 1)

const lines = ({ properties }: { properties: object }, rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row, Object.keys(properties))}\n`).join('')
